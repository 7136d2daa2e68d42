"""Sealing of files that do not fit into memory: chunks that cannot be cut off, reordered or mixed with another file's.

The construction is STREAM of Hoang, Reyhanitabar, Rogaway and Vizar, "Online Authenticated-Encryption and its
Nonce-Reuse Misuse-Resistance" (CRYPTO 2015): the nonce counts the chunks and marks the last one. Each file has a
key of its own, so that a nonce never comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from vault.crypto.sealing import NONCE_BYTES, TAG_BYTES
from vault.errors import IntegrityFault

CHUNK_BYTES = 1 << 20
COUNTER_BYTES = NONCE_BYTES - 1


class Sink(Protocol):
    """Where sealed chunks go: a file, or what counts and hashes on the way to one."""

    def write(self, data: bytes, /) -> int: ...


def seal_chunks(source: IO[bytes], target: Sink, *, key: bytes, context: bytes) -> None:
    """Encrypt all of `source` into `target`, bound to `context`; `key` must be used for this file alone."""
    cipher, number = AESGCM(key), 0
    chunk = source.read(CHUNK_BYTES)
    while True:
        following = source.read(CHUNK_BYTES)
        target.write(cipher.encrypt(_nonce(number, last=not following), chunk, context))
        if not following:
            return
        chunk, number = following, number + 1


def open_chunks(source: IO[bytes], *, key: bytes, context: bytes) -> Iterator[bytes]:
    """Decrypt what `seal_chunks` wrote, chunk by chunk.

    Raises IntegrityFault at the first chunk that is not what was sealed, and at the end of a file that was cut
    short: nobody may act on what came before until the iterator has ended.
    """
    cipher, number = AESGCM(key), 0
    sealed = source.read(CHUNK_BYTES + TAG_BYTES)
    while True:
        following = source.read(CHUNK_BYTES + TAG_BYTES)
        try:
            yield cipher.decrypt(_nonce(number, last=not following), sealed, context)
        except (InvalidTag, ValueError):
            raise IntegrityFault("A sealed file was altered or cut short.") from None
        if not following:
            return
        sealed, number = following, number + 1


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(COUNTER_BYTES) + bytes([last])
