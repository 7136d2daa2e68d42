"""Emptying the tables after a test that committed, without the wait for new files of every table and index.

The framework truncates every table there is, and lets every app look at its content types again: ten times the work
of deleting the few rows that a test leaves. The audit log alone lets nobody delete, and is truncated.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from django.db import connections, transaction
from django.test import TransactionTestCase
from psycopg import sql

from audit.models import APPEND_ONLY_TABLES
from vault.database import OWNER

# What the framework knows of the models; no test adds to it.
KEPT = ["django_migrations", "django_content_type", "auth_permission"]
_truncate = TransactionTestCase._fixture_teardown


@cache
def _emptying(_database: str) -> sql.Composed | None:
    """The statements that empty a database; None where its owner may not set the foreign keys aside."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() != (True,):
            return None
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL(%s)", [KEPT]
        )
        names = {name for (name,) in cursor.fetchall()}
    # Whoever still writes is waited for, as by a truncation.
    return sql.SQL("; ").join([
        sql.SQL("SET LOCAL session_replication_role = replica"),
        sql.SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(_listed(names)),
        sql.SQL("TRUNCATE {}").format(_listed(APPEND_ONLY_TABLES)),
        *(sql.SQL("DELETE FROM {}").format(_listed([name])) for name in names - set(APPEND_ONLY_TABLES)),
    ])  # fmt: skip


def _listed(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(name) for name in sorted(names))


def empty_tables(case: Any) -> None:
    """In the place of the framework's own; sequences go on in both."""
    statements = _emptying(connections[OWNER].settings_dict["NAME"])
    if statements is None:
        _truncate(case)
        return
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        cursor.execute(statements)
