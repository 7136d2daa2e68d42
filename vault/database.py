"""The two roles of the main database: the owner migrates; the runtime role owns nothing.

The roles are made and their rights granted here, after every migration, so that a table added later
cannot be forgotten.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connections
from psycopg import sql

from audit.models import APPEND_ONLY_TABLES

OWNER = "owner"
SCHEMA = "public"
OWNER_ONLY_TABLES = frozenset({"django_migrations"})


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
    """Make the runtime role, with a password and without any attribute of power; safe to repeat."""
    role = sql.Identifier(settings.RUNTIME_ROLE)
    password = sql.Literal(settings.RUNTIME_PASSWORD)
    with connections[OWNER].cursor() as cursor:
        # Two starts at once must not both create it.
        cursor.execute("SELECT pg_advisory_lock(hashtext('vault_runtime_role'))")
        try:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [settings.RUNTIME_ROLE])
            verb = sql.SQL("ALTER" if cursor.fetchone() else "CREATE")
            statement = sql.SQL(
                "{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION PASSWORD {}"
            ).format(verb, role, password)
            cursor.execute(statement)
        finally:
            cursor.execute("SELECT pg_advisory_unlock(hashtext('vault_runtime_role'))")


def grant_runtime_rights(*, using: str = OWNER, **_: Any) -> None:
    """Give the runtime role rows but no schema: read and append on the audit log, all four verbs elsewhere."""
    if using != OWNER:
        return
    ensure_runtime_role()
    role = sql.Identifier(settings.RUNTIME_ROLE)
    with connections[OWNER].cursor() as cursor:
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
            rights = "SELECT, INSERT" if table in APPEND_ONLY_TABLES else "SELECT, INSERT, UPDATE, DELETE"
            cursor.execute(
                sql.SQL("REVOKE ALL ON {} FROM {}").format(sql.Identifier(table), role)
                + sql.SQL("; GRANT " + rights + " ON {} TO {}").format(sql.Identifier(table), role)
            )
