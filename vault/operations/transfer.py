"""Taking an unpacked backup over into the vault: in one transaction of the owner's, with everybody else locked out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql

from vault.database import SCHEMA
from vault.operations.tables import SUBJECTS, Tables

LOCK_SECONDS = 30
Source = psycopg.Connection[tuple[Any, ...]]


@contextmanager
def alone_with(tables: Tables) -> Iterator[None]:
    """Keep everybody else off these tables until the transaction ends, and their forced policies off the owner.

    The subjects first: every writer locks its subject before anything else, so nobody is met half-way.
    """
    names = [SUBJECTS, *(name for name in (*tables.restored, *tables.emptied) if name != SUBJECTS)]
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        for name in names:
            cursor.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(name)))
        forced = _forced(cursor, names)
        # COPY does not go past a forced policy, whatever the scope.
        _alter(cursor, forced, "NO FORCE ROW LEVEL SECURITY")
        yield
        # What the constraints have to say, now: a table with checks outstanding cannot be altered.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        _alter(cursor, forced, "FORCE ROW LEVEL SECURITY")


def take_over(source: Source, tables: Tables, *, whole: bool) -> int:
    """Replace the rows of the restored tables by the backup's; returns how many came."""
    with connection.cursor() as cursor:
        if whole:
            # Nothing of the fresh vault stays, not even in the append-only tables.
            _run(cursor, "TRUNCATE {}", [*tables.restored, *tables.emptied])
        else:
            for name in (*tables.emptied, *tables.restored):
                _run(cursor, "DELETE FROM {}", [name])
        rows = sum(_copy(source, cursor, name, into=name) for name in tables.restored)
        if not whole:
            _add_missing_subjects(source, cursor)
        for name in tables.restored:
            _move_sequences(cursor, name)
    return rows


def _add_missing_subjects(source: Source, cursor: Any) -> None:
    """Today's row of a subject stays; its manifest is written anew afterwards."""
    columns = sql.SQL(", ").join(map(sql.Identifier, _columns(cursor, SUBJECTS)))
    names = {"columns": columns, "table": sql.Identifier(SUBJECTS)}
    cursor.execute(sql.SQL("CREATE TEMPORARY TABLE of_backup (LIKE {table}) ON COMMIT DROP").format(**names))
    _copy(source, cursor, SUBJECTS, into="of_backup")
    cursor.execute(
        sql.SQL(
            "INSERT INTO {table} ({columns}) SELECT {columns} FROM of_backup ON CONFLICT (id) DO NOTHING"
        ).format(**names)
    )


def _copy(source: Source, cursor: Any, table: str, *, into: str) -> int:
    names = {
        "columns": sql.SQL(", ").join(map(sql.Identifier, _columns(cursor, table))),
        "table": sql.Identifier(table),
        "into": sql.Identifier(into),
    }
    give = sql.SQL("COPY (SELECT {columns} FROM {table}) TO STDOUT (FORMAT binary)").format(**names)
    take = sql.SQL("COPY {into} ({columns}) FROM STDIN (FORMAT binary)").format(**names)
    with connection.connection.cursor() as receiver:
        with source.cursor().copy(give) as given, receiver.copy(take) as taken:
            for data in given:
                taken.write(data)
        return int(receiver.rowcount)


def _columns(cursor: Any, table: str) -> list[str]:
    cursor.execute(
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = %s AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
        [SCHEMA, table],
    )
    return [name for (name,) in cursor.fetchall()]


def _move_sequences(cursor: Any, table: str) -> None:
    """No number that came with the backup is given a second time; none ever goes back."""
    cursor.execute(
        "SELECT column_name, pg_get_serial_sequence(quote_ident(table_name), column_name) "
        "FROM information_schema.columns WHERE table_schema = %s AND table_name = %s",
        [SCHEMA, table],
    )
    for column, sequence in cursor.fetchall():
        if sequence is not None:
            cursor.execute(
                sql.SQL(
                    "SELECT setval(%s, greatest((SELECT max({column}) FROM {table}), (SELECT last_value FROM {own})))"
                    " WHERE EXISTS (SELECT FROM {table})"
                ).format(
                    column=sql.Identifier(column),
                    table=sql.Identifier(table),
                    own=sql.Identifier(*sequence.split(".")),
                ),
                [sequence],
            )


def _forced(cursor: Any, names: Iterable[str]) -> list[str]:
    cursor.execute(
        "SELECT relname FROM pg_class "
        "WHERE relforcerowsecurity AND relnamespace = %s::regnamespace AND relname = ANY(%s)",
        [SCHEMA, list(names)],
    )
    return [name for (name,) in cursor.fetchall()]


def _alter(cursor: Any, names: Iterable[str], change: str) -> None:
    for name in names:
        cursor.execute(sql.SQL("ALTER TABLE {} " + change).format(sql.Identifier(name)))


def _run(cursor: Any, statement: str, names: Iterable[str]) -> None:
    cursor.execute(sql.SQL(statement).format(sql.SQL(", ").join(map(sql.Identifier, names))))
