"""Checking a subject's manifest on every read: rows that vanished or were put back are noticed, not served.

It adds up the current versions of memories, the heads of sessions (see session_set) and what sums sessions up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.log import relax_commit
from vault.crypto import Entry, ManifestState, SubjectKeys
from vault.errors import IntegrityFault
from vault.keys import key_vault
from vault.models import isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope

# Up to here every read adds up the whole set, about 2 ms; beyond, it compares the number of rows, and
# `verify_memories` adds up the rest.
FULL_CHECK_MEMORIES = 500

# One statement, so that head and rows come from one snapshot while others write.
HEAD = """
    SELECT s.manifest_value, s.manifest_count, s.manifest_sequence, s.manifest_mac,
           (SELECT count(*) FROM vault_memory m WHERE m.subject_id = s.id)
           + (SELECT count(*) FROM vault_session n WHERE n.subject_id = s.id AND n.manifest_mac <> '')
           + (SELECT count(*) FROM vault_sessionsummary y WHERE y.subject_id = s.id AND y.is_bound),
           CASE WHEN s.manifest_count <= %(limit)s THEN (
               SELECT array_agg(line) FROM (
                   SELECT m.id::text || ' ' || m.version || ' ' || encode(v.digest, 'hex') AS line
                   FROM vault_memory m
                   JOIN vault_memoryversion v ON v.memory_id = m.id AND v.number = m.version
                   WHERE m.subject_id = s.id
                   UNION ALL
                   SELECT n.id::text || ' ' || n.manifest_sequence || ' ' || encode(n.manifest_mac, 'hex')
                   FROM vault_session n WHERE n.subject_id = s.id AND n.manifest_mac <> ''
                   UNION ALL
                   SELECT y.id::text || ' 0 ' || encode(sha256(y.ciphertext), 'hex')
                   FROM vault_sessionsummary y WHERE y.subject_id = s.id AND y.is_bound) AS lines) END
    FROM vault_subject s WHERE s.id = %(subject)s
"""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """The manifest of a subject beside what it tells of; `entries` is None when there are too many to add up."""

    state: ManifestState
    mac: bytes
    rows: int
    entries: list[Entry] | None

    def check(self, keys: SubjectKeys) -> None:
        """Raise IntegrityFault unless the rows are those of the manifest; whether of the newest, a witness tells."""
        keys.manifest.check(self.state, self.mac, self.entries)
        if self.rows != self.state.count:
            raise IntegrityFault


@contextmanager
def reading(*, scope: Scope, kind: str) -> Iterator[None]:
    """The transaction of a read; a failed integrity check is recorded before it is raised."""
    try:
        with transaction.atomic(durable=True):
            relax_commit()
            yield
    except IntegrityFault:
        trail.note_refusal(
            Event.MEMORY_INTEGRITY_FAULT,
            scope=scope,
            kind=kind,
            outcome=Outcome.FAILED,
            reason=IntegrityFault.code,
        )
        raise


def check_manifest(subject_id: UUID, *, keys: SubjectKeys, limit: int = FULL_CHECK_MEMORIES) -> None:
    """Raise IntegrityFault unless a subject's rows are those that its manifest adds up.

    Needs the caller's transaction, and leaves the whole subject open to it: open the narrower scope afterwards.
    """
    isolation.open_whole_subject(subject_id)
    # The witness first: read later, it could tell of a write that the statement below does not see yet.
    witness = key_vault().witnessed_manifest(subject_id)
    stored = stored_set(subject_id, limit=limit)
    if not stored.state.sequence and not witness:
        if stored.rows:
            raise IntegrityFault
        return
    stored.check(keys)
    keys.manifest.check_witness(stored.state, stored.mac, witness)


def stored_set(subject_id: UUID, *, limit: int = FULL_CHECK_MEMORIES) -> StoredSet:
    """A subject's manifest and rows as they stand, unchecked. Needs a transaction with the subject's rows open."""
    with connection.cursor() as cursor:
        cursor.execute(HEAD, {"subject": subject_id, "limit": limit})
        value, count, sequence, mac, rows, entries = cursor.fetchone()
    found = None if count > limit else [_entry(line) for line in entries or ()]
    return StoredSet(ManifestState(bytes(value), count, sequence), bytes(mac), rows, found)


def _entry(line: str) -> Entry:
    memory, version, digest = line.split()
    return UUID(memory), int(version), bytes.fromhex(digest)
