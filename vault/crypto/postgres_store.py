"""The keystore in a PostgreSQL of its own, never in the memory database, whose backups keep what is deleted.

PostgreSQL keeps deleted rows in its heap and log for a while; what makes them useless is the end of their
epoch, see `vault.crypto.rolling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from vault.crypto.connections import Connections
from vault.crypto.errors import KeystoreUnavailable
from vault.crypto.rows import INDEXES, TABLES, WITNESS_TABLES, Rows, Value
from vault.crypto.store import Store

# Any fixed number will do, as long as nothing else in the keystore's database locks it.
WRITER_LOCK = 0x6D76_6B65_7973
CONNECT_TIMEOUT_SECONDS = 10

Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresStore(Store):
    """A keystore in the database that `url` names, as a role that owns its tables."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._connections: Connections[Connection] = Connections(self._connect)

    def exists(self) -> bool:
        with self.reading() as rows:
            return rows.run("SELECT to_regclass('keystore_epoch')")[0][0] is not None

    def create(self) -> None:
        with self.writing() as rows:
            for name, columns in {**TABLES, **WITNESS_TABLES}.items():
                rows.run(f"CREATE TABLE IF NOT EXISTS {name} ({columns.format(bytes='BYTEA')})")
            for statement in INDEXES:
                rows.run(statement)

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        with self._borrow() as connection:
            yield _rows(connection)

    @contextmanager
    def writing(self) -> Iterator[Rows]:
        with self._borrow() as connection, connection.transaction():
            connection.execute("SET LOCAL synchronous_commit = on")
            connection.execute("SET LOCAL client_min_messages = warning")
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
            yield _rows(connection)

    @contextmanager
    def witnessing(self) -> Iterator[Rows]:
        with self._borrow() as connection:
            yield _rows(connection)

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def _borrow(self) -> Iterator[Connection]:
        try:
            with self._connections.borrow() as connection:
                yield connection
        except psycopg.Error as error:
            # After a restart of the server every idle connection is dead; the next call begins anew.
            self._connections.close()
            raise KeystoreUnavailable from error

    def _connect(self) -> Connection:
        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS)
        # For the witnesses; `writing` turns it on again for everything that concerns a key.
        connection.execute("SET synchronous_commit = off")
        return connection


def _rows(connection: Connection) -> Rows:
    def execute(sql: str, values: Sequence[Value]) -> Sequence[Sequence[Any]]:
        cursor = connection.execute(_statement(sql), values)
        return cursor.fetchall() if cursor.description else []

    def execute_many(sql: str, values: Sequence[Sequence[Value]]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(_statement(sql), values)

    return Rows(execute, execute_many)


def _statement(sql: str) -> bytes:
    return sql.replace("?", "%s").encode("ascii")
