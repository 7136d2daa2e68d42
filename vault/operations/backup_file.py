"""The format of a backup: a first line, a manifest in clear, and a sealed stream that is bound to both.

memory-vault backup 1\\n | length of the manifest (4 bytes) | manifest (JSON) | sealed dump
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from vault.crypto.streams import Sink
from vault.errors import IntegrityFault
from vault.keys import key_vault

MAGIC = b"memory-vault backup 1\n"
LENGTH_BYTES = 4
MAX_MANIFEST_BYTES = 1 << 20


class NotABackup(IntegrityFault):
    code = "not_a_backup"
    detail = "This is not a backup of a vault, or it was altered."


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds, without a word about anybody: times, versions, counts, and the audit log's head."""

    made_at: str
    server_version: int
    migrations: Mapping[str, str]
    rows: Mapping[str, int]
    audit_size: int
    audit_root: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def write_backup(manifest: Manifest, dump: IO[bytes], target: Sink) -> None:
    """Seal a dump, with its manifest before it."""
    text = json.dumps(manifest.as_json(), sort_keys=True).encode()
    head = MAGIC + len(text).to_bytes(LENGTH_BYTES) + text
    target.write(head)
    key_vault().seal_stream(dump, target, context=head)


def read_manifest(path: Path) -> Manifest:
    """The manifest as it stands there; it is proved only by reading the whole file. Raises NotABackup."""
    with path.open("rb") as source:
        return _head(source)[1]


def read_dump(path: Path) -> Iterator[bytes]:
    """The dump in chunks; raises IntegrityFault unless file and manifest are what this vault sealed."""
    with path.open("rb") as source:
        head, _ = _head(source)
        yield from key_vault().open_stream(source, context=head)


def require_whole(path: Path) -> None:
    """Read the whole file once; raises IntegrityFault unless it is what this vault sealed."""
    for _ in read_dump(path):
        continue


def digest_of(path: Path) -> str:
    """The file's SHA-256, in hex."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _head(source: IO[bytes]) -> tuple[bytes, Manifest]:
    start = source.read(len(MAGIC) + LENGTH_BYTES)
    length = int.from_bytes(start[len(MAGIC) :])
    if not start.startswith(MAGIC) or length > MAX_MANIFEST_BYTES:
        raise NotABackup
    text = source.read(length)
    try:
        return start + text, Manifest(**json.loads(text))
    except (ValueError, TypeError):
        raise NotABackup from None
