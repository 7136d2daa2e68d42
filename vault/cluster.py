"""The files of the embedded database: made in one step, so that a start that is killed leaves all of them or none.

They are made in a folder beside and renamed when they are whole. What stands in the place and was never finished
(an older version made it there) is moved aside, not removed.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from vault import bundled
from vault.postmaster import POLL_SECONDS, postmaster_of

MARK = "made_by_memory_vault"
# PostgreSQL numbers the databases that initdb makes below this, and every later one from here on.
FIRST_OF_USERS = 16384
ENDING_SECONDS = 20.0


def ensure_cluster(folder: Path, *, say: Callable[[str], None]) -> None:
    """Make the files of a database in `folder` unless they are there. One caller at a time.

    A finished cluster is never touched: one with the mark, or with any database that initdb did not make.
    Raises OSError, or subprocess.SubprocessError when initdb fails.
    """
    _remove_unfinished(folder)
    if is_finished(folder):
        return
    if folder.exists() and any(folder.iterdir()):
        _move_aside(folder, say)
    making = Path(tempfile.mkdtemp(prefix=f"{folder.name}.making-", dir=folder.parent))
    bundled.server_of(making).ensure_pgdata_inited()
    mark_finished(making)
    making.rename(folder)
    # Were the new name lost in a power cut, the next start would take what is written from now on for unfinished.
    _sync(folder.parent)


def is_finished(folder: Path) -> bool:
    """Whether a cluster is whole, and may hold what somebody wrote."""
    return (folder / MARK).exists() or any(
        number.isdigit() and int(number) >= FIRST_OF_USERS for number in _databases(folder)
    )


def mark_finished(folder: Path) -> None:
    (folder / MARK).touch(mode=0o600)


def _databases(folder: Path) -> list[str]:
    try:
        return os.listdir(folder / "base")
    except (FileNotFoundError, NotADirectoryError):
        return []


def _remove_unfinished(folder: Path) -> None:
    """What starts that were killed left beside; an initdb that still writes there finds its folder gone and ends."""
    for left in folder.parent.glob(f"{folder.name}.making-*"):
        shutil.rmtree(left, ignore_errors=True)


def _move_aside(folder: Path, say: Callable[[str], None]) -> None:
    aside = folder.with_name(f"{folder.name}.unfinished-{time.strftime('%Y%m%dT%H%M%S')}")
    _end_whatever_runs_on(folder)
    folder.rename(aside)
    say(f"The database's files were never finished and hold no vault; moved to {aside}, made anew.")


def _end_whatever_runs_on(folder: Path) -> None:
    """Without ceremony: there is nothing to be written. Raises TimeoutError when it does not end."""
    deadline = time.monotonic() + ENDING_SECONDS
    while (server := postmaster_of(folder)) is not None:
        if time.monotonic() >= deadline:
            raise TimeoutError(f"process {server.pid} does not end")
        with suppress(ProcessLookupError):
            os.kill(server.pid, signal.SIGQUIT)
        time.sleep(POLL_SECONDS)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
