"""Rolling the epoch: the living move to a new key, the old key ends, and the destroyed end with it.

Until then a destroyed data key may still stand, wrapped, in an old copy of the keystore or in blocks that
the disk has not used again. Each step commits by itself and can be repeated, so that a process may be
killed at any point: the next roll first finishes what was left, and nothing is ended before every living
key was read back under the new one. Two processes may roll at once; they help each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from vault.crypto.errors import EpochOvertaken, KeystoreFault
from vault.crypto.keystore import now
from vault.crypto.providers import RootKeyProvider
from vault.crypto.rows import Rows, SubjectKey
from vault.crypto.signing import check_signing_key
from vault.crypto.store import Store
from vault.crypto.wrapping import (
    new_kek,
    rewrap_signing_key,
    rewrap_vault_key,
    through_a_roll,
    unwrap_data_key,
    unwrap_kek,
    unwrap_vault_key,
    wrap_data_key,
)

# Large enough that the commit costs little, small enough that other writers wait some hundredths of a second.
# As many rolls as may run at once; each overtakes another at most once.
OVERTAKEN_ATTEMPTS = 50
BATCH = 2000


@dataclass(frozen=True, slots=True)
class EpochRoll:
    """What a roll did. `rewrapped` counts subjects.

    `root_destroyed` is False for a root that cannot end an epoch: then old copies of the keystore have to be
    deleted as well before what was destroyed is irrecoverable.
    """

    old_epoch: int
    new_epoch: int
    rewrapped: int
    irrecoverable_at: datetime
    root_destroyed: bool


def roll_epoch(
    store: Store, root: RootKeyProvider, *, before_destroy: Callable[[], None] | None = None
) -> EpochRoll:
    """Move every living key to a new epoch and end the old one.

    `before_destroy` runs when all have moved and the old epoch still lives: the moment to copy the keystore,
    because older copies are of no use afterwards. If it raises, the old epoch lives until the next roll.
    """
    return through_a_roll(lambda: _roll_once(store, root, before_destroy), attempts=OVERTAKEN_ATTEMPTS)


def _roll_once(store: Store, root: RootKeyProvider, before_destroy: Callable[[], None] | None) -> EpochRoll:
    _finish_earlier(store, root, before_destroy)
    old, new = _begin(store, root)
    return _complete(store, root, old, new, before_destroy)


def _finish_earlier(store: Store, root: RootKeyProvider, before_destroy: Callable[[], None] | None) -> None:
    with store.reading() as rows:
        current, left = rows.current_epoch(), rows.retiring_epochs()
    if current is None:
        raise KeystoreFault
    for epoch in left:
        _complete(store, root, epoch, current.number, before_destroy)


def _begin(store: Store, root: RootKeyProvider) -> tuple[int, int]:
    """From this commit on, new subjects are wrapped under the new epoch."""
    with store.writing() as rows:
        current = rows.current_epoch()
        if current is None:
            raise KeystoreFault
        old, new = current.number, current.number + 1
        # Killed between here and the commit, the next roll takes the same number and finds its root made.
        root.new_epoch(new)
        _, wrapped = new_kek(root, new)
        rows.begin_epoch(new, wrapped, now())
    return old, new


def _complete(
    store: Store,
    root: RootKeyProvider,
    old: int,
    new: int,
    before_destroy: Callable[[], None] | None,
) -> EpochRoll:
    moved = _move_subjects(store, root, old, new)
    _move_vault_keys(store, root, old, new)
    _read_back(store, root, new)
    if before_destroy is not None:
        before_destroy()
    ended_at = _end(store, root, old)
    return EpochRoll(old, new, moved, ended_at, root.destroys_epochs)


def _move_subjects(store: Store, root: RootKeyProvider, old: int, new: int) -> int:
    moved, after = 0, b""
    keks: tuple[bytes, bytes] | None = None
    while True:
        # Read and written in one transaction, so that a subject destroyed meanwhile is not brought back.
        with store.writing() as rows:
            _require_current(rows, new)
            batch = rows.subject_keys_under(old, after=after, limit=BATCH)
            if not batch:
                return moved
            # Only now, with keys left to move, is it sure that no other process has ended the old epoch.
            keks = keks or (unwrap_kek(root, rows.epoch(old)), unwrap_kek(root, rows.epoch(new)))
            rows.replace_subject_keys([_moved(row, *keks, new) for row in batch])
        moved, after = moved + len(batch), batch[-1].subject


def _require_current(rows: Rows, new: int) -> None:
    """Raise EpochOvertaken unless `new` is still the newest epoch.

    Another roll may have begun since, and ends `new` once it has found it empty: a key moved there after that
    would be lost with it.
    """
    current = rows.current_epoch()
    if current is None or current.number != new:
        raise EpochOvertaken


def _moved(row: SubjectKey, old_kek: bytes, kek: bytes, epoch: int) -> SubjectKey:
    data_key = unwrap_data_key(row, kek=old_kek)
    return wrap_data_key(data_key, subject=row.subject, epoch=epoch, kek=kek)


def _move_vault_keys(store: Store, root: RootKeyProvider, old: int, new: int) -> None:
    with store.writing() as rows:
        _require_current(rows, new)
        for key in rows.vault_keys():
            if key.epoch == old:
                rows.put_vault_key(rewrap_vault_key(root, key, new))
        for signing_key in rows.signing_keys():
            if signing_key.epoch == old:
                rows.rewrap_signing_key(rewrap_signing_key(root, signing_key, new))


def _read_back(store: Store, root: RootKeyProvider, epoch: int) -> None:
    """Raise unless every key under `epoch` opens: what follows cannot be undone."""
    with store.reading() as rows:
        kek = unwrap_kek(root, rows.epoch(epoch))
        vault_keys, signing_keys = rows.vault_keys(), rows.signing_keys()
    for row in _subject_keys(store, epoch):
        unwrap_data_key(row, kek=kek)
    for key in vault_keys:
        unwrap_vault_key(root, key)
    for signing_key in signing_keys:
        check_signing_key(root, signing_key)


def _subject_keys(store: Store, epoch: int) -> Iterator[SubjectKey]:
    after = b""
    while True:
        with store.reading() as rows:
            batch = rows.subject_keys_under(epoch, after=after, limit=BATCH)
        if not batch:
            return
        yield from batch
        after = batch[-1].subject


def _end(store: Store, root: RootKeyProvider, epoch: int) -> datetime:
    with store.reading() as rows:
        if rows.rows_under(epoch):
            raise KeystoreFault("Keys are left under the epoch that was to end; it was not ended.")
    # The root first: killed in between, the keystore still says "retiring" and the next roll repeats this.
    root.destroy(epoch)
    with store.writing() as rows:
        rows.end_epoch(epoch, now())
        ended = rows.epoch(epoch)
    if ended is None or ended.destroyed_at is None:
        raise KeystoreFault
    return datetime.fromisoformat(ended.destroyed_at)
