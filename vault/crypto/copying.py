"""Copies of the keystore, for its backup. Only the latest may exist: each replaces the one before."""

from __future__ import annotations

from pathlib import Path

from vault.crypto.errors import KeystoreFault, KeystoreMissing
from vault.crypto.private_files import erase_file, move_private
from vault.crypto.rows import TABLES, WITNESS_TABLES
from vault.crypto.sqlite_store import SqliteStore, witness_path
from vault.crypto.store import Store


def copy_to_file(source: Store, target: Path) -> None:
    """Write the whole keystore to an SQLite keystore at `target`, overwriting the copy that stood there.

    The keys in it are wrapped: without the root of now, it opens nothing.
    """
    fresh = target.with_name(target.name + ".new")
    for left in (fresh, witness_path(fresh)):
        erase_file(left)
    copy = SqliteStore(fresh)
    copy.create()
    _copy_rows(source, copy)
    copy.close()
    move_private(witness_path(fresh), witness_path(target))
    move_private(fresh, target)


def restore_from_file(copy: Path, target: Store) -> None:
    """Fill a keystore that does not exist yet from a copy; raises KeystoreFault when there is one already."""
    source = SqliteStore(copy)
    if not source.exists():
        raise KeystoreMissing
    if target.exists():
        raise KeystoreFault("There is a keystore already; it is never replaced by a copy.")
    target.create()
    _copy_rows(source, target)
    source.close()


def _copy_rows(source: Store, target: Store) -> None:
    # Alone among the writers, so that no subject is created or destroyed between two tables.
    with source.writing() as rows, target.writing() as copied:
        for table in TABLES:
            copied.insert_rows(table, rows.every_row(table))
    with source.witnessing() as rows, target.witnessing() as copied:
        for table in WITNESS_TABLES:
            copied.insert_rows(table, rows.every_row(table))
