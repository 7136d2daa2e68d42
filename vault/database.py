"""The two roles of the main database: the owner migrates; the runtime role owns nothing.

The roles are made and their rights granted here, after every migration, so that a table added later
cannot be forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    IntegrityError,
    InternalError,
    ProgrammingError,
    connections,
    transaction,
)
from psycopg import sql

from audit.models import APPEND_ONLY_TABLES

OWNER = "owner"
SCHEMA = "public"
ROLE_ATTEMPTS = 10
OWNER_ONLY_TABLES = frozenset({"django_migrations"})
# Histories that the runtime role adds to and never changes: the audit log, and what each policy said.
HISTORIES = frozenset({*APPEND_ONLY_TABLES, "vault_namespacepolicyversion"})


class OwnerMigrates:
    """Router: schema changes go through the owner's connection, everything else through the runtime role's."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        return "default"

    def db_for_write(self, model: Any, **hints: Any) -> str:
        return "default"

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == OWNER


def ensure_runtime_role() -> None:
    """Make the runtime role, with a password and without any attribute of power; safe to repeat.

    Roles belong to the whole server, so two databases that migrate at once may collide; the loser tries again.
    """
    for attempt in range(ROLE_ATTEMPTS):
        try:
            with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
                cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [settings.RUNTIME_ROLE])
                cursor.execute(_role_statement("ALTER" if cursor.fetchone() else "CREATE"))
            return
        except (InternalError, ProgrammingError, IntegrityError):
            if attempt == ROLE_ATTEMPTS - 1:
                raise
            time.sleep(0.1 * (attempt + 1))


def _role_statement(verb: str) -> sql.Composed:
    return sql.SQL(
        verb + " ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION PASSWORD {}"
    ).format(sql.Identifier(settings.RUNTIME_ROLE), sql.Literal(settings.RUNTIME_PASSWORD))


def grant_after_migration(*, using: str, plan: Any = None, **_: Any) -> None:
    """Grant once after a migration that changed something; emptying tables sends the same signal without a plan."""
    if using == OWNER and plan:
        grant_runtime_rights()


def grant_runtime_rights() -> None:
    """Give the runtime role rows but no schema: read and append on histories, all four verbs elsewhere."""
    ensure_runtime_role()
    role = sql.Identifier(settings.RUNTIME_ROLE)
    # One transaction: a running vault is never without its rights for a moment.
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s AND tablename <> ALL(%s)",
            [SCHEMA, sorted(OWNER_ONLY_TABLES)],
        )
        tables = [name for (name,) in cursor.fetchall()]
        cursor.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(sql.Identifier(SCHEMA), role))
        cursor.execute(
            sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {} TO {}").format(
                sql.Identifier(SCHEMA), role
            )
        )
        for table in tables:
            rights = "SELECT, INSERT" if table in HISTORIES else "SELECT, INSERT, UPDATE, DELETE"
            cursor.execute(
                sql.SQL("REVOKE ALL ON {} FROM {}").format(sql.Identifier(table), role)
                + sql.SQL("; GRANT " + rights + " ON {} TO {}").format(sql.Identifier(table), role)
            )


@contextmanager
def acting_as_owner(database: str = "") -> Iterator[None]:
    """Let all of this process's database work be the owner's, in another database if one is named.

    For the operator's commands alone: what serves is bound by row-level security, and stays so.
    """
    owner = connections[OWNER].settings_dict
    login = {key: owner[key] for key in ("USER", "PASSWORD")}
    kept = {alias: dict(connections[alias].settings_dict) for alias in (DEFAULT_DB_ALIAS, OWNER)}
    target = database or owner["NAME"]
    try:
        for alias in kept:
            _disconnect(alias)
            connections[alias].settings_dict.update(**login, NAME=target)
        yield
    finally:
        for alias, settings_of in kept.items():
            _disconnect(alias)
            connections[alias].settings_dict.update(settings_of)


def _disconnect(alias: str) -> None:
    connections[alias].close()
    connections[alias].close_pool()  # type: ignore[attr-defined]
