"""The turns that a window may show, chosen by the database from the numbers in clear. Reads no ciphertext.

The window looks at its turns by priority until it is full and a few more were passed over (see fit.within_reach). So
only so many are read, off an index in that order, and whatever stands or falls with them: what is arranged from these
is what would be arranged from all, and costs by the size of the window and not by the session's.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, Q, QuerySet, Sum

from vault.models import Session, Turn
from vault.sessions.fit import MOST_PASSED_OVER, RECENT_UNITS, TurnNumbers, Unit, certain, units_of, walk
from vault.sessions.roles import Role

# So many turns are read at first for a budget, as if none cost less than this; then again and again four times as many.
TYPICAL_TOKENS = 10
MORE = 4

COLUMNS = ("number", "role", "importance", "tokens", "calls", "unit", "repeated")


def candidates(session: Session, *, max_tokens: int) -> list[Unit]:
    """The units to choose from, in their order. The session's rows must be open to the transaction."""
    rows = Turn.objects.filter(session=session)
    first = _before_everything(rows)
    most = max_tokens // TYPICAL_TOKENS + MOST_PASSED_OVER
    while True:
        weightiest = _weightiest(rows, most)
        units, _ = units_of(_with_their_units(rows, {*first, *weightiest}))
        if len(weightiest) < most or _is_enough(units, weightiest, max_tokens):
            return units
        most *= MORE


def incomplete_turns(session: Session) -> int:
    """How many turns wait for an answer: calls, and what has been answered of them."""
    waiting = Turn.objects.filter(session=session, unit=None, calls__gt=F("answered"))
    return waiting.aggregate(turns=Sum(F("answered") + 1))["turns"] or 0


def _before_everything(rows: QuerySet[Turn]) -> set[TurnNumbers]:
    """The complete ones among the system's turns, the newest of the user, and the recent ones."""
    complete = rows.filter(unit=None, repeated=False, calls=F("answered"))
    newest = complete.order_by("-number")
    wanted = complete.filter(role=Role.SYSTEM).values_list(*COLUMNS).union(
        newest.filter(role=Role.USER).values_list(*COLUMNS)[:1], newest.values_list(*COLUMNS)[:RECENT_UNITS]
    )  # fmt: skip
    return {TurnNumbers(*row) for row in wanted}


def _weightiest(rows: QuerySet[Turn], most: int) -> list[TurnNumbers]:
    found = rows.filter(repeated=False).order_by("-importance", "-number")
    return [TurnNumbers(*row) for row in found.values_list(*COLUMNS)[:most]]


def _with_their_units(rows: QuerySet[Turn], found: Iterable[TurnNumbers]) -> list[TurnNumbers]:
    """Those turns in their order, and whatever stands or falls with them."""
    known = {turn.number: turn for turn in found}
    heads = {turn.unit or turn.number for turn in known.values() if turn.unit or turn.calls}
    if heads:
        together = rows.filter(Q(number__in=heads) | Q(unit__in=heads))
        known |= {row[0]: TurnNumbers(*row) for row in together.values_list(*COLUMNS)}
    return [known[number] for number in sorted(known)]


def _is_enough(units: list[Unit], weightiest: list[TurnNumbers], budget: int) -> bool:
    """Whether a window looks at none but these; of units that stand behind the last turn read, some may be missing."""
    last = weightiest[-1]
    read = (unit for unit in units if unit.place >= (last.importance, last.number))
    return walk(read, first=certain(units), budget=budget).is_over
