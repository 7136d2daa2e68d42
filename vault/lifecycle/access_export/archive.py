"""The zip file on its way into sealed parts: at no moment is it whole anywhere, in memory or on a disk."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO

PART_BYTES = 256 * 1024


class Parts:
    """What a zip file is written to: cuts it into parts, to be taken out as they fill up."""

    def __init__(self) -> None:
        self.size = 0
        self._filling = bytearray()
        self._full: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self.size += len(data)
        self._filling += data
        while len(self._filling) >= PART_BYTES:
            self._full.append(bytes(self._filling[:PART_BYTES]))
            del self._filling[:PART_BYTES]
        return len(data)

    def flush(self) -> None:
        """Nothing waits here but for its part to fill up."""

    def close(self) -> None:
        """What is left is taken with `take(last=True)`."""

    def take(self, *, last: bool = False) -> list[bytes]:
        """The parts that are full, each once; with `last` also what is left over."""
        taken, self._full = self._full, []
        if last and self._filling:
            taken.append(bytes(self._filling))
            self._filling.clear()
        return taken


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the archive as its manifest names it."""

    name: str
    size: int
    sha256: str

    def document(self) -> dict[str, str | int]:
        return {"name": self.name, "bytes": self.size, "sha256": self.sha256}


class Writing:
    """One file of the archive while it is written."""

    def __init__(self, handle: IO[bytes], name: str) -> None:
        self._handle = handle
        self._digest = hashlib.sha256()
        self._size = 0
        self.name = name

    def text(self, text: str) -> None:
        data = text.encode()
        self._digest.update(data)
        self._size += len(data)
        self._handle.write(data)

    def member(self) -> Member:
        return Member(self.name, self._size, self._digest.hexdigest())


class Archive:
    """A zip file that is written file by file; `members` are those that are finished."""

    def __init__(self, parts: Parts, moment: datetime) -> None:
        self.members: list[Member] = []
        self._zip = zipfile.ZipFile(parts, "w", zipfile.ZIP_DEFLATED)
        self._time = moment.astimezone(UTC).timetuple()[:6]

    @contextmanager
    def file(self, name: str) -> Iterator[Writing]:
        """Open the next file; it is a member once the block has ended."""
        info = zipfile.ZipInfo(name, self._time)
        info.compress_type = zipfile.ZIP_DEFLATED
        # What is inside is for whoever unpacks it, and for nobody else on that machine.
        info.external_attr = 0o600 << 16
        with self._zip.open(info, "w", force_zip64=True) as handle:
            writing = Writing(handle, name)
            yield writing
        self.members.append(writing.member())

    def close(self) -> None:
        self._zip.close()
