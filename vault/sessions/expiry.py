"""What ends by itself: sessions that are idle or too old, and the turns of those that are over.

Every function works through one batch and says how many it did. A subject on hold keeps everything.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.log import Actor
from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault, SubjectErased
from vault.keys import key_vault
from vault.models import LegalHold, Session, SessionStatus, SessionSummary, SummaryLevel, Turn, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.sessions.binding import rebinding
from vault.sessions.end import close_session
from vault.sessions.finding import is_over
from vault.writing.locks import lock_subject

SCOPE = Scope(actor=Actor("system", "sessions"), namespaces=(), everything=True)
IDLE, TOO_OLD = "idle", "too_old"


def expire_due_sessions(*, now: datetime, limit: int) -> int:
    """End up to `limit` sessions whose time is up; without an agent nothing is written from them."""
    due = Q(status=SessionStatus.ACTIVE) & (Q(idle_until__lte=now) | Q(ends_at__lte=now))
    return sum(_expire(session, subject, now) for session, subject in _found(due, limit))


def purge_due_sessions(*, now: datetime, limit: int) -> int:
    """Delete the turns of up to `limit` sessions that have been over for long enough; their summaries stay."""
    return sum(_purge(session, subject, now) for session, subject in _found(Q(purge_at__lte=now), limit))


def _found(due: Q, limit: int) -> list[tuple[UUID, UUID]]:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = _not_held(Session.objects.filter(due)).order_by("idle_until")
        return list(rows.values_list("pk", "subject_id")[:limit])


def _not_held(rows: QuerySet[Session]) -> QuerySet[Session]:
    held = LegalHold.objects.filter(subject_id=OuterRef("subject_id"), released_at__isnull=True)
    return rows.filter(~Exists(held))


def _locked(session_id: UUID, subject_id: UUID) -> Session | None:
    """The locked session; None when its subject was erased, or a hold placed, since the batch was chosen."""
    isolation.open_whole_subject(subject_id)
    try:
        lock_subject(subject_id)
    except SubjectErased:
        return None
    return _not_held(Session.objects.filter(pk=session_id)).select_for_update(of=("self",)).first()


def _expire(session_id: UUID, subject_id: UUID, now: datetime) -> bool:
    try:
        with transaction.atomic(durable=True):
            session = _locked(session_id, subject_id)
            if session is None or session.status != SessionStatus.ACTIVE or not is_over(session, now=now):
                return False
            keys = key_vault().subject(subject_id)
            reason = TOO_OLD if session.ends_at <= now else IDLE
            close_session(session, status=SessionStatus.EXPIRED, keys=keys, now=now)
            trail.note(
                Event.SESSION_ENDED, scope=SCOPE, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                reason=reason,
            )  # fmt: skip
    except IntegrityFault as fault:
        # One that was tampered with must not keep the others waiting; nobody can read it as it stands.
        trail.note_refusal(
            Event.SESSION_ENDED, scope=SCOPE, kind="session", target=session_id, outcome=Outcome.FAILED,
            reason=fault.code,
        )  # fmt: skip
        return False
    return True


def _purge(session_id: UUID, subject_id: UUID, now: datetime) -> bool:
    with transaction.atomic(durable=True):
        session = _locked(session_id, subject_id)
        if session is None or session.purge_at is None or session.purge_at > now:
            return False
        keys = key_vault().subject(subject_id)
        turns = _delete_turns(session, keys=keys, now=now)
        trail.note(
            Event.SESSION_ENDED, scope=SCOPE, kind="session", target=session.pk, subject_ref=keys.audit_reference,
            reason="purged", count=turns,
        )  # fmt: skip
    return True


def _delete_turns(session: Session, *, keys: SubjectKeys, now: datetime) -> int:
    """Delete the turns and the summaries of stretches of them; returns how many turns there were."""
    try:
        with rebinding(session, keys=keys, now=now):
            return _deleted(session)
    except IntegrityFault:
        # What was tampered with goes in its time all the same; what is left of it goes on being refused.
        return _deleted(session)


def _deleted(session: Session) -> int:
    turns, _ = Turn.objects.filter(session=session).delete()
    SessionSummary.objects.filter(session=session, level=SummaryLevel.TURNS).delete()
    session.purge_at = None
    session.save(update_fields=["purge_at"])
    return turns
