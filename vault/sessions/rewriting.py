"""Asking a language model for summaries, after they were written by the rules and outside every transaction.

A summary that is to be asked for carries the time. Taken up, its lines are read, the model is asked, and what holds
takes its place if it still stands: an erased turn has made another summary by then, and wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.log import Actor
from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault, NotFound, SubjectErased
from vault.keys import key_vault
from vault.language_model import ILL, ModelFailed, may_ask
from vault.models import Session, SessionSummary, SummaryLevel, isolation
from vault.retrieval import trail
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.retrieval.session_set import check_session
from vault.retrieval.turns import open_turns
from vault.screening import screen
from vault.sessions.binding import binding_subject_summary, rebinding
from vault.sessions.model_summary import Line, lines_of_points, lines_of_turns, write_points
from vault.sessions.strongest import choose_anew
from vault.sessions.summaries import (
    SESSION_POINTS,
    SUBJECT_POINTS,
    points_in,
    replace_summary,
    summarise_subject,
    turns_between,
)
from vault.sessions.summarise import MAX_POINTS, Point
from vault.types import Action, MemoryDraft, ModelUse, Source, SourceType, Trust
from vault.writing.judge import policy_of
from vault.writing.locks import lock_subject

SCOPE = Scope(actor=Actor("system", "sessions"), namespaces=(), everything=True)
MOST = {
    SummaryLevel.TURNS: MAX_POINTS,
    SummaryLevel.SESSION: SESSION_POINTS,
    SummaryLevel.SUBJECT: SUBJECT_POINTS,
}
# For so long nobody else takes one up; longer than the model may take, and screening after it.
LEASE = timedelta(minutes=10)
MAX_ASKED = 3
AGAIN_AFTER = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Taken:
    """A summary as it stood when it was taken up, and what the model may see for it."""

    row: SessionSummary
    lines: list[Line] = field(repr=False)
    quoted: list[Point] = field(repr=False)
    place: GrantedNamespace


def write_summaries(*, now: datetime, limit: int) -> int:
    """Ask for up to `limit` summaries; returns how many were taken up. Stops early where the endpoint is ill."""
    if not may_ask(ModelUse.SUMMARIES):
        return 0
    done = 0
    for summary_id, subject_id in _due(now, limit):
        fallback = _write(summary_id, subject_id, now)
        done += fallback is not None
        if fallback in ILL:
            break
    return done


def _due(now: datetime, limit: int) -> list[tuple[UUID, UUID]]:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = SessionSummary.objects.filter(
            ask_model_at__lte=now, subject__erased_at__isnull=True, subject__restricted_at__isnull=True
        )
        return list(rows.order_by("ask_model_at").values_list("pk", "subject_id")[:limit])


def _write(summary_id: UUID, subject_id: UUID, now: datetime) -> str | None:
    """Ask for one summary; why it stayed as it was, empty when it did not, None when there was nothing to ask."""
    try:
        taken = _take(summary_id, subject_id, now)
        if taken is None:
            return None
        try:
            points, fallback = _ask(taken), ""
        except ModelFailed as failure:
            points, fallback = _marked(taken.quoted, failure.code), failure.code
        _put(taken, points, fallback, now=timezone.now())
    except IntegrityFault as fault:
        # What was tampered with is neither sent anywhere nor written anew.
        trail.note_refusal(
            Event.SESSION_READ, scope=SCOPE, kind="summary", target=summary_id, outcome=Outcome.FAILED,
            reason=fault.code,
        )  # fmt: skip
        return None
    return fallback


def _take(summary_id: UUID, subject_id: UUID, now: datetime) -> Taken | None:
    """Take a summary up for LEASE and read its lines; None when somebody else has, or it is gone."""
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        rows = SessionSummary.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            pk=summary_id, ask_model_at__lte=now, subject__erased_at__isnull=True, subject__restricted_at__isnull=True
        )  # fmt: skip
        row = rows.select_related("namespace").first()
        if row is None:
            return None
        row.ask_model_at, row.asked = now + LEASE, row.asked + 1
        row.save(update_fields=["ask_model_at", "asked"])
        keys = key_vault().subject(subject_id)
        quoted = points_in(row, keys=keys)
        lines = _lines(row, quoted, keys)
        trail.note(
            Event.SESSION_READ, scope=SCOPE, kind="summary", target=row.pk, subject_ref=keys.audit_reference,
            reason="language_model", count=len(lines),
        )  # fmt: skip
    place = row.namespace
    granted = GrantedNamespace(
        place.pk, place.name, frozenset(), Trust.VERIFIED, place.sealed, place.policy, place.policy_version
    )
    return Taken(row, lines, quoted, granted)


def _lines(row: SessionSummary, quoted: list[Point], keys: SubjectKeys) -> list[Line]:
    if row.level != SummaryLevel.TURNS or row.session_id is None:
        return lines_of_points(quoted)
    check_session(row.session_id, keys=keys)
    session = Session.objects.get(pk=row.session_id)
    return lines_of_turns(open_turns(turns_between(session, row.first, row.last), keys=keys))


def _ask(taken: Taken) -> list[Point]:
    """The points in the model's words; those of the rules where no line may be shown to it. Raises ModelFailed."""
    if not taken.lines:
        return taken.quoted
    most = MOST[SummaryLevel(taken.row.level)]
    return write_points(
        taken.lines, taken.quoted, most=most, is_clean=lambda point: _is_clean(point, taken.place)
    )


def _is_clean(point: Point, place: GrantedNamespace) -> bool:
    """Whether the point, written as a memory, would be stored just as it is."""
    draft = MemoryDraft(subject="", namespace=place.name, text=point.text, source=Source(SourceType.SYSTEM))
    verdict = screen(
        draft, trust=Trust(point.trust), policy=policy_of(place), budget_seconds=settings.SCREENING_BUDGET_SECONDS
    )  # fmt: skip
    return verdict.action is Action.ALLOW


def _marked(points: list[Point], code: str) -> list[Point]:
    return [replace(point, fallback=code) for point in points]


def _put(taken: Taken, points: list[Point], fallback: str, *, now: datetime) -> None:
    """Write the points in the place of those that were read, if they still stand."""
    subject_id = taken.row.subject_id
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        try:
            subject = lock_subject(subject_id)
        except (NotFound, SubjectErased):
            return
        # Every change of a turn makes a summary of another id.
        row = SessionSummary.objects.filter(pk=taken.row.pk, subject=subject).first()
        if row is None or subject.restricted_at is not None:
            return
        keys = key_vault().subject(subject_id)
        again = now + AGAIN_AFTER * row.asked if fallback and row.asked < MAX_ASKED else None
        if row.session_id is None:
            with binding_subject_summary(subject, row.namespace_id, keys=keys, now=now):
                replace_summary(row, points, keys=keys, now=now, ask_again_at=again)
        else:
            session = (
                Session.objects.select_for_update(of=("self",))
                .select_related("subject")
                .get(pk=row.session_id)
            )
            with rebinding(session, keys=keys, now=now):
                replace_summary(row, points, keys=keys, now=now, ask_again_at=again)
                if row.level == SummaryLevel.TURNS:
                    choose_anew(session, keys=keys, now=now)
                if row.level == SummaryLevel.SESSION and not fallback:
                    summarise_subject(session, keys=keys, now=now)
        trail.note(
            Event.SESSION_TURN, scope=SCOPE, kind="summary", target=taken.row.pk, subject_ref=keys.audit_reference,
            reason=fallback or "summarised_by_model", count=len(points),
        )  # fmt: skip
