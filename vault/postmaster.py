"""Which server runs on a data folder, told by `postmaster.pid`, whatever state that file was left in.

The file outlives a server that was killed, may be half written, and its number may meanwhile be another process's.
So it is believed only about a process that is a PostgreSQL of this very folder.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import psutil

POLL_SECONDS = 0.2
# The lines of a whole file: pid, folder, time, port, socket folder, host, shared memory, status.
SOCKET_LINE, STATUS_LINE = 4, 7


@dataclass(frozen=True, slots=True)
class Postmaster:
    pid: int
    socket_folder: str
    is_ready: bool


def postmaster_of(folder: Path) -> Postmaster | None:
    """The server that runs on a folder, ready or still starting; None when there is none."""
    lines = _lines(folder)
    pid = _number(lines)
    if pid is None or not _serves(pid, folder):
        return None
    status = lines[STATUS_LINE].strip() if len(lines) > STATUS_LINE else ""
    where = lines[SOCKET_LINE].strip() if len(lines) > SOCKET_LINE else ""
    return Postmaster(pid, where, is_ready=status == "ready" and bool(where))


def ready_postmaster(folder: Path, *, patience_seconds: float) -> Postmaster | None:
    """The same, once it is ready; None when it has ended or is not ready in time."""
    deadline = time.monotonic() + patience_seconds
    while (found := postmaster_of(folder)) is not None and not found.is_ready:
        if time.monotonic() >= deadline:
            return None
        time.sleep(POLL_SECONDS)
    return found


def forget_dead_postmaster(folder: Path) -> None:
    """Remove a `postmaster.pid` that no server of this folder stands behind, and that would keep one from starting.

    Two servers are not the price: PostgreSQL looks for the folder's shared memory too.
    """
    if postmaster_of(folder) is None:
        (folder / "postmaster.pid").unlink(missing_ok=True)


def _lines(folder: Path) -> list[str]:
    try:
        return (folder / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []


def _number(lines: list[str]) -> int | None:
    """The process in the first line; PostgreSQL writes it negative for a server without clients."""
    digits = lines[0].strip().removeprefix("-") if lines else ""
    # More digits than any process has would not fit the system's call.
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def _serves(pid: int, folder: Path) -> bool:
    try:
        process = psutil.Process(pid)
        return (
            process.status() != psutil.STATUS_ZOMBIE
            and process.name() == "postgres"
            and str(folder.resolve()) in process.cmdline()
        )
    except psutil.Error:
        return False
