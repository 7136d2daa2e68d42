"""Files that hold keys: for the owner alone, replaced whole or not at all, overwritten when they end."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from vault.crypto.errors import KeystoreExposed

OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700
ERASE_BLOCK_BYTES = 1 << 20


def require_owner_only(path: Path) -> None:
    """Raise KeystoreExposed when anybody but the owner may read or write the file."""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise KeystoreExposed


def create_private(path: Path) -> None:
    """Make an empty file of mode 0600, and its folder of mode 0700; one that exists is left as it is."""
    path.parent.mkdir(mode=OWNER_ONLY_FOLDER, parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except FileExistsError:
        return
    _sync_folder(path.parent)


def write_private(path: Path, content: bytes) -> None:
    """Give `path` this content: after a crash the file holds the old or the new, never a part."""
    fresh = path.with_name(path.name + ".new")
    erase_file(fresh)  # left by a crash; it may hold what has ended since
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    move_private(fresh, path)


def move_private(fresh: Path, path: Path) -> None:
    """Put the synced file `fresh` in the place of `path`, and overwrite what stood there."""
    old = os.open(path, os.O_WRONLY) if path.exists() else None
    os.replace(fresh, path)
    _sync_folder(path.parent)
    if old is not None:
        # Only now: until the new file is in place for good, the old one is the only copy.
        _overwrite(old)


def erase_file(path: Path) -> None:
    """Overwrite and remove; one that is not there is no fault.

    What the device or a copy-on-write file system keeps of it below, only the end of its epoch makes useless.
    """
    try:
        _overwrite(os.open(path, os.O_WRONLY))
        path.unlink()
    except FileNotFoundError:
        return


@contextmanager
def locked(path: Path, *, shared: bool = False) -> Iterator[None]:
    """Hold the lock of `path` among all threads and processes of this machine; not re-entrant."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _overwrite(handle: int) -> None:
    with os.fdopen(handle, "wb") as stream:
        remaining = os.fstat(stream.fileno()).st_size
        while remaining > 0:
            remaining -= stream.write(bytes(min(remaining, ERASE_BLOCK_BYTES)))
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
