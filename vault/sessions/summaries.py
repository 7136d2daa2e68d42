"""Keeping summaries in step with turns: of each full block, of a session that ended, of a subject's sessions.

A block is summarised when its last turn comes, so that a turn costs the same however long the session is. A summary is
rebuilt from what is left when one of its turns is erased, and goes when nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from vault.crypto import SubjectKeys
from vault.language_model import may_ask
from vault.models import Session, SessionSummary, SummaryLevel, Turn
from vault.models.identifiers import new_id
from vault.retrieval.records import Content
from vault.retrieval.token_counter import token_counter
from vault.retrieval.turns import open_summary, open_turns, seal_summary
from vault.sessions.records import SummaryState
from vault.sessions.summarise import (
    MODEL,
    RULES,
    Point,
    extract,
    line,
    lowest_trust,
    newest_of_equal,
    strongest,
)
from vault.types import ModelUse

BLOCK_TURNS = 40
SESSION_POINTS = 40
SUBJECT_POINTS = 60
EXTRACTIVE = "extractive"


def summarise_full_blocks(
    session: Session, *, before: int, keys: SubjectKeys, now: datetime
) -> list[SessionSummary]:
    """Summarise the blocks that the turns after number `before` filled up; returns what was written."""
    blocks = range(before // BLOCK_TURNS, session.turn_count // BLOCK_TURNS)
    made = [rebuild_block(session, first=block * BLOCK_TURNS + 1, keys=keys, now=now) for block in blocks]
    return [summary for summary in made if summary is not None]


def rebuild_block(session: Session, *, first: int, keys: SubjectKeys, now: datetime) -> SessionSummary | None:
    """Write the summary of one block anew from the turns that are there."""
    last = first + BLOCK_TURNS - 1
    SessionSummary.objects.filter(session=session, level=SummaryLevel.TURNS, first=first).delete()
    points = extract(open_turns(turns_between(session, first, last), keys=keys))
    if not points:
        return None
    return _write(session, points, level=SummaryLevel.TURNS, keys=keys, now=now, first=first, last=last)


def points_of_session(session: Session, *, keys: SubjectKeys) -> list[Point]:
    """The points of all blocks, and of the turns behind the last full one; of equal ones the newest."""
    return newest_of_equal([*points_of_blocks(session, keys=keys), *points_behind_blocks(session, keys=keys)])


def points_of_blocks(session: Session, *, keys: SubjectKeys, after: int = 0) -> list[Point]:
    """The points of the blocks behind turn `after`, in the order in which they were said."""
    rows = SessionSummary.objects.filter(session=session, level=SummaryLevel.TURNS, first__gt=after)
    return [point for row in rows.order_by("first") for point in points_in(row, keys=keys)]


def points_behind_blocks(session: Session, *, keys: SubjectKeys) -> list[Point]:
    """The points of the turns behind the last full block."""
    rest = session.turn_count // BLOCK_TURNS * BLOCK_TURNS + 1
    return extract(open_turns(turns_between(session, rest, session.turn_count), keys=keys))


def summarise_session(session: Session, points: Iterable[Point], *, keys: SubjectKeys, now: datetime) -> None:
    """Write the summary of a whole session, and of the subject's sessions from those."""
    SessionSummary.objects.filter(session=session, level=SummaryLevel.SESSION).delete()
    kept = strongest(points, most=SESSION_POINTS)
    if kept:
        _write(
            session, kept, level=SummaryLevel.SESSION, keys=keys, now=now, first=min(p.turn for p in kept),
            last=max(p.turn for p in kept),
        )  # fmt: skip
    summarise_subject(session, keys=keys, now=now)


def summarise_subject(session: Session, *, keys: SubjectKeys, now: datetime) -> None:
    """Write the summary of all sessions of a subject in this session's namespace."""
    mine = SessionSummary.objects.filter(subject_id=session.subject_id, namespace_id=session.namespace_id)
    mine.filter(level=SummaryLevel.SUBJECT).delete()
    points = [
        replace(point, session=str(row.session_id))
        for row in mine.filter(level=SummaryLevel.SESSION).order_by("created_at")
        for point in points_in(row, keys=keys)
    ]
    kept = strongest(points, most=SUBJECT_POINTS)
    if kept:
        _write(session, kept, level=SummaryLevel.SUBJECT, keys=keys, now=now)


def subject_points(session: Session, *, keys: SubjectKeys) -> list[Point]:
    """What is carried on from the subject's earlier sessions in this namespace."""
    row = SessionSummary.objects.filter(
        subject_id=session.subject_id, namespace_id=session.namespace_id, level=SummaryLevel.SUBJECT
    ).first()
    return points_in(row, keys=keys) if row else []


def state_of_summary(session: Session, *, keys: SubjectKeys) -> SummaryState | None:
    """Who wrote the summary of a session; None before it has one."""
    row = SessionSummary.objects.filter(session=session, level=SummaryLevel.SESSION).first()
    if row is None:
        return None
    fallback = next((point.fallback for point in points_in(row, keys=keys) if point.fallback), "")
    by = MODEL if row.method == MODEL else RULES
    return SummaryState(by, fallback, pending=row.ask_model_at is not None)


def points_in(row: SessionSummary, *, keys: SubjectKeys) -> list[Point]:
    """The points of a sealed summary; raises IntegrityFault when it was altered."""
    return [Point.from_json(value) for value in open_summary(row, keys=keys).metadata["points"]]


def turns_between(session: Session, first: int, last: int) -> Iterable[Turn]:
    return Turn.objects.filter(session=session, number__gte=first, number__lte=last).order_by("number")


def replace_summary(
    old: SessionSummary, points: Sequence[Point], *, keys: SubjectKeys, now: datetime, ask_again_at: datetime | None
) -> SessionSummary:  # fmt: skip
    """Put a summary with these points in the place of one; the session's set must be open to the change."""
    new = SessionSummary(
        session_id=old.session_id, subject_id=old.subject_id, namespace_id=old.namespace_id, level=old.level,
        first=old.first, last=old.last, is_bound=old.is_bound, ask_model_at=ask_again_at, asked=old.asked,
    )  # fmt: skip
    old.delete()
    return _seal(new, points, keys=keys, now=now)


def _write(
    session: Session, points: Sequence[Point], *, level: SummaryLevel, keys: SubjectKeys, now: datetime, first: int = 0,
    last: int = 0,
) -> SessionSummary:  # fmt: skip
    row = SessionSummary(
        session=None if level is SummaryLevel.SUBJECT else session, subject_id=session.subject_id,
        namespace_id=session.namespace_id, level=level, first=first, last=last,
        is_bound=level is SummaryLevel.SUBJECT, ask_model_at=now if may_ask(ModelUse.SUMMARIES) else None,
    )  # fmt: skip
    return _seal(row, points, keys=keys, now=now)


def method_of(points: Iterable[Point]) -> str:
    """How the words of a summary with these points came about."""
    return MODEL if any(point.by == MODEL for point in points) else EXTRACTIVE


def _seal(
    row: SessionSummary, points: Sequence[Point], *, keys: SubjectKeys, now: datetime
) -> SessionSummary:
    count = token_counter().count
    row.id, row.created_at, row.trust = new_id(), now, lowest_trust(points).value
    row.tokens = sum(count(line(point)) for point in points)
    row.method = method_of(points)
    seal_summary(row, Content("", metadata={"points": [point.to_json() for point in points]}), keys=keys)
    row.save(force_insert=True)
    return row
