"""This process's KeyVault, opened once from the settings."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings

from vault import crypto
from vault.crypto.providers import FileRootKey


@cache
def key_vault() -> crypto.KeyVault:
    """The keys of this vault; raises when the keystore or the root key is missing: they are made by `up` only."""
    root = FileRootKey(Path(settings.ROOT_KEY_FILE))
    return crypto.open_vault(keystore=settings.KEYSTORE_URL, root=root)


def audit_signer() -> crypto.Signer:
    """The signer of audit checkpoints and certificates."""
    return key_vault().signer()


def roll_epoch() -> crypto.EpochRoll:
    """Roll the key epoch, renewing the keystore's backup, if there is one, before the old epoch ends.

    A copy from before a roll opens nothing afterwards; one that cannot be renewed stops the roll.
    """
    return key_vault().roll_epoch(before_destroy=_renew_copy)


def copy_keystore(target: Path) -> None:
    """Write the keystore's backup, in the place of the one before: only the latest may exist."""
    key_vault().copy_keystore(target)


def _renew_copy() -> None:
    target = Path(settings.KEYSTORE_BACKUP_FILE)
    if target.exists():
        copy_keystore(target)
