"""What a window takes from memories and summaries, looked at together before any of it is shown.

Each was looked at when it was written, and memories among themselves when they were found; one half of an order may
still lie in a memory and the other in what a tool said an hour ago. Turns are left as they were said. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from vault.retrieval.context import BlockMemory
from vault.retrieval.guard import Served, guard
from vault.sessions.roles import Role
from vault.sessions.summarise import Point
from vault.types import SourceType, Trust

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Together:
    """What may be shown, in its order, and how many were held back."""

    lines: tuple[BlockMemory[UUID], ...] = field(repr=False)
    points: tuple[Point, ...] = field(repr=False)
    held_back: int


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
