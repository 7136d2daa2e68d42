"""Who holds a home: one vault at a time, by locks of the operating system.

A lock is gone with the process that holds it, however that ends, so a vault that was killed never blocks the next
one. The road not taken: a file with a process's number, which outlives the process and may fit another one later.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from vault.home import Home, UnusableHome, require_folder

# Longer than a supervisor gives its own programs to end (vault.supervisor).
ENDING_SECONDS = 20.0
POLL_SECONDS = 0.2
PROC = Path("/proc")
DOES = {"up": "A vault runs from", "restore": "A restore runs on"}


class Occupied(Exception):
    """Somebody holds the home; the text is one line for the operator and holds no secret."""


@contextmanager
def occupied(home: Home, *, act: str, port: int | None = None) -> Iterator[None]:
    """Hold the home alone for the length of a block. Raises Occupied at once when somebody else does.

    The file in `locks/` says who, and can be removed as one of no worth; the folder itself is locked too.
    """
    require_folder(home)
    folder = os.open(home.path, os.O_RDONLY | os.O_DIRECTORY)
    handle = None
    try:
        handle = _open(home.locks / "vault")
        if not (_try_exclusive_folder(folder) and _try_exclusive(handle)):
            raise Occupied(_who(home, _read(handle)))
        os.truncate(handle, 0)
        os.pwrite(handle, json.dumps({"act": act, "pid": os.getpid(), "port": port}).encode(), 0)
        yield
    finally:
        # The file stays: to remove one that somebody else has just opened would make two locks of it.
        for opened in (handle, folder):
            if opened is not None:
                os.close(opened)


def require_no_orphans(
    home: Home, *, say: Callable[[str], None], patience_seconds: float = ENDING_SECONDS
) -> None:
    """Wait for the programs of a supervisor that was killed. Raises Occupied when they have not ended in time."""
    handle = _open(home.locks / "programs")
    try:
        deadline = time.monotonic() + patience_seconds
        if _try_exclusive(handle):
            return
        say("The vault that ran here was killed; waiting for its last processes to end.")
        while not _try_exclusive(handle):
            if time.monotonic() >= deadline:
                pids = ", ".join(map(str, _holders(home.locks / "programs"))) or "not known"
                raise Occupied(
                    f"Processes of a vault that was killed still run from {home.path}: {pids}. End them first."
                )
            time.sleep(POLL_SECONDS)
    finally:
        os.close(handle)


@contextmanager
def held_by_programs(home: Home) -> Iterator[int]:
    """A descriptor for the supervisor's programs to inherit: while one of them lives, `require_no_orphans` knows."""
    handle = _open(home.locks / "programs")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def use_database(home: Home) -> Callable[[], bool]:
    """Count this process among those that use the embedded database, until it ends; waits while it is being stopped.

    The answer says, when called, whether nobody else uses it: then it may be stopped, and who comes next waits. Who
    asks gives its own place up, so of two that leave at once one is the last. What is locked is the folder of the keys:
    nobody removes that for tidiness.
    """
    home.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(home.keys, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(handle, fcntl.LOCK_SH)
    return lambda: _try_exclusive(handle)


@contextmanager
def starts_database(home: Home) -> Iterator[None]:
    """Be the only one that makes or starts the embedded database, for the length of a block; waits for others."""
    handle = _open(home.locks / "start")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    """A lock's own file. Raises UnusableHome for anything else in its place: through a link a stranger's is emptied."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as fault:
        raise UnusableHome(f"{path} cannot be used as a lock ({fault.strerror}); remove it.") from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UnusableHome(f"{path} cannot be used as a lock (not a file); remove it.")
    return handle


def _try_exclusive_folder(handle: int) -> bool:
    """The same for a folder; some file systems of a network lock none: there the file alone has to do."""
    try:
        return _try_exclusive(handle)
    except OSError:
        return True


def _try_exclusive(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(handle: int) -> dict[str, object]:
    """What the holder wrote about itself; empty when it has not come to that yet."""
    try:
        said = json.loads(os.pread(handle, 1000, 0))
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _who(home: Home, holder: dict[str, object]) -> str:
    # The file that said so may have been removed.
    pids = [holder["pid"]] if "pid" in holder else _holders(home.path)
    pid, port = ", ".join(map(str, pids)) or "not known", holder.get("port")
    at = f", port {port}" if port else ""
    does = DOES.get(str(holder.get("act")), "Somebody works on")
    return (
        f"{does} {home.path} already: process {pid}{at}. "
        "Stop it first, or name another home with VAULT_HOME; nothing was changed."
    )


def _holders(path: Path) -> list[int]:
    """The other processes that have a file open, as far as the system tells and may be asked."""
    found = set()
    for entry in PROC.glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if entry.readlink() == path and int(entry.parts[2]) != os.getpid():
                found.add(int(entry.parts[2]))
    return sorted(found)
