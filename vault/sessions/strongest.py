"""The weightiest points of a running session in one sealed row, so that a window opens one and not every block.

The row holds all points above a floor, so what it holds is exactly what comes first in the order of weight; of points
that say the same, only the newest counts. It follows the blocks: a block that fills up adds to it, and where one is
written anew the row is chosen anew from all. A window that needs points below the floor reads the blocks themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault
from vault.models import Session, SessionSummary, SummaryLevel
from vault.models.identifiers import new_id
from vault.retrieval.records import Content
from vault.retrieval.session_set import summary_entry
from vault.retrieval.turns import open_summary, seal_summary
from vault.sessions.binding import OpenSet
from vault.sessions.summaries import (
    BLOCK_TURNS,
    method_of,
    points_behind_blocks,
    points_of_blocks,
)
from vault.sessions.summarise import Point, lowest_trust, newest_of_equal

# Fewer blocks than these are opened as they are.
FEW_BLOCKS = 8
MOST_POINTS = 300

Place = tuple[float, int]


@dataclass(frozen=True, slots=True)
class Strongest:
    """Points in their order: all of a session's that weigh more than `floor`; all there are where it is None."""

    points: list[Point] = field(repr=False)
    floor: Place | None = None

    @property
    def is_all(self) -> bool:
        return self.floor is None

    def above(self, points: Sequence[Point]) -> list[Point]:
        """Those that come before everything below the floor; of equal weight, this session's own come first."""
        return [
            point
            for point in points
            if self.floor is None
            or (point.weight > self.floor[0] if point.session else place_of(point) > self.floor)
        ]

    def with_later(self, points: Sequence[Point]) -> Strongest:
        """With points that were said later; they take the place of equal ones even where they weigh less."""
        return Strongest(self.above(newest_of_equal([*self.points, *points])), self.floor)


def place_of(point: Point) -> Place:
    """Where a point stands among those of its session: the greater, the sooner a summary takes it."""
    return point.weight, point.turn


def cut(points: Sequence[Point], *, floor: Place | None = None) -> Strongest:
    """The weightiest of the points, given in their order; of equal ones the newest."""
    points = newest_of_equal(points)
    if len(points) > MOST_POINTS:
        floor = place_of(sorted(points, key=place_of, reverse=True)[MOST_POINTS])
        points = [point for point in points if place_of(point) > floor]
    return Strongest(list(points), floor)


def strongest_of(session: Session, *, keys: SubjectKeys) -> Strongest:
    """The weightiest points of a session, of the turns behind its last full block too."""
    behind = points_behind_blocks(session, keys=keys)
    row = _row(session)
    if row is None or row.last != _full(session):
        return Strongest(newest_of_equal([*points_of_blocks(session, keys=keys), *behind]))
    return _opened(row, keys).with_later(behind)


def follow_full_blocks(
    session: Session, *, before: int, rows: OpenSet, keys: SubjectKeys, now: datetime
) -> None:
    """Take in the blocks that the turns after number `before` filled up."""
    last = before // BLOCK_TURNS * BLOCK_TURNS
    if _full(session) == last or _full(session) < FEW_BLOCKS * BLOCK_TURNS:
        return
    old = _row(session)
    if session.manifest_form > 1 and (old.pk if old else None) != session.strongest_id:
        # An older one, or none: it must not live on in the next.
        raise IntegrityFault
    if old is not None and old.last == last:
        found = _opened(old, keys).with_later(points_of_blocks(session, keys=keys, after=last))
        found = cut(found.points, floor=found.floor)
    else:
        found = cut(points_of_blocks(session, keys=keys))
    new = _replace(session, old, found, keys=keys, now=now)
    session.strongest_id = new.pk
    if old is None:
        rows.add(summary_entry(new))
    else:
        rows.replace(summary_entry(old), summary_entry(new))


def choose_anew(session: Session, *, keys: SubjectKeys, now: datetime) -> None:
    """Follow a block that was written anew; the session's set must be open to any change.

    From all blocks: what the old block said may have kept out what an earlier one said.
    """
    old = _row(session)
    if old is not None:
        _replace(session, old, cut(points_of_blocks(session, keys=keys)), keys=keys, now=now)


def drop_strongest(session: Session) -> None:
    """For a session that is over: it has no window any more."""
    SessionSummary.objects.filter(session=session, level=SummaryLevel.STRONGEST).delete()


def _row(session: Session) -> SessionSummary | None:
    return SessionSummary.objects.filter(session=session, level=SummaryLevel.STRONGEST).first()


def _full(session: Session) -> int:
    """The number of the last turn that stands in a full block."""
    return session.turn_count // BLOCK_TURNS * BLOCK_TURNS


def _opened(row: SessionSummary, keys: SubjectKeys) -> Strongest:
    stored = open_summary(row, keys=keys).metadata
    floor = stored["floor"]
    return Strongest(
        [Point.from_json(value) for value in stored["points"]], (floor[0], floor[1]) if floor else None
    )


def _replace(
    session: Session, old: SessionSummary | None, found: Strongest, *, keys: SubjectKeys, now: datetime
) -> SessionSummary:
    if old is not None:
        # Its id is still needed, and a deleted object forgets it.
        SessionSummary.objects.filter(pk=old.pk).delete()
    row = SessionSummary(
        id=new_id(), session=session, subject_id=session.subject_id, namespace_id=session.namespace_id,
        level=SummaryLevel.STRONGEST, first=1, last=_full(session), trust=lowest_trust(found.points).value,
        # It is never shown as a whole, so nobody needs to know what it costs.
        tokens=0, method=method_of(found.points), created_at=now,
    )  # fmt: skip
    metadata = {"points": [point.to_json() for point in found.points], "floor": found.floor}
    seal_summary(row, Content("", metadata=metadata), keys=keys)
    row.save(force_insert=True)
    return row
