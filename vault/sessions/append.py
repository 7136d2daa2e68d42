"""Adding turns to a session: screened before the transaction, sealed and numbered in it, each in constant time."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import InvalidField, VaultError
from vault.keys import key_vault
from vault.models import Session, Turn
from vault.retrieval import trail
from vault.retrieval.records import Content
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.session_set import summary_entry, turn_entry
from vault.retrieval.token_counter import token_counter
from vault.retrieval.turns import TOOL_CALL, TOOL_CALLS, open_state, open_turn, seal_state, seal_turn
from vault.sessions.binding import OpenSet
from vault.sessions.finding import find_session, note_denied, require_active
from vault.sessions.records import StoredTurn, TurnDraft
from vault.sessions.retrieval_moments import SHIFT, START, Topic, observe
from vault.sessions.roles import Role
from vault.sessions.screening import ScreenedTurn, screen_turn
from vault.sessions.strongest import follow_full_blocks
from vault.sessions.summaries import summarise_full_blocks
from vault.sessions.weigh import weigh
from vault.sessions.withheld import call_among
from vault.writing.fingerprint import same_statement_form
from vault.writing.locks import lock_subject

# What a model is charged for the frame of one message.
FRAME_TOKENS = 4
# How far back a tool's call may lie, in turns that call tools.
OPEN_CALLS_LOOKED_AT = 20

# Where a turn stands in a body: among others, or as the body itself.
IN_A_LIST, ALONE = "/turns/{}", ""

Remember = Callable[[Session, Sequence[StoredTurn]], None]


@dataclass(frozen=True, slots=True)
class Appended:
    """The session as it stands after its new turns."""

    session: Session
    turns: tuple[StoredTurn, ...]


def append_turns(
    *,
    session_id: UUID,
    drafts: Sequence[TurnDraft],
    scope: Scope,
    pointer: str = IN_A_LIST,
    remember: Remember | None = None,
) -> Appended:
    """Add turns in order, all or none. `remember` is called inside the transaction.

    `pointer` is where a turn stands in what the caller sent, its place as `{}`.

    Raises NotFound, InvalidTransition when the session is over, InvalidField for an answer without its call.
    """
    try:
        namespace = _check(session_id, scope)
        screened = [screen_turn(draft, namespace=namespace) for draft in drafts]
        with transaction.atomic(durable=True):
            session = find_session(session_id=session_id, scope=scope, right=Right.SESSION_WRITE)
            lock_subject(session.subject_id)
            session = Session.objects.select_for_update().get(pk=session.pk)
            now = timezone.now()
            require_active(session, now=now)
            keys = key_vault().subject(session.subject_id)
            stored = add_screened(session, screened, keys=keys, now=now, pointer=pointer)
            trail.note(
                Event.SESSION_TURN, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                count=len(stored), findings=sum(len(turn.findings) for turn in stored),
            )  # fmt: skip
            if remember is not None:
                remember(session, stored)
    except VaultError as refusal:
        note_denied(refusal, Event.SESSION_TURN, session_id=session_id, scope=scope)
        raise
    return Appended(session, stored)


def add_screened(
    session: Session,
    screened: Sequence[ScreenedTurn],
    *,
    keys: SubjectKeys,
    now: datetime,
    pointer: str = IN_A_LIST,
) -> tuple[StoredTurn, ...]:
    """Store screened turns behind those of a locked session whose rows are open to the transaction."""
    rows = OpenSet(session, keys=keys)
    before = session.turn_count
    stored = tuple(
        _store(turn, pointer.format(index), session, rows, keys=keys, now=now)
        for index, turn in enumerate(screened)
    )
    _advance(session, screened, keys=keys, now=now)
    for summary in summarise_full_blocks(session, before=before, keys=keys, now=now):
        rows.add(summary_entry(summary))
    follow_full_blocks(session, before=before, rows=rows, keys=keys, now=now)
    rows.keep(now=now)
    return stored


def _check(session_id: UUID, scope: Scope) -> GrantedNamespace:
    """What can be refused without looking at the text; the namespace by whose policy it is screened."""
    with transaction.atomic(durable=True):
        session = find_session(session_id=session_id, scope=scope, right=Right.SESSION_WRITE)
        require_active(session, now=timezone.now())
        return scope.namespace(session.namespace.name, Right.SESSION_WRITE)


def _store(
    turn: ScreenedTurn, pointer: str, session: Session, rows: OpenSet, *, keys: SubjectKeys, now: datetime
) -> StoredTurn:
    content, draft = turn.content, turn.draft
    conclusion = str(content.metadata.get("conclusion", ""))
    session.turn_count += 1
    row = Turn(
        session=session, subject_id=session.subject_id, namespace_id=session.namespace_id, number=session.turn_count,
        role=draft.role, trust=turn.trust.value, importance=weigh(draft.role, content.text, conclusion=conclusion),
        tokens=turn_tokens(content), calls=len(content.metadata.get(TOOL_CALLS, ())),
        fingerprint=keys.fingerprint(same_statement_form(content.text or conclusion)), created_at=now,
    )  # fmt: skip
    if draft.role == Role.TOOL:
        # An id may have been masked with the call, or here alone, as a part of what stood beside it.
        ids = {draft.tool_call, str(content.metadata.get(TOOL_CALL, ""))}
        row.unit, call = _answer_call(ids, pointer, session, rows, keys=keys)
        content = replace(content, metadata={**content.metadata, TOOL_CALL: call})
    elif not row.calls:
        _mark_repeated(row, session, rows)
    seal_turn(row, content, keys=keys)
    row.save(force_insert=True)
    rows.add(turn_entry(row, form=session.manifest_form))
    if row.role == Role.SYSTEM and not row.calls:
        session.system_turns += 1
    session.token_count += row.tokens
    return StoredTurn(row.number, row.role, row.trust, row.importance, row.tokens, turn.findings)


def turn_tokens(content: Content) -> int:
    """What a turn costs a model: its words, its calls as JSON, and the frame of a message."""
    calls = content.metadata.get(TOOL_CALLS)
    said = content.text + (json.dumps(calls, ensure_ascii=False) if calls else "")
    return token_counter().count(said) + FRAME_TOKENS


def _answer_call(
    ids: Collection[str], pointer: str, session: Session, rows: OpenSet, *, keys: SubjectKeys
) -> tuple[int, str]:
    """The turn that made a call which nobody has answered yet, and the call's id there; now it is answered.

    Raises InvalidField.
    """
    calling = Turn.objects.filter(session=session, calls__gt=F("answered")).order_by("-number")
    for row in calling[:OPEN_CALLS_LOOKED_AT]:
        call = call_among(open_turn(row, keys=keys), ids)
        if call is not None:
            answers = Turn.objects.filter(session=session, unit=row.number)
            if any(open_turn(answer, keys=keys).tool_call == call for answer in answers):
                break
            before = turn_entry(row, form=session.manifest_form)
            row.answered += 1
            row.save(update_fields=["answered"])
            rows.replace(before, turn_entry(row, form=session.manifest_form))
            return row.number, call
    raise InvalidField(
        "No turn of this session waits for the answer to this call.", pointer=f"{pointer}/tool_call"
    )


def _mark_repeated(row: Turn, session: Session, rows: OpenSet) -> None:
    """An earlier turn of the same role and words gives its place in a window to this one."""
    same = Turn.objects.filter(
        session=session, fingerprint=row.fingerprint, role=row.role, calls=0, unit=None
    )
    for earlier in same.filter(repeated=False):
        before = turn_entry(earlier, form=session.manifest_form)
        earlier.repeated = True
        earlier.save(update_fields=["repeated"])
        rows.replace(before, turn_entry(earlier, form=session.manifest_form))
        if row.role == Role.SYSTEM:
            session.system_turns -= 1


def _advance(
    session: Session,
    screened: Sequence[ScreenedTurn],
    *,
    keys: SubjectKeys,
    now: datetime,
) -> None:
    state = open_state(session, keys=keys)
    topic = Topic(state.vector, int(state.metadata.get("doubts", 0)))
    for turn in screened:
        if turn.draft.role == Role.USER:
            topic, shifted = observe(topic, turn.content.vector, words=len(turn.content.text.split()))
            if shifted and session.retrieve_why != START:
                session.retrieve_why = SHIFT
    metadata = {**state.metadata, "doubts": topic.doubts}
    seal_state(session, Content("", metadata=metadata, vector=topic.vector), keys=keys)
    session.last_turn_at = now
    session.idle_until = now + settings.SESSION_IDLE
    session.save()
