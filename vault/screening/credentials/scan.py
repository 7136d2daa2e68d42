"""Linear-time matching over text that nobody trusts.

Patterns are compiled by RE2, which has no backtracking, and run over the UTF-8 bytes; spans are handed
back in code points. A rule's keywords are looked for first: most texts hold none, and cost no match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import re2


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found: what, where, how sure, and by which rule; never the value."""

    type: str
    start: int
    end: int
    score: float
    detector: str


class Scanned:
    """One text, prepared once for all rules."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lowered = text.lower()

    @cached_property
    def utf8(self) -> bytes:
        return self.text.encode("utf-8", "replace")

    @cached_property
    def _code_points(self) -> Any:
        """For each byte offset, how many code points begin before it."""
        data = np.frombuffer(self.utf8, dtype=np.uint8)
        begins = (data & 0xC0) != 0x80
        return np.concatenate(([0], np.cumsum(begins)))

    def offset(self, byte_offset: int) -> int:
        return byte_offset if self.text.isascii() else int(self._code_points[byte_offset])

    def matches(self, pattern: str, *, group: int = 0) -> Iterator[tuple[int, int, Any]]:
        """Yield (start, end, match) for one group of each match, in code points of the text."""
        for match in compiled(pattern).finditer(self.utf8):
            start, end = match.span(group)
            if start >= 0:
                yield self.offset(start), self.offset(end), match


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any:
    """Compile for bytes; raises re2.error when the pattern needs more than a linear-time machine has."""
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern.encode(), options)


def anything(_value: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Rule:
    """A named format. `keywords` are in lower case: without one of them in the text it cannot match.

    `group` is the part that is the value. `accept` has the last word: a checksum, or a look for
    placeholders.
    """

    name: str
    type: str
    keywords: tuple[str, ...]
    pattern: str
    group: int = 0
    score: float = 0.9
    accept: Callable[[str], bool] = anything

    def find(self, scanned: Scanned) -> Iterator[Hit]:
        """Every match, whether a keyword is there or not: that is for `Rules` to ask, once for all of them."""
        for start, end, _ in scanned.matches(self.pattern, group=self.group):
            if self.accept(scanned.text[start:end]):
                yield Hit(self.type, start, end, self.score, self.name)


class Rules:
    """Rules in their order, with one look for the keywords of all of them: most texts hold hardly any."""

    def __init__(self, *rules: Rule) -> None:
        self._rules = rules
        self._places: dict[str, list[int]] = {}
        for place, rule in enumerate(rules):
            for word in rule.keywords:
                self._places.setdefault(word, []).append(place)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def find(self, scanned: Scanned) -> list[Hit]:
        lowered = scanned.lowered
        there = {place for word, places in self._places.items() if word in lowered for place in places}
        return [hit for place in sorted(there) for hit in self._rules[place].find(scanned)]
