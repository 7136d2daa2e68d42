"""What the log takes from the settings: who signs, where the witness lies, what the log is called.

AUDIT_SIGNER        dotted path of a callable that returns a CheckpointSigner
AUDIT_WITNESS_FILE  path of the witness file; empty for none
AUDIT_ORIGIN        the name of this log in its checkpoints
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, cast

from django.conf import settings
from django.utils.module_loading import import_string

from audit.tree_head import Signer

DEFAULT_ORIGIN = "memory-vault/audit"


class CheckpointSigner(Signer, Protocol):
    """A signer that also knows the public keys of its forerunners, retired ones included."""

    def public_keys(self) -> Mapping[str, bytes]: ...


def configured_signer() -> CheckpointSigner:
    return cast(CheckpointSigner, import_string(settings.AUDIT_SIGNER)())


def configured_witness() -> Path | None:
    path = getattr(settings, "AUDIT_WITNESS_FILE", "")
    return Path(path) if path else None


def configured_origin() -> str:
    return str(getattr(settings, "AUDIT_ORIGIN", DEFAULT_ORIGIN))
