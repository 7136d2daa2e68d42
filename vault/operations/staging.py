"""A backup unpacked beside the vault: in a database of its own, brought up to date, gone afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from vault.database import OWNER, acting_as_owner
from vault.errors import VaultError
from vault.operations import programs
from vault.operations.backup_file import Manifest

SUFFIX = "_restore"
# Any fixed number: one restore of a server at a time.
RESTORE_LOCK = 0x7265_7374


class TooNew(VaultError):
    code = "backup_too_new"
    detail = "The backup was made by a newer version of the vault than this one."


class RestoreRunning(VaultError):
    code = "restore_running"
    detail = "Another restore is running."


def require_known(manifest: Manifest) -> None:
    """Raise TooNew when the backup's schema has a migration that this version does not have."""
    known = set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
    if any((app, name) not in known for app, name in manifest.migrations.items()):
        raise TooNew


@contextmanager
def unpacked(chunks: Iterable[bytes]) -> Iterator[str]:
    """The name of a database that holds the backup under today's schema, until the block ends.

    What a killed restore left behind is removed first. Raises RestoreRunning, ProgramFailed, and IntegrityFault
    when the chunks turn out not to be what was sealed.
    """
    program = programs.find_program("pg_restore")
    name = str(connections[OWNER].settings_dict["NAME"]) + SUFFIX
    login, environment = programs.login()
    with psycopg.connect(login, password=environment["PGPASSWORD"], autocommit=True) as session:
        if not session.execute("SELECT pg_try_advisory_lock(%s)", [RESTORE_LOCK]).fetchone()[0]:  # type: ignore[index]
            raise RestoreRunning
        _drop(session, name)
        session.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            target, environment = programs.login(name)
            # Without --enable-row-security: the policies come after the data.
            command = [
                program,
                "--no-owner",
                "--no-privileges",
                "--no-comments",
                "--exit-on-error",
                f"--dbname={target}",
            ]
            programs.feed(command, environment, chunks)
            with acting_as_owner(name):
                call_command("migrate", database=OWNER, verbosity=0, interactive=False)
            yield name
        finally:
            _drop(session, name)


@contextmanager
def reading(name: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection of the owner's to the unpacked backup."""
    login, environment = programs.login(name)
    # Past the forced policies, for an owner that they bind.
    with psycopg.connect(
        login, password=environment["PGPASSWORD"], options=environment["PGOPTIONS"]
    ) as session:
        yield session


def holds_a_vault() -> bool:
    """Whether the connected database has the vault's tables."""
    return "vault_subject" in connection.introspection.table_names()


def _drop(session: psycopg.Connection[tuple[object, ...]], name: str) -> None:
    session.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
