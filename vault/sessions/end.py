"""Ending a session: what should outlast it is drafted, each draft is written like any other, then it is over.

The drafts come first: a call that dies between the two is repeated, and what was written already is merged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import VaultError
from vault.keys import key_vault
from vault.models import Session, SessionStatus, Turn
from vault.retrieval import trail
from vault.retrieval.integrity import reading
from vault.retrieval.records import Content
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import reference_of
from vault.retrieval.turns import CONCLUSION, SPEAKER, TOOL_CALL, OpenedTurn, open_turn, open_turns, seal_turn
from vault.sessions.binding import rebinding
from vault.sessions.drafting import DETERMINISTIC, Drafted, draft
from vault.sessions.extraction import Lasting
from vault.sessions.finding import find_session, find_whole_session, note_denied, require_active
from vault.sessions.model_notes import note_model_asked
from vault.sessions.not_stored import NotStored, keep_not_stored
from vault.sessions.records import SessionView
from vault.sessions.roles import Role
from vault.sessions.strongest import drop_strongest
from vault.sessions.summaries import points_of_session, state_of_summary, summarise_session
from vault.types import MemoryDraft, ModelUse, Source
from vault.writing.locks import lock_subject
from vault.writing.pipeline import write_memory


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one draft: a memory, a write that waits for a person, or a refusal by its code.

    `archived` gave way to it at the namespace's cap; a draft that came before it may be among them.
    """

    draft: Lasting = field(repr=False)
    outcome: str
    code: str = ""
    memory: UUID | None = None
    quarantine: UUID | None = None
    archived: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that is over. `fallback` is why a model that is configured was not used; `considered` counts turns."""

    view: SessionView
    drafts: tuple[Outcome, ...]
    extractor: str
    fallback: str
    considered: int


def end_session(
    *, session_id: UUID, extract: bool = True, scope: Scope, remember: Callable[[Ended], None] | None = None
) -> Ended:
    """End a session; with `extract`, write down first what should outlast it.

    `remember` is called inside the transaction that ends it. Raises NotFound, InvalidTransition when it is over.
    """
    try:
        session, turns = _read(session_id, scope)
        # What is drafted is answered, and of a restricted subject nothing is served.
        is_served = session.subject.restricted_at is None
        drafted = draft(turns) if extract and is_served else Drafted((), DETERMINISTIC)
        note_model_asked(
            ModelUse.DRAFTS,
            session_id=session.pk,
            turns=drafted.asked,
            fallback=drafted.fallback,
            scope=scope,
        )
        outcomes = tuple(_write(lasting, session, scope) for lasting in drafted.drafts)
        with transaction.atomic(durable=True):
            session = find_session(session_id=session_id, scope=scope, right=Right.SESSION_WRITE)
            lock_subject(session.subject_id)
            session = (
                Session.objects.select_for_update().select_related("subject", "namespace").get(pk=session.pk)
            )
            now = timezone.now()
            require_active(session, now=now)
            keys = key_vault().subject(session.subject_id)
            close_session(session, status=SessionStatus.ENDED, keys=keys, now=now)
            keep_not_stored(
                session, [_kept(outcome) for outcome in outcomes if not outcome.memory], keys=keys
            )
            trail.note(
                Event.SESSION_ENDED, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                turns=len(turns), drafts=len(outcomes), kept=sum(o.memory is not None for o in outcomes),
            )  # fmt: skip
            summary = state_of_summary(session, keys=keys)
            place = session.namespace.name
            view = SessionView(session, reference_of(session.subject), place, summary=summary)
            ended = Ended(view, outcomes, drafted.extractor, drafted.fallback, len(turns))
            if remember is not None:
                remember(ended)
    except VaultError as refusal:
        note_denied(refusal, Event.SESSION_ENDED, session_id=session_id, scope=scope)
        raise
    return ended


def close_session(session: Session, *, status: SessionStatus, keys: SubjectKeys, now: datetime) -> None:
    """Make a locked session be over: summarised, what tools said cut down to their conclusions, a date to go."""
    with rebinding(session, keys=keys, now=now):
        summarise_session(session, points_of_session(session, keys=keys), keys=keys, now=now)
        drop_strongest(session)
        for row in Turn.objects.filter(session=session, role=Role.TOOL):
            _drop_output(row, keys=keys)
        session.status, session.ended_at = status, now
        session.purge_at = now + settings.SESSION_KEEP
        session.state, session.retrieve_why = b"", ""
        session.save()


def _drop_output(row: Turn, *, keys: SubjectKeys) -> None:
    opened = open_turn(row, keys=keys)
    kept = {
        name: value
        for name, value in opened.content.metadata.items()
        if name in (CONCLUSION, SPEAKER, TOOL_CALL)
    }
    vector = opened.content.vector if opened.conclusion else None
    seal_turn(row, Content("", metadata=kept, findings=opened.content.findings, vector=vector), keys=keys)
    row.fingerprint = keys.fingerprint("")
    row.save(update_fields=["ciphertext", "fingerprint"])


def _read(session_id: UUID, scope: Scope) -> tuple[Session, Sequence[OpenedTurn]]:
    with reading(scope=scope, kind="session"):
        session, keys = find_whole_session(session_id=session_id, scope=scope, right=Right.SESSION_WRITE)
        require_active(session, now=timezone.now())
        return session, open_turns(Turn.objects.filter(session=session).order_by("number"), keys=keys)


def _kept(outcome: Outcome) -> NotStored:
    return NotStored(outcome.draft.turn, outcome.code, outcome.quarantine)


def _write(lasting: Lasting, session: Session, scope: Scope) -> Outcome:
    """One draft through the ordinary pipeline; a refusal is its outcome and does not stop the others."""
    statement = MemoryDraft(
        subject=reference_of(session.subject),
        namespace=session.namespace.name,
        text=lasting.text,
        source=Source(lasting.source, f"session {session.pk} turn {lasting.turn}", scope.agent_name),
        kind=lasting.kind,
        importance=lasting.importance,
        trust=lasting.trust,
        metadata={"turn": lasting.turn, "reason": lasting.reason},
        session=session.pk,
    )
    try:
        result = write_memory(draft=statement, scope=scope)
    except VaultError as refusal:
        return Outcome(lasting, "refused", refusal.code)
    memory = result.memory.row.pk if result.memory else None
    waiting = result.quarantined.pk if result.quarantined else None
    return Outcome(lasting, result.outcome, "", memory, waiting, result.archived)
