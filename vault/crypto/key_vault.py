"""The facade: everything that the rest of the vault may ask of keys."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NoReturn
from uuid import UUID

from vault.crypto import copying, fingerprints, rolling, sealing, streams
from vault.crypto.errors import KeyMissing, KeystoreFault, KeystoreMissing
from vault.crypto.keystore import Destruction, Keystore
from vault.crypto.manifest import Witness
from vault.crypto.postgres_store import PostgresStore
from vault.crypto.providers import RootKeyProvider
from vault.crypto.rolling import EpochRoll
from vault.crypto.rows import EpochState, SubjectKey
from vault.crypto.signing import Signer
from vault.crypto.sqlite_store import SqliteStore
from vault.crypto.store import Store
from vault.crypto.subject_keys import SubjectKeys
from vault.crypto.wrapping import through_a_roll
from vault.errors import IntegrityFault, KeyDestroyed

# A rotation of 384 dimensions is 0.6 MB, so a full cache is about 80 MB.
MAX_CACHED_SUBJECTS = 128
POSTGRES_SCHEMES = ("postgresql://", "postgres://")
FILE_KEY_LENGTH_BYTES = 2


class KeyVault:
    """All keys of one vault, for every thread of this process; forked children may go on with it.

    The keystore is asked at every call: a key that another process destroyed is gone at once.
    """

    def __init__(self, *, store: Store, root: RootKeyProvider) -> None:
        self._store = store
        self._root = root
        self._keystore = Keystore(store, root)
        self._vault_keys = through_a_roll(self._keystore.vault_keys)
        self._cache: OrderedDict[UUID, tuple[SubjectKey, SubjectKeys]] = OrderedDict()
        self._cached_epoch = 0
        self._lock = threading.Lock()

    # --- subjects ---
    def reference_hash(self, external_id: str) -> bytes:
        """The 32-byte lookup digest of a caller's subject id: exact, case-sensitive, over NFC."""
        return fingerprints.identity_digest(self._vault_keys["subject reference"], external_id)

    def visitor_hash(self, value: str) -> bytes:
        """The 32-byte lookup digest of a visitor."""
        return fingerprints.identity_digest(self._vault_keys["visitor"], value)

    def token_hash(self, token: str) -> bytes:
        """The 32-byte digest under which a credential is kept."""
        return fingerprints.keyed_digest(self._vault_keys["token"], token)

    def create_subject(self, subject_id: UUID) -> None:
        """Give the subject a key; one that has a key keeps it. Raises KeyDestroyed for an erased subject."""
        self._keystore.create_subject(subject_id)

    def subject(self, subject_id: UUID) -> SubjectKeys:
        """The subject's keys, looked up anew; raises KeyDestroyed, or KeyMissing if there never were any."""
        return through_a_roll(lambda: self._subject(subject_id))

    def destroy_subject(self, subject_id: UUID) -> Destruction:
        """Make all that the subject's key sealed unreadable for ever; a second call tells of the first."""
        destruction = self._keystore.destroy_subject(subject_id)
        self._forget(subject_id)
        return destruction

    # --- the whole vault ---
    def roll_epoch(self, *, before_destroy: Callable[[], None] | None = None) -> EpochRoll:
        """Make every destruction until now irrecoverable; see `vault.crypto.rolling.roll_epoch`."""
        rolled = rolling.roll_epoch(self._store, self._root, before_destroy=before_destroy)
        self._forget_epochs_before(rolled.new_epoch)
        return rolled

    def copy_keystore(self, target: Path) -> None:
        """Write the latest backup of the keystore to `target`, in the place of the one before."""
        copying.copy_to_file(self._store, target)

    def signer(self) -> Signer:
        """The signer of now."""
        return Signer(key_id=self._keystore.signing_key_id(), store=self._store, root=self._root)

    def rotate_signing_key(self) -> Signer:
        """Retire the key that signs, its private half gone, and give the signer of the next one."""
        self._keystore.rotate_signing_key()
        return self.signer()

    def seal_system(self, plaintext: bytes, *, context: bytes) -> bytes:
        """Encrypt what belongs to no subject, bound to `context`."""
        return sealing.seal(plaintext, key=self._vault_keys["system"], context=context)

    def open_system(self, sealed: bytes, *, context: bytes) -> bytes:
        """Decrypt what `seal_system` made; raises IntegrityFault."""
        return sealing.open_sealed(sealed, key=self._vault_keys["system"], context=context)

    def seal_stream(self, source: IO[bytes], target: streams.Sink, *, context: bytes) -> None:
        """Encrypt a file that belongs to no subject, however long, bound to `context`; it outlives every roll."""
        key = sealing.new_key()
        sealed_key = self.seal_system(key, context=b"file key" + context)
        target.write(len(sealed_key).to_bytes(FILE_KEY_LENGTH_BYTES) + sealed_key)
        streams.seal_chunks(source, target, key=key, context=context)

    def open_stream(self, source: IO[bytes], *, context: bytes) -> Iterator[bytes]:
        """Decrypt what `seal_stream` made, in chunks; raises IntegrityFault, at the latest at its end."""
        sealed_key = source.read(int.from_bytes(source.read(FILE_KEY_LENGTH_BYTES)))
        key = self.open_system(sealed_key, context=b"file key" + context)
        if len(key) != sealing.KEY_BYTES:
            raise IntegrityFault
        return streams.open_chunks(source, key=key, context=context)

    def epochs(self) -> list[EpochState]:
        """Every epoch with its state and dates, the newest first."""
        with self._store.reading() as rows:
            return rows.epochs()

    def count_keys(self) -> int:
        """How many keys a roll has to wrap anew: those of living subjects and of the whole vault."""
        with self._store.reading() as rows:
            return sum(rows.rows_under(epoch.number) for epoch in rows.epochs())

    def witness_manifest(self, subject_id: UUID, sequence: int, mac: bytes) -> None:
        """Remember the head of a subject's manifest outside the database. Call it after the commit."""
        with self._store.witnessing() as rows:
            rows.put_witness(subject_id, sequence, mac)

    def witnessed_manifest(self, subject_id: UUID) -> Witness | None:
        """The newest head that was witnessed, if any."""
        with self._store.witnessing() as rows:
            found = rows.witness(subject_id)
        return Witness(*found) if found else None

    def close(self) -> None:
        """Forget what is cached and give back what is idle."""
        with self._lock:
            self._cache.clear()
        self._store.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("keys do not leave the process")

    def _subject(self, subject_id: UUID) -> SubjectKeys:
        try:
            row = self._keystore.subject_key(subject_id)
        except (KeyDestroyed, KeyMissing):
            self._forget(subject_id)
            raise
        self._forget_epochs_before(row.epoch)
        with self._lock:
            cached = self._cache.get(subject_id)
            if cached is not None and cached[0] == row:
                self._cache.move_to_end(subject_id)
                return cached[1]
        keys = SubjectKeys(subject_id, self._keystore.data_key(row))
        with self._lock:
            self._cache[subject_id] = (row, keys)
            if len(self._cache) > MAX_CACHED_SUBJECTS:
                self._cache.popitem(last=False)
        return keys

    def _forget(self, subject_id: UUID) -> None:
        with self._lock:
            self._cache.pop(subject_id, None)

    def _forget_epochs_before(self, epoch: int) -> None:
        # A roll follows destructions elsewhere: what they ended leaves the memory of this process as well.
        if epoch > self._cached_epoch:
            with self._lock:
                self._cached_epoch = max(epoch, self._cached_epoch)
                self._cache.clear()


