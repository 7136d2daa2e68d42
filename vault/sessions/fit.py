"""Which turns a window shows: decided by the numbers alone, nothing opened. Pure.

A tool's call and its answers go together or not at all; one whose answers have not all come is left out, because no
model takes a call without its result. What does not fit is left out whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vault.errors import InvalidField
from vault.sessions.roles import Role

# The last turns go before everything but instructions, between five and ten of them.
RECENT_UNITS = 8
# So many units that do not fit are passed over for what stands behind them; then a window looks no further.
MOST_PASSED_OVER = 50
TOO_SMALL = "The budget does not hold the system's instructions and the newest turn of the user."


class TurnNumbers(NamedTuple):
    """What stands of a turn in clear."""

    number: int
    role: str
    importance: float
    tokens: int
    calls: int = 0
    unit: int | None = None
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """Turns that stand or fall together."""

    numbers: tuple[int, ...]
    role: str
    importance: float
    tokens: int

    @property
    def last(self) -> int:
        return self.numbers[-1]

    @property
    def place(self) -> tuple[float, int]:
        """Where it stands among those that compete for a window: the greater, the sooner it is taken."""
        return self.importance, self.numbers[0]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Numbers of the turns to show, in order, what they cost, and the numbers of those left out."""

    numbers: tuple[int, ...]
    tokens: int
    left_out: tuple[int, ...]
    incomplete: int = 0


def units_of(turns: Iterable[TurnNumbers]) -> tuple[list[Unit], int]:
    """The complete units in the order of their first turns, and how many turns wait for an answer."""
    answers: dict[int, list[TurnNumbers]] = {}
    heads: list[TurnNumbers] = []
    for turn in turns:
        if turn.unit is None:
            heads.append(turn)
        else:
            answers.setdefault(turn.unit, []).append(turn)
    found, incomplete = [], 0
    for head in heads:
        members = [head, *answers.pop(head.number, [])]
        if len(members) - 1 != head.calls:
            incomplete += len(members)
        elif not (head.repeated and not head.calls):
            found.append(_unit(members))
    # Answers whose call was erased.
    incomplete += sum(len(some) for some in answers.values())
    return found, incomplete


def _unit(members: Sequence[TurnNumbers]) -> Unit:
    return Unit(
        tuple(turn.number for turn in members),
        members[0].role,
        max(turn.importance for turn in members),
        sum(turn.tokens for turn in members),
    )


def needed(units: Sequence[Unit]) -> list[Unit]:
    """What every window holds: the system's instructions and the newest turn of the user."""
    newest = next((unit for unit in reversed(units) if unit.role == Role.USER), None)
    return [unit for unit in units if unit.role == Role.SYSTEM or unit is newest]


def certain(units: Sequence[Unit]) -> list[Unit]:
    """What is looked at before anything competes, in this order: what every window holds, and the last units."""
    return [*needed(units), *reversed(units[-RECENT_UNITS:])]


def within_reach(units: Sequence[Unit], *, budget: int) -> list[Unit]:
    """The units that a window of this budget looks at, in their order: so it costs by its size, not the session's.

    Whatever goes before everything, and of the others as many by priority as fit, with those passed over for them.
    """
    first = certain(units)
    reached = {unit.numbers[0] for unit in (*first, *walk(units, first=first, budget=budget).reached)}
    return [unit for unit in units if unit.numbers[0] in reached]


@dataclass(frozen=True, slots=True)
class Walk:
    """The units that were looked at by priority, and whether enough were passed over to look at no more."""

    reached: list[Unit]
    is_over: bool


def walk(units: Iterable[Unit], *, first: Iterable[Unit], budget: int) -> Walk:
    """Go through the units by priority behind `first`, filling the budget."""
    taken = {unit.numbers[0]: unit.tokens for unit in first}
    spent = passed_over = 0
    for tokens in taken.values():
        spent += tokens if spent + tokens <= budget else 0
    reached: list[Unit] = []
    for unit in sorted(units, key=lambda unit: unit.place, reverse=True):
        if unit.numbers[0] in taken:
            continue
        reached.append(unit)
        if spent + unit.tokens <= budget:
            spent += unit.tokens
        else:
            passed_over += 1
        if passed_over == MOST_PASSED_OVER:
            return Walk(reached, is_over=True)
    return Walk(reached, is_over=False)


def choose(units: Sequence[Unit], *, budget: int, incomplete: int = 0) -> Chosen:
    """The turns that fit into `budget` tokens. Raises InvalidField when what every window holds does not."""
    kept: list[Unit] = needed(units)
    spent = sum(unit.tokens for unit in kept)
    if spent > budget:
        raise InvalidField(TOO_SMALL, pointer="/max_tokens", needed=spent)
    taken = {unit.numbers[0] for unit in kept}
    for unit in _by_priority(units):
        if unit.numbers[0] not in taken and spent + unit.tokens <= budget:
            taken.add(unit.numbers[0])
            kept.append(unit)
            spent += unit.tokens
    numbers = sorted(number for unit in kept for number in unit.numbers)
    left = sorted(n for unit in units if unit.numbers[0] not in taken for n in unit.numbers)
    return Chosen(tuple(numbers), spent, tuple(left), incomplete)


def _by_priority(units: Sequence[Unit]) -> list[Unit]:
    newest_first = list(reversed(units))
    recent = newest_first[:RECENT_UNITS]
    return [*recent, *sorted(newest_first[RECENT_UNITS:], key=lambda unit: unit.place, reverse=True)]
