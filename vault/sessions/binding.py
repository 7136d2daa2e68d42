"""Keeping the manifests of sessions in step with their rows: whoever changes turns or summaries does it in here.

Every function needs the subject's lock, the caller's transaction, and the subject's rows open to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from vault.crypto import Entry, Manifest, ManifestState, SubjectKeys
from vault.models import Session, SessionSummary, Subject, SummaryLevel, Turn
from vault.retrieval.session_set import (
    NEWEST_FORM,
    StoredSession,
    check_session,
    labels_of,
    session_entry,
    stored_session,
    summary_entry,
)
from vault.retrieval.turns import open_turn
from vault.writing.store import advance_manifest, join_manifest, leave_manifest

EVERY_ROW = 2**31 - 1
COLUMNS = (
    "manifest_value", "manifest_count", "manifest_sequence", "manifest_mac", "manifest_form", "system_turns",
    "strongest_id",
)  # fmt: skip


class OpenSet:
    """The manifest of a locked session while rows are added; take it before the session's own row is changed.

    Each row costs the same, however many there are. Raises IntegrityFault when the manifest was altered.
    """

    def __init__(self, session: Session, *, keys: SubjectKeys) -> None:
        self._session, self._keys = session, keys
        self._manifest = keys.manifest.part(session.pk)
        self._state = _state(session, self._manifest)

    def add(self, entry: Entry) -> None:
        self._state = self._manifest.add(self._state, entry)

    def replace(self, old: Entry, new: Entry) -> None:
        self._state = self._manifest.replace(self._state, old, new)

    def keep(self, *, now: datetime) -> None:
        """Bind the session as it stands now, and the subject to it. The row itself must be saved already."""
        bind(self._session, self._state, keys=self._keys, now=now)


@contextmanager
def rebinding(session: Session, *, keys: SubjectKeys, now: datetime) -> Iterator[None]:
    """Turns and summaries of a locked session may be changed in any way inside, and the subject's summary with them.

    Raises IntegrityFault when they were not whole before: what was tampered with is not bound as if it were whole.
    """
    check_session(session.pk, keys=keys, limit=EVERY_ROW)
    if session.manifest_form != NEWEST_FORM:
        # What the older form did not cover is bound from here on as it stands, so the seals have to bear it out.
        for turn in Turn.objects.filter(session=session).iterator():
            open_turn(turn, keys=keys)
    with binding_subject_summary(session.subject, session.namespace_id, keys=keys, now=now):
        yield
    bind(session, whole_set(session, keys=keys), keys=keys, now=now)


@contextmanager
def binding_subject_summary(
    subject: Subject, namespace_id: int, *, keys: SubjectKeys, now: datetime
) -> Iterator[None]:
    """The summary of a subject's sessions may be rewritten inside."""
    before = _subject_summaries(subject, namespace_id)
    yield
    after = _subject_summaries(subject, namespace_id)
    for entry in before:
        leave_manifest(subject, entry=entry, keys=keys, now=now)
    for entry in after:
        join_manifest(subject, entry=entry, keys=keys, now=now)


def whole_set(session: Session, *, keys: SubjectKeys) -> ManifestState:
    """The next state of a session's manifest, reckoned from the rows that are there, in the newest form."""
    stored = _in_newest_form(session)
    return keys.manifest.part(session.pk).of(stored.entries or (), sequence=stored.state.sequence + 1)


def bind(session: Session, state: ManifestState, *, keys: SubjectKeys, now: datetime) -> None:
    """Store a session's new state, and put its head in the place of the one before in the subject's manifest."""
    previous = session_entry(session) if session.manifest_mac else None
    session.manifest_value, session.manifest_count = state.value, state.count
    session.manifest_sequence = state.sequence
    session.manifest_mac = keys.manifest.part(session.pk).seal(state, labels_of(session))
    session.save(update_fields=COLUMNS)
    advance_manifest(session.subject, previous=previous, entry=session_entry(session), keys=keys, now=now)


def unbind(session: Session, *, keys: SubjectKeys, now: datetime) -> None:
    """Take a session out of its subject's manifest, for one that goes to another subject."""
    if session.manifest_mac:
        leave_manifest(session.subject, entry=session_entry(session), keys=keys, now=now)
    session.manifest_mac = b""


def _in_newest_form(session: Session) -> StoredSession:
    """What is stored of a session, whose row takes what the newest form of its manifest is bound to."""
    stored = stored_session(session.pk, limit=EVERY_ROW, form=NEWEST_FORM)
    session.manifest_form = NEWEST_FORM
    session.system_turns, session.strongest_id = stored.system_turns, stored.strongest
    return stored


def _state(session: Session, manifest: Manifest) -> ManifestState:
    if not session.manifest_mac:
        # Before the first turn, or one that began before manifests were kept.
        return manifest.of(_in_newest_form(session).entries or ())
    state = ManifestState(bytes(session.manifest_value), session.manifest_count, session.manifest_sequence)
    manifest.check(state, bytes(session.manifest_mac), labels=labels_of(session))
    return state


def _subject_summaries(subject: Subject, namespace_id: int) -> Iterable[Entry]:
    rows = SessionSummary.objects.filter(
        subject=subject, namespace_id=namespace_id, level=SummaryLevel.SUBJECT, is_bound=True
    )
    return [summary_entry(row) for row in rows]
