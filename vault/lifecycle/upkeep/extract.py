"""Putting statements together without a word of our own: pure, and nothing of them is left out.

The road not taken: dropping sentences that another seems to contain, or a summary by rules. Every number, name and
date of the originals has to be in what takes their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

ENDS = (".", "!", "?", "…", "。", "！", "？", "।", "؟")


@dataclass(frozen=True, slots=True)
class Statement:
    """One original; `occurred_at` is when what it tells of happened, if that is known."""

    text: str = field(repr=False)
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Extract:
    """The text, and where in it each original stands (start, end), in their order."""

    text: str = field(repr=False)
    places: tuple[tuple[int, int], ...]
    occurred_at: datetime | None = None


def put_together(statements: Sequence[Statement]) -> Extract:
    """All statements one after another, each as it is, as sentences on one line.

    When they happened at different times each is led by its day; when at the same, that is the whole's.
    """
    times = {statement.occurred_at for statement in statements}
    together = times.pop() if len(times) == 1 else None
    text, places = "", []
    for statement in statements:
        lead = "" if together else lead_of(statement.occurred_at)
        before = f"{text} {lead}" if text else lead
        said = statement.text.strip()
        places.append((len(before), len(before) + len(said)))
        text = before + said + ("" if said.endswith(ENDS) else ".")
    return Extract(text, tuple(places), together)


def lead_of(occurred_at: datetime | None) -> str:
    """The day that leads a statement, where one is known."""
    # The word keeps the day from running into a number that the statement before ends with.
    return f"On {occurred_at.date().isoformat()}: " if occurred_at else ""
