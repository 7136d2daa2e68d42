"""Erasing one turn: it goes, with the answers to its calls, and every summary that quoted it is made anew."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import NotFound, VaultError
from vault.keys import key_vault
from vault.models import Session, SessionSummary, SummaryLevel, Turn
from vault.retrieval import trail
from vault.retrieval.records import Content
from vault.retrieval.scope import Right, Scope
from vault.retrieval.turns import open_state, seal_state
from vault.sessions.binding import rebinding
from vault.sessions.finding import find_session, note_denied
from vault.sessions.strongest import choose_anew
from vault.sessions.summaries import BLOCK_TURNS, points_of_session, rebuild_block, summarise_session
from vault.writing.locks import lock_subject


def erase_turn(*, session_id: UUID, number: int, scope: Scope) -> int:
    """Delete a turn, and what answered its calls; says how many turns went. Raises NotFound."""
    try:
        with transaction.atomic(durable=True):
            session = find_session(session_id=session_id, scope=scope, right=Right.SESSION_WRITE)
            lock_subject(session.subject_id)
            session = Session.objects.select_for_update().get(pk=session.pk)
            keys = key_vault().subject(session.subject_id)
            now = timezone.now()
            with rebinding(session, keys=keys, now=now):
                gone = _delete(session, number)
                _summarise_anew(session, gone, keys=keys, now=now)
                state = open_state(session, keys=keys)
                # The topic is reckoned from the turns; it is forgotten with one of them.
                seal_state(session, Content("", metadata=state.metadata), keys=keys)
                session.save()
            trail.note(
                Event.SESSION_TURN, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                reason="erased", count=len(gone),
            )  # fmt: skip
    except VaultError as refusal:
        note_denied(refusal, Event.SESSION_TURN, session_id=session_id, scope=scope)
        raise
    return len(gone)


def _summarise_anew(session: Session, gone: Sequence[int], *, keys: SubjectKeys, now: datetime) -> None:
    for first in sorted({(each - 1) // BLOCK_TURNS * BLOCK_TURNS + 1 for each in gone}):
        if first + BLOCK_TURNS - 1 <= session.turn_count:
            rebuild_block(session, first=first, keys=keys, now=now)
            choose_anew(session, keys=keys, now=now)
    if SessionSummary.objects.filter(session=session, level=SummaryLevel.SESSION).exists():
        summarise_session(session, points_of_session(session, keys=keys), keys=keys, now=now)


def _delete(session: Session, number: int) -> list[int]:
    rows = Turn.objects.filter(session=session)
    turn = rows.filter(number=number).first()
    if turn is None:
        raise NotFound
    # A call without its answers, or an answer without its call, would be of no use to any model.
    head = turn.unit or turn.number
    unit = rows.filter(number=head) | rows.filter(unit=head)
    gone = list(unit)
    session.token_count -= sum(row.tokens for row in gone)
    unit.delete()
    for row in gone:
        _show_twin(rows, row)
    return [row.number for row in gone]


def _show_twin(rows: QuerySet[Turn], gone: Turn) -> None:
    """What the erased turn said again is the newest to say it now, and has its place in a window."""
    same = rows.filter(fingerprint=gone.fingerprint, role=gone.role, calls=0, unit=None)
    newest = same.order_by("-number").first()
    if newest is not None and newest.repeated:
        newest.repeated = False
        newest.save(update_fields=["repeated"])
