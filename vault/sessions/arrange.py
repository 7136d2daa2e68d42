"""Sharing a budget between memories, summary and turns. Pure.

What every window holds is set aside first; then memories and summary take at most their shares, and turns get all that
is left. What a share does not use goes to the turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from uuid import UUID

from django.conf import settings

from vault.retrieval.context import BlockMemory, assemble
from vault.retrieval.token_counter import token_counter
from vault.sessions.fit import RECENT_UNITS, Chosen, Unit, choose, needed, within_reach
from vault.sessions.summarise import (
    MODEL,
    RULES,
    Point,
    header_of,
    line,
    lowest_trust,
    newest_of_equal,
    said_once,
)
from vault.types import Trust

NO_TWINS: Mapping[UUID, int] = MappingProxyType({})
# Of what is left when the needed turns are in.
SHARE_OF_MEMORIES = 0.45
SHARE_OF_SUMMARY = 0.15
# A summary's heading alone is not worth its place.
MIN_SUMMARY_TOKENS = 60
# No line of a summary costs less.
MIN_LINE_TOKENS = 12
# So many lines that do not fit are passed over for a shorter one; then a summary is as full as it gets.
MOST_LINES_PASSED_OVER = 20


@dataclass(frozen=True, slots=True)
class Digest:
    """The text of a summary, and what it rests on."""

    text: str = field(repr=False)
    tokens: int
    points: tuple[Point, ...] = field(repr=False)
    trust: Trust = Trust.VERIFIED
    # Whether points that are none of the given could have had a place: the given ones ran out first.
    has_room: bool = False

    @property
    def by(self) -> str:
        """Who wrote it: a model, if any line is in a model's words."""
        return MODEL if any(point.by == MODEL for point in self.points) else RULES

    @property
    def fallback(self) -> str:
        """Why a model that was asked did not write what is quoted; empty when none failed."""
        return next((point.fallback for point in self.points if point.fallback), "")


NOTHING = Digest("", 0, ())


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What goes into a window, and what it costs together."""

    chosen: Chosen
    summary: Digest
    block: str = field(repr=False)
    block_tokens: int
    memories: tuple[UUID, ...]
    memories_omitted: int

    @property
    def tokens(self) -> int:
        return self.chosen.tokens + self.summary.tokens + self.block_tokens


def arrange(
    *,
    units: Sequence[Unit],
    points: Sequence[Point],
    memories: Sequence[BlockMemory[UUID]],
    max_tokens: int,
    needs_summary: bool,
    same: Mapping[UUID, int] = NO_TWINS,
) -> Arrangement:
    """The parts of a window, within `max_tokens` together.

    What a memory and a turn both say (`same`) is shown once: as the turn where that is shown anyway. Raises
    InvalidField when the budget does not hold what every window holds.
    """
    units = within_reach(units, budget=max_tokens)
    certain = needed(units)
    room = max_tokens - choose(certain, budget=max_tokens).tokens
    # Where all turns fit, memories get what they leave over.
    spare = int(room * SHARE_OF_MEMORIES) if needs_summary else max_tokens - sum(u.tokens for u in units)
    shown = {number for unit in (*certain, *units[-RECENT_UNITS:]) for number in unit.numbers}
    shown |= set() if needs_summary else {number for unit in units for number in unit.numbers}
    fresh = [memory for memory in memories if same.get(memory.id) not in shown]
    block = assemble(fresh, max_tokens=min(room, spare), count=by_line)
    told = {same[memory] for memory in block.memories if memory in same}
    units = [unit for unit in units if not (len(unit.numbers) == 1 and unit.last in told)]
    rough = choose(units, budget=max_tokens - block.tokens)
    earlier = [point for point in points if point.session]
    told_by_turns = set(rough.numbers)
    candidates = [
        point for point in points if not point.session and not told_by_turns.issuperset(point.turns)
    ]
    candidates = candidates if needs_summary else []
    summary = digest([*candidates, *earlier], budget=int((room - block.tokens) * SHARE_OF_SUMMARY))
    chosen = choose(units, budget=max_tokens - block.tokens - summary.tokens)
    return Arrangement(chosen, summary, block.text, block.tokens, block.memories, block.omitted)


def by_line(text: str) -> int:
    """The tokens of a text, line by line with each remembered: a block that grows is not counted anew every time.

    Never less than the whole counted at once, for no token reaches over the end of a line.
    """
    lines = text.split("\n")
    return sum(_counted(part, settings.TOKENIZER_FILE) for part in lines) + len(lines) - 1


@lru_cache(maxsize=4096)
def _counted(part: str, tokenizer: str) -> int:
    # The tokenizer is part of the key: another one counts otherwise.
    return token_counter().count(part)


def digest(points: Sequence[Point], *, budget: int) -> Digest:
    """The weightiest points that fit, in the order in which they were said, and what was said twice once.

    The points of each session are given in their order.
    """
    if budget < MIN_SUMMARY_TOKENS:
        return NOTHING
    count = token_counter().count
    header = header_of(points)
    spent = count(header)
    kept: list[Point] = []
    passed_over = 0
    for point in said_once(sorted(newest_of_equal(points), key=lambda p: (-p.weight, p.session, -p.turn))):
        if budget - spent < MIN_LINE_TOKENS or passed_over == MOST_LINES_PASSED_OVER:
            break
        cost = count("\n" + line(point))
        if spent + cost <= budget:
            kept.append(point)
            spent += cost
        else:
            passed_over += 1
    has_room = budget - spent >= MIN_LINE_TOKENS and passed_over < MOST_LINES_PASSED_OVER
    if not kept:
        return replace(NOTHING, has_room=has_room)
    kept.sort(key=lambda p: (p.session == "", p.turn))
    text = "\n".join([header, *(line(point) for point in kept)])
    return Digest(text, count(text), tuple(kept), lowest_trust(kept), has_room)
