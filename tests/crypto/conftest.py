"""Vaults to test with: on an SQLite file, and on PostgreSQL, in a database of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.crypto.fakes import FakeKms
from vault.crypto import FileRootKey, KeyVault, open_vault
from vault.crypto.postgres_store import PostgresStore
from vault.crypto.rows import TABLES, WITNESS_TABLES, Rows
from vault.crypto.sqlite_store import SqliteStore
from vault.crypto.store import Store

KEYSTORE_DATABASE = f"keystore_test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"


@pytest.fixture(scope="session")
def postgres_keystore(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database for keys: the one that TEST_KEYSTORE_URL names, or one made for this run."""
    if given := os.environ.get("TEST_KEYSTORE_URL"):
        yield given
        return
    owner = request.getfixturevalue("owner_database_url")
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {KEYSTORE_DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {KEYSTORE_DATABASE}")
    yield urlunsplit(urlsplit(owner)._replace(path=f"/{KEYSTORE_DATABASE}"))
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {KEYSTORE_DATABASE} WITH (FORCE)")


@pytest.fixture
def emptied_postgres(postgres_keystore: str) -> str:
    with psycopg.connect(postgres_keystore, autocommit=True) as connection:
        for table in (*TABLES, *WITNESS_TABLES):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    return postgres_keystore


@pytest.fixture
def keystore_path(tmp_path: Path) -> Path:
    return tmp_path / "keystore" / "keystore.sqlite3"


@pytest.fixture(params=["sqlite", "postgres"])
def keystore(request: pytest.FixtureRequest, keystore_path: Path) -> str:
    """Where a keystore may be made, on each of the two databases."""
    if request.param == "postgres":
        return str(request.getfixturevalue("emptied_postgres"))
    return str(keystore_path)


@pytest.fixture
def store(keystore: str) -> Iterator[Store]:
    """The same database as the vault's, for a look behind it."""
    opened = PostgresStore(keystore) if "://" in keystore else SqliteStore(Path(keystore))
    yield opened
    opened.close()


@pytest.fixture
def kms() -> FakeKms:
    return FakeKms()


@pytest.fixture
def vault(keystore: str, kms: FakeKms) -> Iterator[KeyVault]:
    """A new vault, once on each database."""
    opened = open_vault(keystore=keystore, root=kms, create=True)
    yield opened
    opened.close()


@pytest.fixture
def root_path(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "root_key"


@pytest.fixture
def file_vault(keystore_path: Path, root_path: Path) -> Iterator[KeyVault]:
    """A new vault as on one machine: an SQLite file and a root key file."""
    opened = open_vault(keystore=keystore_path, root=FileRootKey(root_path, create=True), create=True)
    yield opened
    opened.close()


@pytest.fixture
def make_subjects() -> Callable[[KeyVault, int], list[UUID]]:
    def make(vault: KeyVault, count: int) -> list[UUID]:
        subjects = [uuid4() for _ in range(count)]
        for subject in subjects:
            vault.create_subject(subject)
        return subjects

    return make


@pytest.fixture
def wrapped_key() -> Callable[[Store, UUID], bytes]:
    def read(store: Store, subject: UUID) -> bytes:
        rows: Rows
        with store.reading() as rows:
            found = rows.subject_key(subject)
        assert found is not None
        return found.wrapped

    return read
