"""What is served together is looked at together: split orders, swarms of near-copies, stuffed texts.

Together is all that one answer, block or window takes, whatever kind, namespace or search it came from. Each memory
passed screening alone. Several of one distrusted source can still say together what none of them says, or crowd out
what others said: so those of the best that are trusted less than a statement of a person are read once more as one
text (`split_orders`), and near-copies and texts that mostly repeat the question are capped per source where they come
from outside. Pure: takes what was opened, gives what may be served.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

from vault.retrieval.servable import Id, Served
from vault.retrieval.split_orders import split_orders

__all__ = ["Guarded", "Served", "guard", "is_stuffed"]

# Near-copies of one source that a single answer may hold, and how near is near (cosine).
MOST_ALIKE = 2
ALIKE = 0.92
# A text is stuffed when this share of its words are the question's, and the question's words come this often.
STUFFED_SHARE = 0.6
STUFFED_REPEATS = 3
MOST_STUFFED = 1


@dataclass(frozen=True, slots=True)
class Guarded(Generic[Id]):
    """Which memories may be served, in their order, and how many were held back for which reason.

    `orders` are those that read as an order by themselves; one that is alone among the others is kept.
    """

    kept: tuple[Id, ...]
    swarm: int = 0
    stuffed: int = 0
    split: int = 0
    orders: frozenset[Id] = frozenset()

    @property
    def held_back(self) -> int:
        """How many found memories were not served, for whatever reason."""
        return self.swarm + self.stuffed + self.split


def guard(ranked: Iterable[Served[Id]], *, question: str, most: Sequence[int]) -> Guarded[Id]:
    """The best that may be served together, of each search the first `most`.

    What is held back gives its place to the next in rank of the same search.
    """
    words = _words(question)
    kept: list[Served[Id]] = []
    taken = Counter[int]()
    swarm = stuffed = 0
    for item in ranked:
        if taken.total() == sum(most):
            break
        if taken[item.search] == most[item.search]:
            continue
        if item.is_from_outside and _is_swarm(item, kept):
            swarm += 1
        elif item.is_from_outside and _is_stuffed_too_often(item, kept, words):
            stuffed += 1
        else:
            kept.append(item)
            taken[item.search] += 1
    split = split_orders([item for item in kept if item.is_distrusted])
    served = tuple(item.id for item in kept if item.id not in split.held)
    return Guarded(served, swarm, stuffed, len(split.held), split.alone)


def is_stuffed(text: str, words: frozenset[str]) -> bool:
    """Whether a text is mostly the question's own words, said over and over."""
    counts = Counter(_WORD.findall(text.casefold()))
    total = counts.total()
    asked = sum(count for word, count in counts.items() if word in words)
    most = max((count for word, count in counts.items() if word in words), default=0)
    return total > 0 and asked / total >= STUFFED_SHARE and most >= STUFFED_REPEATS


def _is_swarm(item: Served[Id], kept: Sequence[Served[Id]]) -> bool:
    return sum(_is_alike(item, other) for other in kept) >= MOST_ALIKE


def _is_alike(one: Served[Id], other: Served[Id]) -> bool:
    if one.source != other.source:
        return False
    if one.vector is None or other.vector is None:
        return _words(one.text) == _words(other.text)
    return float(one.vector @ other.vector) >= ALIKE


def _is_stuffed_too_often(item: Served[Id], kept: Sequence[Served[Id]], words: frozenset[str]) -> bool:
    if not is_stuffed(item.text, words):
        return False
    return sum(each.source == item.source and is_stuffed(each.text, words) for each in kept) >= MOST_STUFFED


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


_WORD = re.compile(r"\w+")
