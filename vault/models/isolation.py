"""The one helper that opens rows to a transaction; row-level security keeps the rest shut.

Every table with a subject has a forced policy that reads three transaction-local settings. Without them
the runtime role sees no row and can write none.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

SET_SCOPE = (
    "SELECT set_config('vault.scope', %s, true), set_config('vault.subject', %s, true), "
    "set_config('vault.namespaces', %s, true)"
)


def _set(scope: str, subject: str, namespaces: str) -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("A database scope needs the caller's transaction")
    with connection.cursor() as cursor:
        cursor.execute(SET_SCOPE, [scope, subject, namespaces])


def open_subject(subject_id: UUID, *, namespaces: Iterable[int]) -> None:
    """Open one subject's rows in the given namespaces (ids) until the transaction ends.

    An empty list of namespaces opens nothing. Raises RuntimeError outside a transaction.
    """
    _set("subject", str(subject_id), ",".join(str(number) for number in sorted(set(namespaces))))


def open_whole_subject(subject_id: UUID) -> None:
    """Open one subject's rows in every namespace: erasure, export and the subject's own lock."""
    _set("subject", str(subject_id), "*")


def open_directory() -> None:
    """Open the table of subjects alone, to find one by its keyed hash or to add one."""
    _set("directory", "", "")


def open_everything() -> None:
    """Open all rows, for staff and for the vault's own jobs."""
    _set("everything", "", "*")


def close() -> None:
    """Shut the rows again before the transaction ends."""
    _set("", "", "")
