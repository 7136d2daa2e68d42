"""What the vault's signed documents share: the bytes under a signature, and the check against pinned keys.

Needs `cryptography` alone, so that a certificate or an export can be checked far from the vault.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class DocumentFault(Exception):
    """What is wrong with a signed document: a stable code, and a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def bytes_under_signature(document: Mapping[str, Any], *, form: str) -> bytes:
    """The name of the form, then all fields but the signature as one line of sorted JSON."""
    body = {name: value for name, value in document.items() if name != "signature"}
    encoded = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return f"{form}\n{encoded}".encode("ascii")


def require_signature(
    document: Mapping[str, Any], *, form: str, public_keys: Mapping[str, bytes], fault: type[DocumentFault]
) -> None:
    """Raise `fault` unless one of the pinned keys (raw, by key id) signed the document (base64)."""
    key = public_keys.get(str(document["key_id"]))
    if key is None:
        raise fault("unknown_key", "it is not signed by a pinned key")
    try:
        signature = base64.b64decode(str(document["signature"]), validate=True)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, bytes_under_signature(document, form=form))
    except (InvalidSignature, ValueError):
        raise fault("signature", "the signature does not fit what it stands under") from None
