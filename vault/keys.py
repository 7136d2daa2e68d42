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
