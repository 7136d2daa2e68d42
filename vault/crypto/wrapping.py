"""Which key wraps which, and the places that the wrapped bytes are bound to.

root epoch -> key-encryption key (KEK) of the epoch -> data key of each subject
root epoch -> keys of the whole vault, signing keys
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple, TypeVar
from uuid import UUID

from vault.crypto.errors import RootKeyMissing
from vault.crypto.providers import RootKeyProvider
from vault.crypto.rows import Epoch, SigningKey, SubjectKey, VaultKey
from vault.crypto.sealing import KEY_BYTES, associated_data, new_key, open_sealed, seal
from vault.errors import IntegrityFault

REFERENCE_BYTES = 16
# How often a read is begun anew because an epoch ended under it; a lost root fails every time.
ROLL_ATTEMPTS = 5

T = TypeVar("T")


def through_a_roll(read: Callable[[], T], *, attempts: int = ROLL_ATTEMPTS) -> T:
    """Do what reads a wrapped row and unwraps it, anew when the row's epoch ended in between.

    Another process that rolls re-wraps every row before it ends the old root, so the next read finds the new one.
    Raises RootKeyMissing when the root is really not there.
    """
    for _ in range(attempts - 1):
        try:
            return read()
        except RootKeyMissing:
            continue
    return read()


class DataKey(NamedTuple):
    """A subject's own randomness: the key, and the reference that the audit log knows the subject by."""

    key: bytes
    reference: bytes


def new_data_key() -> DataKey:
    return DataKey(new_key(), os.urandom(REFERENCE_BYTES))


def wrap_data_key(data_key: DataKey, *, subject: bytes, epoch: int, kek: bytes) -> SubjectKey:
    """Wrapped so that it opens only for this subject and epoch."""
    wrapped = seal(data_key.key + data_key.reference, key=kek, context=_data_key_context(subject, epoch))
    return SubjectKey(subject, epoch, wrapped)


def unwrap_data_key(row: SubjectKey, *, kek: bytes) -> DataKey:
    """Raises IntegrityFault, naming the subject, when the row was altered or moved."""
    try:
        opened = open_sealed(row.wrapped, key=kek, context=_data_key_context(row.subject, row.epoch))
    except IntegrityFault:
        subject = UUID(bytes=row.subject)
        raise IntegrityFault("A subject's key does not open where it stands.", subject=subject) from None
    return DataKey(opened[:KEY_BYTES], opened[KEY_BYTES:])


def new_kek(root: RootKeyProvider, epoch: int) -> tuple[bytes, bytes]:
    """A fresh key-encryption key, plain and wrapped."""
    kek = new_key()
    return kek, root.wrap(kek, epoch=epoch, context=_kek_context(epoch))


def unwrap_kek(root: RootKeyProvider, epoch: Epoch | None) -> bytes:
    """Raises RootKeyMissing for an epoch that was destroyed or never was."""
    if epoch is None or epoch.wrapped is None:
        raise RootKeyMissing
    return root.unwrap(epoch.wrapped, epoch=epoch.number, context=_kek_context(epoch.number))


def new_vault_key(root: RootKeyProvider, name: str, epoch: int) -> VaultKey:
    return VaultKey(name, epoch, root.wrap(new_key(), epoch=epoch, context=_vault_key_context(name, epoch)))


def unwrap_vault_key(root: RootKeyProvider, row: VaultKey) -> bytes:
    return root.unwrap(row.wrapped, epoch=row.epoch, context=_vault_key_context(row.name, row.epoch))


def rewrap_vault_key(root: RootKeyProvider, row: VaultKey, epoch: int) -> VaultKey:
    wrapped = _rewrap(
        root, row.wrapped, row.epoch, epoch, lambda number: _vault_key_context(row.name, number)
    )
    return row._replace(epoch=epoch, wrapped=wrapped)


def wrap_signing_key(
    root: RootKeyProvider, *, key_id: str, public: bytes, private: bytes, epoch: int
) -> SigningKey:
    wrapped = root.wrap(private, epoch=epoch, context=signing_key_context(key_id, epoch))
    return SigningKey(key_id, public, epoch, wrapped)


def rewrap_signing_key(root: RootKeyProvider, row: SigningKey, epoch: int) -> SigningKey:
    """The key that signs, under the root of `epoch`; a retired one has nothing to wrap and stays as it is."""
    if row.wrapped is None:
        return row
    wrapped = _rewrap(
        root, row.wrapped, row.epoch, epoch, lambda number: signing_key_context(row.key_id, number)
    )
    return row._replace(epoch=epoch, wrapped=wrapped)


def signing_key_context(key_id: str, epoch: int) -> bytes:
    return associated_data(what="signing key", name=key_id, epoch=epoch)


def _rewrap(
    root: RootKeyProvider, wrapped: bytes, old: int, new: int, context: Callable[[int], bytes]
) -> bytes:
    return root.rewrap(wrapped, old_epoch=old, old_context=context(old), epoch=new, context=context(new))


def _data_key_context(subject: bytes, epoch: int) -> bytes:
    # Not `associated_data`, which takes half the time of a roll; all parts have a fixed length.
    return b"data key" + subject + epoch.to_bytes(8)


def _kek_context(epoch: int) -> bytes:
    return associated_data(what="key encryption key", epoch=epoch)


def _vault_key_context(name: str, epoch: int) -> bytes:
    return associated_data(what="vault key", name=name, epoch=epoch)
