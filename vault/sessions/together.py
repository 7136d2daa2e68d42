"""What a window takes from memories and summaries, looked at together before any of it is shown.

Each was looked at when it was written, and memories among themselves when they were found; one half of an order may
still lie in a memory and the other in what a tool said an hour ago. Turns are left as they were said. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from vault.retrieval.context import BlockMemory
from vault.retrieval.guard import Served, guard
from vault.sessions.arrange import Arrangement
from vault.sessions.roles import Role
from vault.sessions.summarise import Point
from vault.types import SourceType, Trust

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
# What is held back gives its place to others, which are looked at in turn; behind so many rounds, distrust decides.
MOST_ROUNDS = 4

Arrange = Callable[[Sequence[BlockMemory[UUID]], Sequence[Point]], Arrangement]


@dataclass(frozen=True, slots=True)
class Together:
    """What may be shown, in its order, and how many were held back."""

    lines: tuple[BlockMemory[UUID], ...] = field(repr=False)
    points: tuple[Point, ...] = field(repr=False)
    held_back: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A window of which nothing reads together as an order, and how many memories and points were held back for it."""

    arrangement: Arrangement
    held_back: int


def arrange_together(
    *,
    lines: Sequence[BlockMemory[UUID]],
    memories: Sequence[Served[UUID]],
    points: Sequence[Point],
    question: str,
    since: datetime,
    arrange: Arrange,
) -> Shown:
    """What `arrange` makes of these, without what may not be shown beside the rest of it.

    Looked at is what has a place, and not all that might have had one: so it costs by the window and not by the
    session. Where places go on being given to what is held back, none is given to what is not trusted.
    """
    served = {memory.id: memory for memory in memories}
    held_back = 0
    for _ in range(MOST_ROUNDS):
        arrangement = arrange(lines, points)
        shown = [line for line in lines if line.id in set(arrangement.memories)]
        together = look_together(
            lines=shown, memories=[served[line.id] for line in shown], points=arrangement.summary.points,
            question=question, since=since,
        )  # fmt: skip
        if not together.held_back:
            return Shown(arrangement, held_back)
        held_back += together.held_back
        gone_lines = {line.id for line in shown} - {line.id for line in together.lines}
        gone_points = set(arrangement.summary.points) - set(together.points)
        lines = [line for line in lines if line.id not in gone_lines]
        points = [point for point in points if point not in gone_points]
    trusted_lines = [line for line in lines if not served[line.id].is_distrusted]
    trusted = [point for point in points if not _served(0, point, since).is_distrusted]
    held_back += len(lines) + len(points) - len(trusted_lines) - len(trusted)
    return Shown(arrange(trusted_lines, trusted), held_back)


def look_together(
    *,
    lines: Sequence[BlockMemory[UUID]],
    memories: Sequence[Served[UUID]],
    points: Sequence[Point],
    question: str,
    since: datetime,
) -> Together:
    """The lines and points that may be shown in one window. `memories` run parallel to the lines.

    `since` is when the session began: its points come behind it, those of earlier sessions before everything.
    """
    said = [_served(number, point, since) for number, point in enumerate(points)]
    ranked: list[Served[Any]] = [*memories, *said]
    guarded = guard(ranked, question=question, most=[len(ranked)])
    # What a tool said is shown as its turn; as a point it would be said again, in this session and the next.
    kept = set(guarded.kept) - {number for number in guarded.orders if isinstance(number, int)}
    return Together(
        tuple(line for line in lines if line.id in kept),
        tuple(point for number, point in enumerate(points) if number in kept),
        len(ranked) - len(kept),
    )


def _served(number: int, point: Point, since: datetime) -> Served[int]:
    start = LONG_AGO if point.session else since
    return Served(
        id=number,
        text=point.text,
        trust=Trust(point.trust),
        source_type=SourceType.EXTERNAL if point.role == Role.TOOL else SourceType.USER,
        source=f"{point.role}:{point.session}",
        created_at=start + timedelta(seconds=point.turn),
    )
