"""Authenticated encryption, the labels it is bound to, and the keys derived for it.

AES-256-GCM (NIST SP 800-38D) with random 96-bit nonces; HKDF-SHA256 (RFC 5869) for subkeys.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from vault.errors import IntegrityFault

KEY_BYTES = 32
NONCE_BYTES = 12
TAG_BYTES = 16
FORMAT = b"\x01"
OVERHEAD_BYTES = len(FORMAT) + NONCE_BYTES + TAG_BYTES

Label = str | int | datetime | UUID | None


def new_key() -> bytes:
    """A fresh random 256-bit key."""
    return os.urandom(KEY_BYTES)


def subkey(key: bytes, purpose: str) -> bytes:
    """The key for one purpose; subkeys tell nothing of each other nor of `key`.

    `key` must be uniformly random: then HKDF's extract step may be left out (RFC 5869, section 3.3).
    """
    return HKDFExpand(SHA256(), KEY_BYTES, b"memory-vault/1/" + purpose.encode()).derive(key)


def seal(plaintext: bytes, *, key: bytes, context: bytes) -> bytes:
    """Encrypt, bound to `context`: moved to another place, the ciphertext will not open."""
    # Random nonces are safe here because no key seals anywhere near 2**32 messages.
    nonce = os.urandom(NONCE_BYTES)
    return FORMAT + nonce + AESGCM(key).encrypt(nonce, plaintext, FORMAT + context)


def open_sealed(sealed: bytes, *, key: bytes, context: bytes) -> bytes:
    """Decrypt what `seal` made under the same key and context; raises IntegrityFault for anything else."""
    if len(sealed) < OVERHEAD_BYTES or sealed[:1] != FORMAT:
        raise IntegrityFault
    nonce, ciphertext = sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
    try:
        return AESGCM(key).decrypt(nonce, ciphertext, FORMAT + context)
    except InvalidTag:
        raise IntegrityFault from None


def associated_data(**labels: Label) -> bytes:
    """The canonical bytes of a set of labels: equal labels give equal bytes, different ones different bytes.

    Every value carries its type, so that the text "1" and the number 1 differ. Times are compared as
    instants, to the microsecond. Raises TypeError for other types and ValueError for a time without offset.
    """
    tagged = {name: _tagged(value) for name, value in labels.items()}
    return json.dumps(tagged, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _tagged(value: Label) -> list[str | int]:
    if value is None:
        return ["none"]
    if isinstance(value, str):
        return ["text", value]
    if isinstance(value, bool):
        raise TypeError("a label is never a truth value; name the state in words")
    if isinstance(value, int):
        return ["number", value]
    if isinstance(value, UUID):
        return ["id", value.hex]
    if isinstance(value, datetime):
        return ["time", _instant(value)]
    raise TypeError(f"a label cannot be a {type(value).__name__}")


def _instant(value: datetime) -> str:
    if value.utcoffset() is None:
        raise ValueError("a time label needs an offset")
    return value.astimezone(UTC).isoformat(timespec="microseconds")
