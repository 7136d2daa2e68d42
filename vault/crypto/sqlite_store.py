"""The embedded keystore: one SQLite file that forgets what is deleted, and one beside it for the witnesses.

Keys are never in a write-ahead log, which would keep old pages: they use a rollback journal that is removed
at each commit, with secure_delete, which overwrites what is deleted. The witnesses are no secret and are
written at every change of a memory, so they have their own file, with a write-ahead log: 15 microseconds
instead of 400 for an upsert, and no reader of keys ever waits for them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vault.crypto.connections import Connections
from vault.crypto.errors import KeystoreUnavailable
from vault.crypto.private_files import create_private, require_owner_only
from vault.crypto.rows import INDEXES, TABLES, WITNESS_TABLES, Rows, Value
from vault.crypto.store import Store

LOCK_TIMEOUT_SECONDS = 30.0


class SqliteStore(Store):
    """A keystore in the SQLite file at `path`; raises KeystoreExposed if others may read it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._witness_path = witness_path(path)
        self._keys = Connections(self._connect_keys)
        self._witnesses = Connections(self._connect_witnesses)

    def exists(self) -> bool:
        return self._path.exists()

    def create(self) -> None:
        create_private(self._path)
        with self.writing() as rows:
            _create_tables(rows, TABLES)
            for statement in INDEXES:
                rows.run(statement)

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        with _translated(), self._keys.borrow() as connection:
            yield _rows(connection)

    @contextmanager
    def writing(self) -> Iterator[Rows]:
        with _translated(), self._keys.borrow() as connection:
            # A block that raises has its connection closed, which rolls back.
            connection.execute("BEGIN IMMEDIATE")
            yield _rows(connection)
            connection.execute("COMMIT")

    @contextmanager
    def witnessing(self) -> Iterator[Rows]:
        with _translated(), self._witnesses.borrow() as connection:
            yield _rows(connection)

    def close(self) -> None:
        self._keys.close()
        self._witnesses.close()

    def _connect_keys(self) -> sqlite3.Connection:
        connection = _connect(self._path)
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        # A large transaction stays in memory until it commits, so that readers go on meanwhile.
        connection.execute("PRAGMA cache_spill = OFF")
        return connection

    def _connect_witnesses(self) -> sqlite3.Connection:
        create_private(self._witness_path)
        connection = _connect(self._witness_path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _create_tables(_rows(connection), WITNESS_TABLES)
        return connection


def witness_path(path: Path) -> Path:
    """Where the witnesses of the keystore at `path` are."""
    return path.with_name(path.name + ".witness")


def _connect(path: Path) -> sqlite3.Connection:
    try:
        require_owner_only(path)
    except FileNotFoundError:
        raise KeystoreUnavailable from None
    # Autocommit; the pool gives a connection to one thread at a time.
    connection = sqlite3.connect(
        path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _rows(connection: sqlite3.Connection) -> Rows:
    def execute(sql: str, values: Sequence[Value]) -> Sequence[Sequence[Any]]:
        return connection.execute(sql, values).fetchall()

    def execute_many(sql: str, values: Sequence[Sequence[Value]]) -> None:
        connection.executemany(sql, values)

    return Rows(execute, execute_many)


def _create_tables(rows: Rows, tables: Mapping[str, str]) -> None:
    for name, columns in tables.items():
        rows.run(f"CREATE TABLE IF NOT EXISTS {name} ({columns.format(bytes='BLOB')}) WITHOUT ROWID")


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise KeystoreUnavailable from error
