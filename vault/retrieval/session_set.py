"""The manifest of one session: turns and summaries that vanished, were put back or moved are noticed, not served.

A session adds up its turns and its summaries under a key of its own, and the subject's manifest adds up the heads of
its sessions: so a session put back as a whole, together with its head, is noticed too. A turn counts with what the
database decides by without opening it: what it says again, and how many of its calls were answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from vault.crypto import Entry, Label, ManifestState, SubjectKeys
from vault.errors import IntegrityFault
from vault.models import Session, SessionSummary, Turn

# Up to here every read adds up the whole set, about 2 ms; beyond, it compares the numbers of rows and of tokens, and
# `verify_memories` adds up the rest.
FULL_CHECK_ROWS = 500

# One statement, so that head and rows come from one snapshot while others write.
HEAD = """
    SELECT s.namespace_id, s.status, s.turn_count, s.token_count,
           s.manifest_value, s.manifest_count, s.manifest_sequence, s.manifest_mac,
           said.rows + (SELECT count(*) FROM vault_sessionsummary y WHERE y.session_id = s.id), said.tokens,
           CASE WHEN s.manifest_count <= %(limit)s THEN (
               SELECT array_agg(line) FROM (
                   SELECT s.id::text || ' ' || t.number || ' ' || encode(sha256(t.ciphertext || t.fingerprint
                       || convert_to('/' || t.answered || '/' || t.repeated::int, 'UTF8')), 'hex') AS line
                   FROM vault_turn t WHERE t.session_id = s.id
                   UNION ALL
                   SELECT y.id::text || ' 0 ' || encode(sha256(y.ciphertext), 'hex')
                   FROM vault_sessionsummary y WHERE y.session_id = s.id) AS lines) END
    FROM vault_session s
    CROSS JOIN LATERAL (SELECT count(*) AS rows, coalesce(sum(t.tokens), 0) AS tokens
                        FROM vault_turn t WHERE t.session_id = s.id) AS said
    WHERE s.id = %(session)s
"""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """The manifest of a session beside what it tells of; `entries` is None when there are too many to add up."""

    session: UUID
    labels: Mapping[str, Label]
    state: ManifestState
    mac: bytes
    rows: int
    tokens: int
    entries: list[Entry] | None

    @property
    def is_bound(self) -> bool:
        """Whether anything was added up; a session without turns is not, and the subject's manifest counts no such."""
        return bool(self.mac)

    def check(self, keys: SubjectKeys) -> None:
        """Raise IntegrityFault unless the rows are those of the manifest; that it is the newest, another tells."""
        keys.manifest.part(self.session).check(self.state, self.mac, self.entries, self.labels)
        if self.rows != self.state.count:
            raise IntegrityFault
        if self.entries is None and self.tokens != self.labels["token_count"]:
            raise IntegrityFault


def check_session(session_id: UUID, *, keys: SubjectKeys, limit: int = FULL_CHECK_ROWS) -> None:
    """Raise IntegrityFault unless a session's turns and summaries are those that its manifest adds up.

    Needs the caller's transaction with the whole subject open to it, and the subject's manifest checked.
    """
    stored = stored_session(session_id, limit=limit)
    if stored.is_bound:
        stored.check(keys)


def stored_session(session_id: UUID, *, limit: int = FULL_CHECK_ROWS) -> StoredSession:
    """A session's manifest and rows as they stand, unchecked. Needs a transaction with the subject's rows open."""
    with connection.cursor() as cursor:
        cursor.execute(HEAD, {"session": session_id, "limit": limit})
        found = cursor.fetchone()
    namespace, status, turns, said, value, count, sequence, mac, rows, tokens, lines = found
    entries = None if count > limit else [_entry(line) for line in lines or ()]
    labels = _labels(namespace, status, turns, said)
    state = ManifestState(bytes(value), count, sequence)
    return StoredSession(session_id, labels, state, bytes(mac), rows, int(tokens), entries)


def turns_kept(session: Session) -> int:
    """How many turns a session has, erased ones not counted. Needs a session that was checked: its manifest tells."""
    if not session.manifest_mac:
        return Turn.objects.filter(session=session).count()
    return session.manifest_count - SessionSummary.objects.filter(session=session).count()


def labels_of(session: Session) -> Mapping[str, Label]:
    """What of a session's row its manifest is bound to."""
    return _labels(session.namespace_id, session.status, session.turn_count, session.token_count)


def turn_entry(turn: Turn) -> Entry:
    """What a turn adds to its session's manifest."""
    flags = f"/{turn.answered}/{int(turn.repeated)}".encode()
    digest = hashlib.sha256(bytes(turn.ciphertext) + bytes(turn.fingerprint) + flags).digest()
    return turn.session_id, turn.number, digest


def summary_entry(summary: SessionSummary) -> Entry:
    """What a summary adds to the manifest of its session, or of its subject."""
    return summary.pk, 0, hashlib.sha256(bytes(summary.ciphertext)).digest()


def session_entry(session: Session) -> Entry:
    """What a session adds to its subject's manifest."""
    return session.pk, session.manifest_sequence, bytes(session.manifest_mac)


def _labels(namespace_id: int, status: str, turn_count: int, token_count: int) -> Mapping[str, Label]:
    return {
        "namespace": namespace_id, "status": str(status), "turn_count": turn_count, "token_count": token_count,
    }  # fmt: skip


def _entry(line: str) -> Entry:
    row, number, digest = line.split()
    return UUID(row), int(number), bytes.fromhex(digest)
