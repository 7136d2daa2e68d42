"""The parts of a policy, each with what it may be, in words. Pure.

It tells what is wrong and never decides that something is: that is for the module to which a part belongs. What it says
names fields, bounds, types and the words that are allowed, and never repeats a value.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vault.nearest import did_you_mean

# A place and what is wrong there.
Fault = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Flag:
    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, bool):
            yield pointer, f"Must be true or false; {given(value)}."


@dataclass(frozen=True, slots=True)
class Word:
    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield pointer, f"Must be a word; {given(value)}."
        elif not value:
            yield pointer, "Must be a word; nothing stands between the quotes."


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds; `above` leaves the lower one out."""

    least: float
    most: float = math.inf
    is_whole: bool = False
    above: bool = False

    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        what = "a whole number" if self.is_whole else "a number"
        start = f"above {self.least:,g}" if self.above else f"from {self.least:,g}"
        end = f" to {self.most:,.0f}" if math.isfinite(self.most) else ""
        bounds = f"Must be {what} {start}{end}"
        if isinstance(value, bool) or not isinstance(value, int if self.is_whole else int | float):
            yield pointer, f"{bounds}; {given(value)}."
        elif value < self.least or (self.above and value <= self.least):
            yield pointer, f"{bounds}; what was given is not enough."
        elif not value <= min(self.most, sys.float_info.max):
            # So is what is no number at all.
            yield pointer, f"{bounds}; what was given is more."


@dataclass(frozen=True, slots=True)
class Choice:
    allowed: tuple[str, ...]

    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if isinstance(value, str) and value in self.allowed:
            return
        what = (
            did_you_mean(value, self.allowed) if isinstance(value, str) else f" {given(value).capitalize()}."
        )
        yield pointer, f"Must be one of: {', '.join(self.allowed)}.{what}"


@dataclass(frozen=True, slots=True)
class Optional:
    """A part that may be null."""

    part: Shape

    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if value is not None:
            yield from self.part.faults(value, pointer)


@dataclass(frozen=True, slots=True)
class Every:
    """A list of like parts."""

    part: Shape

    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, list | tuple):
            yield pointer, f"Must be a list; {given(value)}."
            return
        for number, one in enumerate(value):
            yield from self.part.faults(one, f"{pointer}/{number}")


@dataclass(frozen=True, slots=True)
class Named:
    """Like parts under names of whatever kind; which of them are known is checked where they are known."""

    part: Shape

    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, Mapping):
            yield pointer, f"Must be an object; {given(value)}."
            return
        for name, one in value.items():
            yield from self.part.faults(one, f"{pointer}/{name}")


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts under names of their own."""

    parts: Mapping[str, Shape]
    needed: frozenset[str] = frozenset()

    def faults(self, value: object, pointer: str) -> Iterator[Fault]:
        if not isinstance(value, Mapping):
            yield pointer, f"Must be an object; {given(value)}."
            return
        for name in sorted(self.needed - set(value)):
            yield f"{pointer}/{name}", "Must be there."
        for name, one in value.items():
            if name in self.parts:
                yield from self.parts[name].faults(one, f"{pointer}/{name}")
            else:
                yield f"{pointer}/{name}", unknown(name, tuple(self.parts))


Shape = Flag | Word | Number | Choice | Optional | Every | Named | Parts


def unknown(name: str, known: tuple[str, ...]) -> str:
    """What to tell about a name that is not known where it stands."""
    return f"There is no such name here.{did_you_mean(name, known)} There are: {', '.join(known)}."


def given(value: object) -> str:
    """The type of a JSON value in words."""
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "a truth value"), (str, "a text"), ((int, float), "a number"), (Mapping, "an object"),
        ((list, tuple), "a list"),
    )  # fmt: skip
    return next((f"{words} was given" for kind, words in kinds if isinstance(value, kind)), "null was given")
