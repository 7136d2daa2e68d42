"""A vault for the length of a measurement: a database and keys of its own, gone afterwards.

So that `evaluate` and `bench` run the real pipeline on the real server and leave no trace in anybody's data.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from vault.crypto import FileRootKey, open_vault
from vault.database import OWNER
from vault.keys import key_vault

ALIASES = ("default", OWNER)


@contextmanager
def scratch_vault() -> Iterator[None]:
    """An empty, migrated vault in the place of the configured one, for this process and until the block ends."""
    name = f"vault_scratch_{secrets.token_hex(6)}"
    home_database = str(connections[OWNER].settings_dict["NAME"])
    _as_owner(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        _point_to(name)
        call_command("migrate", database=OWNER, verbosity=0, interactive=False)
        with tempfile.TemporaryDirectory(prefix="vault-scratch-") as folder, _own_keys(Path(folder)):
            yield
    finally:
        _point_to(home_database)
        _as_owner(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _as_owner(statement: sql.Composed) -> None:
    with connections[OWNER].cursor() as cursor:
        cursor.execute(statement)
    connections[OWNER].close()


def _point_to(database: str) -> None:
    for alias in ALIASES:
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = database


@contextmanager
def _own_keys(folder: Path) -> Iterator[None]:
    kept = settings.KEYSTORE_URL, settings.ROOT_KEY_FILE, settings.KEYSTORE_BACKUP_FILE
    settings.KEYSTORE_URL, settings.ROOT_KEY_FILE = str(folder / "keystore.sqlite3"), str(folder / "root_key")
    settings.KEYSTORE_BACKUP_FILE = str(folder / "copy.sqlite3")
    root = FileRootKey(folder / "root_key", create=True)
    open_vault(keystore=settings.KEYSTORE_URL, root=root, create=True).close()
    key_vault.cache_clear()
    try:
        yield
    finally:
        key_vault().close()
        settings.KEYSTORE_URL, settings.ROOT_KEY_FILE, settings.KEYSTORE_BACKUP_FILE = kept
        key_vault.cache_clear()