def open_vault(*, keystore: str | Path, root: RootKeyProvider, create: bool = False) -> KeyVault:
    """Open the keystore at a path or a PostgreSQL URL; with `create`, make it on the first start.

    Raises KeystoreMissing when there is none and `create` is False, or when the root has served one before:
    an empty keystore in the place of a lost one would make everything unreadable without a word.
    """
    store = _store(keystore)
    try:
        return _opened(store, root, create=create)
    except BaseException:
        store.close()
        raise


def restore_keystore(*, copy: Path, keystore: str | Path) -> None:
    """Put a copy made by `KeyVault.copy_keystore` where there is no keystore; raises KeystoreFault."""
    store = _store(keystore)
    try:
        copying.restore_from_file(copy, store)
    finally:
        store.close()


def _opened(store: Store, root: RootKeyProvider, *, create: bool) -> KeyVault:
    epochs = (
        root.epochs()
    )  # before `exists`, so that two first starts at once do not take each other for a loss
    if not store.exists() and (epochs or not create):
        raise KeystoreMissing
    if create:
        store.create()
        Keystore(store, root).initialise()
    return KeyVault(store=store, root=root)


def _store(keystore: str | Path) -> Store:
    if isinstance(keystore, Path):
        return SqliteStore(keystore)
    if keystore.startswith(POSTGRES_SCHEMES):
        return PostgresStore(keystore)
    if "://" in keystore:
        raise KeystoreFault("A keystore is a file or a PostgreSQL URL.")
    return SqliteStore(Path(keystore))
