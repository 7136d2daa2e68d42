"""What is served together is looked at together: split orders, swarms of near-copies, stuffed texts.

Together is all that one answer, block or window takes, whatever kind, namespace or search it came from. Each memory
passed screening alone. Several of one distrusted source can still say together what none of them
says, or crowd out what others said: so those of the best that are trusted less than a statement of a person are
read once more as one text, and near-copies and texts that mostly repeat the question are capped per source where
they come from outside. Pure: takes what was opened, gives what may be served.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection import assess, decide
from vault.screening.injection.features import segments
from vault.screening.injection.lexicon import LEXICON, bit
from vault.screening.normalise import normalise
from vault.types import Action, SourceType, Trust, is_of_nobodys_word

Id = TypeVar("Id")

# Near-copies of one source that a single answer may hold, and how near is near (cosine).
MOST_ALIKE = 2
ALIKE = 0.92
# A text is stuffed when this share of its words are the question's, and the question's words come this often.
STUFFED_SHARE = 0.6
STUFFED_REPEATS = 3
MOST_STUFFED = 1
# So many texts are read as one, and half of them again with the next: what is longer tells a filter less.
MOST_READ_TOGETHER = 20
# Words that any note has tell nothing.
COMMON = ("you", "user", "first_person", "discussion", "data")
TELLING = sum(bit(name) for name in LEXICON.classes if name not in COMMON)


@dataclass(frozen=True, slots=True)
class Served(Generic[Id]):
    """One memory on its way into an answer, in the order of its rank.

    `source` tells whose it is, `search` which of the answer's searches found it.
    """

    id: Id
    text: str = field(repr=False)
    trust: Trust
    source_type: SourceType
    source: str = field(repr=False)
    created_at: datetime
    vector: NDArray[np.float32] | None = field(default=None, repr=False)
    search: int = 0

    @property
    def is_distrusted(self) -> bool:
        """Less than what a person stated: what an agent inferred may still repeat what it was fed."""
        return self.trust.rank < Trust.STATED.rank or self.source_type is SourceType.EXTERNAL

    @property
    def is_from_outside(self) -> bool:
        """Of nobody's word. What an agent notes in one form ("Lamp 4 is in room 9") is no swarm."""
        return is_of_nobodys_word(self.trust, self.source_type)


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
    split, orders = _split(kept)
    served = tuple(item.id for item in kept if item.id not in split)
    return Guarded(served, swarm, stuffed, len(split), orders)


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


def _split(kept: Sequence[Served[Id]]) -> tuple[frozenset[Id], frozenset[Id]]:
    """The distrusted ones that together read as an order, of which none is served; and those that do so alone.

    Read in the order of their rank and in the order in which they were written, as their author wrote them. A single
    one that is an order alone was let pass by screening at its trust, or by a person: that says nothing against the
    others. Of several, each may be a part.
    """
    distrusted = [item for item in kept if item.is_distrusted]
    suspected = _orders_among(distrusted)
    alone = frozenset(item.id for item in suspected if _is_order(item.text))
    if len(alone) == 1 and not _orders_among([item for item in distrusted if item.id not in alone]):
        return frozenset(), alone
    return frozenset(item.id for item in suspected), alone


def _orders_among(items: Sequence[Served[Id]]) -> list[Served[Id]]:
    """All that take part in a reading that is an order; also of those alone that have words of orders or of claims, so
    that harmless texts between two halves keep nothing apart.
    """
    telling = [item for item in items if _tells(item.text)]
    orders = (
        each for some in (items, telling) for each in (some, sorted(some, key=lambda item: item.created_at))
    )
    readings = dict.fromkeys(reading for order in orders for reading in _readings(order))
    found = [reading for reading in readings if _is_order(" ".join(text for _, text in reading))]
    ids = {id_ for reading in found for id_, _ in reading}
    return [item for item in items if item.id in ids]


def _tells(text: str) -> bool:
    """Whether any word of the text is one of orders or of claims of high impact."""
    return any(part.mask & TELLING for part in segments(text))


def _readings(items: Sequence[Served[Id]]) -> Iterator[tuple[tuple[Id, str], ...]]:
    """The texts as they are read as one; neighbours are in one reading however many there are."""
    step = MOST_READ_TOGETHER // 2
    for start in range(0, max(len(items) - step, 1), step):
        if reading := tuple((item.id, item.text) for item in items[start : start + MOST_READ_TOGETHER]):
            yield reading


def _is_order(text: str) -> bool:
    signal = assess(normalise(text))
    return decide(signal, trust=Trust.UNTRUSTED, source_type=SourceType.EXTERNAL) is Action.QUARANTINE


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


_WORD = re.compile(r"\w+")
