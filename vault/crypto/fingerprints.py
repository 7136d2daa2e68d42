"""Keyed digests: they find equal things again without telling what the things are.

All are HMAC-SHA256 (RFC 2104) under a subject's or the vault's own subkey, so that a table of guesses
made without the key is worth nothing, and a destroyed key leaves noise.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Iterable

from vault.errors import InvalidField

TOKEN_HASH_BYTES = 16


def keyed_digest(key: bytes, text: str) -> bytes:
    """The 32-byte digest of `text`, exactly as it stands; raises InvalidField for a lone surrogate."""
    return hmac.digest(key, _encoded(text), "sha256")


def identity_digest(key: bytes, text: str) -> bytes:
    """The 32-byte digest of an identifier: case-sensitive, equal for canonically equal spellings (NFC)."""
    return keyed_digest(key, unicodedata.normalize("NFC", text))


def token_digests(key: bytes, tokens: Iterable[str]) -> list[bytes]:
    """One 16-byte digest a token, in order; long enough that no two tokens of one subject ever collide."""
    return [keyed_digest(key, token)[:TOKEN_HASH_BYTES] for token in tokens]


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # The original error carries the whole text along; it must not reach a log.
        raise InvalidField("A text holds a lone surrogate.") from None
