"""The keystore: which subjects have a key, which had one, and the keys of the whole vault."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from vault.crypto.errors import KeyMissing, KeystoreFault, KeystoreMissing
from vault.crypto.providers import RootKeyProvider
from vault.crypto.rows import Rows, SubjectKey, Tombstone
from vault.crypto.signing import new_signing_key
from vault.crypto.store import Store
from vault.crypto.wrapping import (
    DataKey,
    new_data_key,
    new_kek,
    new_vault_key,
    unwrap_data_key,
    unwrap_kek,
    unwrap_vault_key,
    wrap_data_key,
)
from vault.errors import KeyDestroyed

FIRST_EPOCH = 1
VAULT_KEY_NAMES = ("subject reference", "visitor", "token", "system")


@dataclass(frozen=True, slots=True)
class Destruction:
    """When a subject's key went, and the epoch whose end makes it irrecoverable, from old copies as well.

    `irrecoverable_at` is None until that epoch has ended.
    """

    unreadable_at: datetime
    epoch: int
    irrecoverable_at: datetime | None = None


class Keystore:
    """The rows of one store, opened with one root."""

    def __init__(self, store: Store, root: RootKeyProvider) -> None:
        self._store = store
        self._root = root
        self._newest: tuple[int, bytes] = (0, b"")

    def initialise(self) -> None:
        """Make what is not there yet: the first epoch, the vault's keys, the first signing key."""
        with self._store.writing() as rows:
            current = rows.current_epoch()
            epoch = current.number if current else self._first_epoch(rows)
            known = {row.name for row in rows.vault_keys()}
            for name in VAULT_KEY_NAMES:
                if name not in known:
                    rows.put_vault_key(new_vault_key(self._root, name, epoch))
            if not rows.signing_keys():
                rows.add_signing_key(new_signing_key(self._root, epoch), now())

    def vault_keys(self) -> dict[str, bytes]:
        """The keys of the whole vault; raises when keystore and root do not belong together."""
        with self._store.reading() as rows:
            found = rows.vault_keys()
            unwrap_kek(self._root, rows.current_epoch())
        keys = {row.name: unwrap_vault_key(self._root, row) for row in found}
        if not set(VAULT_KEY_NAMES) <= set(keys):
            raise KeystoreFault("The keystore is not complete.")
        return keys

    def create_subject(self, subject: UUID) -> None:
        """Give the subject a key unless it has one; raises KeyDestroyed if it ever had one destroyed."""
        with self._store.reading() as rows:
            if rows.subject_key(subject):
                return
        with self._store.writing() as rows:
            if rows.tombstone(subject):
                raise KeyDestroyed
            if rows.subject_key(subject):
                return
            current = rows.current_epoch()
            if current is None:
                raise KeystoreFault
            kek = self._kek(rows, current.number)
            rows.add_subject_key(
                wrap_data_key(new_data_key(), subject=subject.bytes, epoch=current.number, kek=kek)
            )

    def subject_key(self, subject: UUID) -> SubjectKey:
        """The subject's wrapped key as it stands now; raises KeyDestroyed or KeyMissing."""
        with self._store.reading() as rows:
            found = rows.subject_key(subject)
            if found is not None:
                return found
            destroyed = rows.tombstone(subject)
        raise KeyDestroyed if destroyed else KeyMissing

    def data_key(self, row: SubjectKey) -> DataKey:
        """Unwrap a row; raises RootKeyMissing when its epoch has ended since it was read."""
        with self._store.reading() as rows:
            kek = self._kek(rows, row.epoch)
        return unwrap_data_key(row, kek=kek)

    def destroy_subject(self, subject: UUID) -> Destruction:
        """Remove the subject's key, for ever; a second call tells of the first.

        A subject without a key is marked too, so that it never gets one.
        """
        with self._store.writing() as rows:
            tombstone = rows.tombstone(subject) or _bury(rows, subject)
            ended = rows.epoch(tombstone.epoch)
        with self._store.witnessing() as rows:
            rows.remove_witness(subject)
        irrecoverable = ended.destroyed_at if ended else None
        return Destruction(
            unreadable_at=datetime.fromisoformat(tombstone.destroyed_at),
            epoch=tombstone.epoch,
            irrecoverable_at=datetime.fromisoformat(irrecoverable) if irrecoverable else None,
        )

    def rotate_signing_key(self) -> None:
        """Let a new key sign from now on, and forget the private half of the old one."""
        with self._store.writing() as rows:
            current = rows.current_epoch()
            if current is None:
                raise KeystoreFault
            rows.add_signing_key(new_signing_key(self._root, current.number), now())

    def signing_key_id(self) -> str:
        """The id of the key that signs now."""
        with self._store.reading() as rows:
            return next(row.key_id for row in rows.signing_keys() if row.wrapped is not None)

    def _first_epoch(self, rows: Rows) -> int:
        # An interrupted first start leaves a root of the first epoch; any other root has served a keystore.
        if not set(self._root.epochs()) <= {FIRST_EPOCH}:
            raise KeystoreMissing
        self._root.new_epoch(FIRST_EPOCH)
        _, wrapped = new_kek(self._root, FIRST_EPOCH)
        rows.begin_epoch(FIRST_EPOCH, wrapped, now())
        return FIRST_EPOCH

    def _kek(self, rows: Rows, epoch: int) -> bytes:
        newest, kek = self._newest
        if newest == epoch:
            return kek
        kek = unwrap_kek(self._root, rows.epoch(epoch))
        # Only the newest is kept: the key of an epoch that ends leaves the memory of this process too.
        if epoch > newest:
            self._newest = (epoch, kek)
        return kek


def now() -> str:
    """The present instant, as the keystore writes it."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _bury(rows: Rows, subject: UUID) -> Tombstone:
    key = rows.subject_key(subject)
    current = rows.current_epoch()
    epoch = key.epoch if key else current.number if current else FIRST_EPOCH
    tombstone = Tombstone(epoch, now())
    rows.remove_subject_key(subject)
    rows.add_tombstone(subject, tombstone)
    return tombstone
