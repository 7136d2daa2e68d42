"""Which tables a backup leaves out and a restore leaves as they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from vault.database import OWNER_ONLY_TABLES, SCHEMA
from vault.lifecycle.data_map import STORES
from vault.models import AccessExport, AccessExportPart, Subject, SubjectContact, SubjectProof

SUBJECTS = Subject._meta.db_table
# What opens a door or answers in somebody's place: after a restore nobody is signed in and nothing is replayed.
FLEETING = frozenset(
    {
        "django_session",
        "vault_cache",
        "vault_callrate",
        "vault_idempotencyrecord",
        "vault_signinlink",
        "vault_subjecttoken",
    }
)

# Belongs to subjects, and yet stays as it is today: how they prove who they are, and what was handed out to them.
# A contact that was withdrawn, or a proof that was used, must not come back to life.
STANDING = frozenset(
    model._meta.db_table for model in (AccessExport, AccessExportPart, SubjectContact, SubjectProof)
)


@dataclass(frozen=True, slots=True)
class Tables:
    """What a restore does to each table: from the backup, emptied, or left as it is today."""

    restored: tuple[str, ...]
    emptied: tuple[str, ...]
    kept: tuple[str, ...]


def tables_of(existing: Iterable[str], *, whole: bool) -> Tables:
    """Sort the tables of a vault.

    Into an empty vault everything comes back. Into one that is in use come only the rows that the data map
    deletes in an erasure, that is what belongs to subjects: rights, people, approvals, holds, requests, proofs and
    the audit log are those of today, and so a right that was taken away does not come back.
    """
    names = sorted(set(existing) - OWNER_ONLY_TABLES)
    of_subjects = {store.model._meta.db_table for store in STORES if not store.blank} - STANDING
    wanted = set(names) if whole else of_subjects
    restored = tuple(name for name in names if name in wanted and name not in FLEETING)
    emptied = tuple(name for name in names if name in FLEETING and (whole or name in of_subjects))
    return Tables(restored, emptied, tuple(name for name in names if name not in {*restored, *emptied}))


def existing_tables() -> list[str]:
    """The tables of the database that is connected now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", [SCHEMA])
        return [name for (name,) in cursor.fetchall()]
