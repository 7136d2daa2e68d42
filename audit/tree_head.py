"""Signed tree heads (checkpoints) as text: five lines, an empty one, and an Ed25519 signature over the five.

<origin>
<size, decimal>
<root, base64>
<time, UTC with microseconds>
<key id>

<signature, base64>
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from audit.faults import AuditError, FaultCode
from audit.merkle import HASH_BYTES

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
_BODY_LINES = 5


class Signer(Protocol):
    """Signs with one Ed25519 key that stays where it is."""

    @property
    def key_id(self) -> str: ...

    def sign(self, message: bytes, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class TreeHead:
    """What a checkpoint claims: at `time`, the log `origin` had `size` entries under `root`."""

    origin: str
    size: int
    root: bytes
    time: str
    key_id: str

    def body(self) -> bytes:
        """The bytes that are signed. Raises ValueError when a field would break the line format."""
        lines = [self.origin, str(self.size), base64.b64encode(self.root).decode(), self.time, self.key_id]
        if any(not line or not line.isprintable() for line in lines):
            raise ValueError("a field of a checkpoint is one printable line")
        return ("\n".join(lines) + "\n").encode()


def sign_head(head: TreeHead, signer: Signer) -> str:
    """Write the checkpoint's text, signed."""
    body = head.body()
    return f"{body.decode()}\n{base64.b64encode(signer.sign(body)).decode()}\n"


def read_head(note: str) -> tuple[TreeHead, bytes]:
    """Take a checkpoint's text apart into head and signature, unchecked; raises AuditError when malformed."""
    lines = note.split("\n")
    if len(lines) != _BODY_LINES + 3 or lines[_BODY_LINES] or lines[-1] or not _SIZE.fullmatch(lines[1]):
        raise AuditError(FaultCode.CHECKPOINT_MALFORMED, "the text is not a checkpoint")
    try:
        root = base64.b64decode(lines[2], validate=True)
        signature = base64.b64decode(lines[_BODY_LINES + 1], validate=True)
    except binascii.Error:
        raise AuditError(FaultCode.CHECKPOINT_MALFORMED, "the text is not a checkpoint") from None
    if len(root) != HASH_BYTES:
        raise AuditError(FaultCode.CHECKPOINT_MALFORMED, "the root is not a SHA-256 hash")
    return TreeHead(lines[0], int(lines[1]), root, lines[3], lines[4]), signature


def open_head(note: str, *, public_keys: Mapping[str, bytes], origin: str | None = None) -> TreeHead:
    """Check a checkpoint's signature (and origin, when given) and read it.

    `public_keys` maps key ids to raw 32-byte Ed25519 keys; retired keys stay in it. Raises AuditError.
    """
    head, signature = read_head(note)
    if origin is not None and head.origin != origin:
        raise AuditError(FaultCode.CHECKPOINT_ORIGIN, f"the checkpoint of size {head.size} is of another log")
    if head.key_id not in public_keys:
        raise AuditError(FaultCode.CHECKPOINT_UNKNOWN_KEY, f"unknown key under checkpoint {head.size}")
    try:
        Ed25519PublicKey.from_public_bytes(public_keys[head.key_id]).verify(signature, head.body())
    except (InvalidSignature, ValueError):
        raise AuditError(
            FaultCode.CHECKPOINT_SIGNATURE, f"false signature under checkpoint {head.size}"
        ) from None
    return head
