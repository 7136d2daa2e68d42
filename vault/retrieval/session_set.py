"""The manifest of one session: turns and summaries that vanished, were put back or moved are noticed, not served.

A session adds up its turns and its summaries under a key of its own, and the subject's manifest adds up the heads of
its sessions: so a session put back as a whole, together with its head, is noticed too. A turn counts with what the
database decides by without opening it: what it says again, how many of its calls were answered, and, in the second form
of a manifest, its role, trust, importance, tokens, calls and the call that it answers.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from vault.crypto import Entry, Label, ManifestState, SubjectKeys
from vault.errors import IntegrityFault
from vault.models import Session, SessionSummary, Turn

# Up to here every read adds up the whole set, about 2 ms; beyond, it compares the numbers of rows and of tokens, and
# `verify_memories` adds up the rest.
FULL_CHECK_ROWS = 500
# The form that a manifest gets whenever it is written as a whole; the first is that of sessions begun before it.
NEWEST_FORM = 2

# One statement, so that head and rows come from one snapshot while others write.
HEAD = """
    SELECT s.namespace_id, s.status, s.turn_count, s.token_count, s.manifest_form, s.system_turns, s.strongest_id,
           s.manifest_value, s.manifest_count, s.manifest_sequence, s.manifest_mac,
           said.rows + (SELECT count(*) FROM vault_sessionsummary y WHERE y.session_id = s.id), said.tokens,
           (SELECT count(*) FROM vault_turn t WHERE t.session_id = s.id AND t.role = 'system' AND NOT t.repeated
               AND t.unit IS NULL AND t.calls = t.answered),
           (SELECT y.id FROM vault_sessionsummary y WHERE y.session_id = s.id AND y.level = 'best'),
           CASE WHEN s.manifest_count <= %(limit)s THEN (
               SELECT array_agg(line) FROM (
                   SELECT s.id::text || ' ' || t.number || ' ' || encode(sha256(
                       CASE WHEN coalesce(%(form)s, s.manifest_form) = 1
                       THEN t.ciphertext || t.fingerprint
                           || convert_to('/' || t.answered || '/' || t.repeated::int, 'UTF8')
                       ELSE sha256(t.ciphertext) || sha256(t.fingerprint) || float8send(t.importance)
                           || convert_to(concat_ws('/', t.answered, t.repeated::int, t.role, t.trust, t.tokens,
                                                   t.calls, coalesce(t.unit, 0)), 'UTF8')
                       END), 'hex') AS line
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
    # The system's turns that every window shows, and the row of the weightiest points.
    system_turns: int
    strongest: UUID | None
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
        found = {"system_turns": self.system_turns, "strongest": self.strongest}
        if any(name in self.labels and self.labels[name] != value for name, value in found.items()):
            raise IntegrityFault


def check_session(session_id: UUID, *, keys: SubjectKeys, limit: int = FULL_CHECK_ROWS) -> None:
    """Raise IntegrityFault unless a session's turns and summaries are those that its manifest adds up.

    Needs the caller's transaction with the whole subject open to it, and the subject's manifest checked.
    """
    stored = stored_session(session_id, limit=limit)
    if stored.is_bound:
        stored.check(keys)


def stored_session(
    session_id: UUID, *, limit: int = FULL_CHECK_ROWS, form: int | None = None
) -> StoredSession:
    """A session's manifest and rows as they stand, unchecked; `form` is that of the entries, if not the session's own.

    Needs a transaction with the subject's rows open.
    """
    with connection.cursor() as cursor:
        cursor.execute(HEAD, {"session": session_id, "limit": limit, "form": form})
        head, state, rest = _parts(cursor.fetchone())
    value, count, sequence, mac = state
    rows, tokens, system_turns, strongest, lines = rest
    entries = None if count > limit else [_entry(line) for line in lines or ()]
    return StoredSession(
        session_id, _labels(*head), ManifestState(bytes(value), count, sequence), bytes(mac), rows, int(tokens),
        system_turns, strongest, entries,
    )  # fmt: skip


def turns_kept(session: Session) -> int:
    """How many turns a session has, erased ones not counted. Needs a session that was checked: its manifest tells."""
    if not session.manifest_mac:
        return Turn.objects.filter(session=session).count()
    return session.manifest_count - SessionSummary.objects.filter(session=session).count()


def labels_of(session: Session) -> Mapping[str, Label]:
    """What of a session's row its manifest is bound to."""
    return _labels(
        session.namespace_id, session.status, session.turn_count, session.token_count, session.manifest_form,
        session.system_turns, session.strongest_id,
    )  # fmt: skip


def turn_entry(turn: Turn, *, form: int) -> Entry:
    """What a turn adds to its session's manifest of that form."""
    covered = _first_form(turn) if form == 1 else _second_form(turn)
    return turn.session_id, turn.number, hashlib.sha256(covered).digest()


def summary_entry(summary: SessionSummary) -> Entry:
    """What a summary adds to the manifest of its session, or of its subject."""
    return summary.pk, 0, hashlib.sha256(bytes(summary.ciphertext)).digest()


def session_entry(session: Session) -> Entry:
    """What a session adds to its subject's manifest."""
    return session.pk, session.manifest_sequence, bytes(session.manifest_mac)


def _first_form(turn: Turn) -> bytes:
    flags = f"/{turn.answered}/{int(turn.repeated)}".encode()
    return bytes(turn.ciphertext) + bytes(turn.fingerprint) + flags


def _second_form(turn: Turn) -> bytes:
    sealed, fingerprint = hashlib.sha256(bytes(turn.ciphertext)), hashlib.sha256(bytes(turn.fingerprint))
    marks = (
        turn.answered, int(turn.repeated), turn.role, turn.trust, turn.tokens, turn.calls, turn.unit or 0,
    )  # fmt: skip
    # All before the marks has a fixed length, so none can run into another.
    weight = struct.pack(">d", turn.importance)
    return sealed.digest() + fingerprint.digest() + weight + "/".join(map(str, marks)).encode()


def _parts(row: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    """What is bound of the session's row, the manifest, and what was found beside them."""
    return row[:7], row[7:11], row[11:]


def _labels(
    namespace_id: int, status: str, turn_count: int, token_count: int, form: int, system_turns: int,
    strongest: UUID | None,
) -> Mapping[str, Label]:  # fmt: skip
    labels: dict[str, Label] = {
        "namespace": namespace_id, "status": str(status), "turn_count": turn_count, "token_count": token_count,
    }  # fmt: skip
    # Named from the second form on only, so that no form can be taken for the other.
    return (
        labels if form == 1 else labels | {"form": form, "system_turns": system_turns, "strongest": strongest}
    )


def _entry(line: str) -> Entry:
    row, number, digest = line.split()
    return UUID(row), int(number), bytes.fromhex(digest)
