"""Signing a file: its manifest names every member with its digest, and carries the signature."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from vault.crypto import Signer
from vault.lifecycle.verify_export import signed_bytes


def signed_manifest(fields: Mapping[str, Any], *, signer: Signer) -> dict[str, Any]:
    """The manifest with the key that signed it, to be read; it is believed when the key is a pinned one."""
    key_id = signer.key_id
    public = base64.b64encode(signer.public_keys()[key_id]).decode("ascii")
    document = {**fields, "key_id": key_id, "public_key": public}
    return {**document, "signature": base64.b64encode(signer.sign(signed_bytes(document))).decode("ascii")}
