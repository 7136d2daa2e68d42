"""The witness: a file outside the database to which every checkpoint is appended, one JSON string a line.

It should lie where the owner of the database cannot write. Who rewrites or truncates the log would have
to change this file too, and everybody's copy of it.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from audit.faults import AuditError, FaultCode
from audit.tree_head import read_head

# Longer than any checkpoint, so that the last whole line is found without reading the file.
_TAIL_BYTES = 8192


def read_witness(path: Path) -> list[str]:
    """Read the checkpoints' texts in the order written; an unfinished last line was never acknowledged.

    Raises AuditError when a line is not what was written or there is no file.
    """
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        raise AuditError(FaultCode.WITNESS_MISSING, "there is no witness file") from None
    return [_read_line(line) for line in lines]


def append_to_witness(path: Path, notes_after: Callable[[int], Iterable[str]]) -> int:
    """Append what the file does not hold yet, durably; returns how many checkpoints that were.

    `notes_after(size)` gives the texts of all checkpoints larger than `size` (-1 for all), smallest first.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        # Two sealers may publish at once; the lock goes with the handle.
        fcntl.flock(handle, fcntl.LOCK_EX)
        end, last_size = _last_line(handle)
        lines = [json.dumps(note).encode() + b"\n" for note in notes_after(last_size)]
        if lines:
            os.ftruncate(handle, end)
            os.lseek(handle, end, os.SEEK_SET)
            _write_all(handle, b"".join(lines))
            os.fsync(handle)
        return len(lines)
    finally:
        os.close(handle)


def _last_line(handle: int) -> tuple[int, int]:
    """Where the last whole line ends, and the size of the checkpoint on it (-1 when there is none)."""
    length = os.fstat(handle).st_size
    start = max(0, length - _TAIL_BYTES)
    whole, newline, _ = os.pread(handle, _TAIL_BYTES, start).rpartition(b"\n")
    if not newline:
        if start:
            raise AuditError(FaultCode.WITNESS_MALFORMED, "the witness does not end in a checkpoint")
        return 0, -1
    head, _ = read_head(_read_line(whole.rpartition(b"\n")[2]))
    return start + len(whole) + 1, head.size


def _read_line(line: bytes) -> str:
    try:
        note = json.loads(line)
    except ValueError:
        note = None
    if not isinstance(note, str):
        raise AuditError(FaultCode.WITNESS_MALFORMED, "a line of the witness cannot be read")
    return note


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]
