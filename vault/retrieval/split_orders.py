"""Orders and claims that were split over texts: which of the texts have to go so that the rest may be served.

Several texts are read as one. When they read as an order, all that can be left out while the rest still does is
innocent; what remains is a smallest group. So two texts from outside take with them neither the notes of agents nor
other texts from outside. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Generic

from vault.retrieval.servable import Id, Served
from vault.screening.injection import InjectionSignal, assess, decide
from vault.screening.injection.features import segments
from vault.screening.injection.lexicon import LEXICON, bit
from vault.screening.normalise import normalise
from vault.types import Action, SourceType, Trust

# So many texts are read as one, and half of them again with the next: what is longer tells a filter less.
MOST_READ_TOGETHER = 20
# So often all the texts may be read, in parts, to tell the innocent from the guilty; behind that distrust decides.
MOST_READ_AGAIN = 25
# Words that any note has tell nothing.
COMMON = ("you", "user", "first_person", "discussion", "data")
TELLING = sum(bit(name) for name in LEXICON.classes if name not in COMMON)


@dataclass(frozen=True, slots=True)
class Split(Generic[Id]):
    """Which texts may not be served, and which of all read as an order by themselves."""

    held: frozenset[Id] = frozenset()
    alone: frozenset[Id] = frozenset()


def split_orders(distrusted: Sequence[Served[Id]]) -> Split[Id]:
    """What has to go so that nothing of the rest reads together as an order.

    What agents noted goes only for what it says without the texts from outside; of a group of both, what is from
    outside goes. One text that is an order alone was let pass by screening at its trust, or by a person: it stays, and
    says nothing against the others. Of several, each may be a part.
    """
    reader = _Reader()
    notes = [item for item in distrusted if not item.is_from_outside]
    if not any(map(reader.is_order, chain(_readings_of(notes), _readings_of(distrusted)))):
        return Split()
    noted = _among(notes, reader)
    rest = [item for item in distrusted if item.id not in noted.held]
    all_ = _among(rest, reader, known=noted.alone)
    return Split(noted.held | all_.held, noted.alone | all_.alone)


def _among(items: Sequence[Served[Id]], reader: _Reader, *, known: frozenset[Id] = frozenset()) -> Split[Id]:
    """What has to go of these; `known` are orders by themselves already."""
    reader.characters_left = MOST_READ_AGAIN * sum(len(item.text) for item in items)
    suspected = {
        item.id: item for reading in _readings_of(items) if reader.is_order(reading) for item in reading
    }
    alone = frozenset(id_ for id_, item in suspected.items() if reader.is_order([item])) - known
    held = alone if len(alone | known) > 1 else frozenset()
    left = [item for item in items if item.id not in alone | known]
    while gone := _gone(left, reader):
        held |= gone
        left = [item for item in left if item.id not in gone]
    return Split(held, alone)


def _gone(items: Sequence[Served[Id]], reader: _Reader) -> frozenset[Id]:
    """Those of the smallest groups in each reading. What goes brings others together, which the next look tells."""
    gone: frozenset[Id] = frozenset()
    for reading in _readings_of(items):
        rest = [item for item in reading if item.id not in gone]
        while reader.is_order(rest):
            group = _smallest(rest, reader)
            gone |= {item.id for item in group if item.is_from_outside} or {item.id for item in group}
            rest = [item for item in rest if item.id not in gone]
    return gone


def _smallest(reading: Sequence[Served[Id]], reader: _Reader) -> list[Served[Id]]:
    """What still reads as an order when all is left out that can be: halves first, then ever less.

    The least suspicious is tried first. When too much has been read, what is left by then.
    """
    group = sorted(reading, key=reader.suspicion)
    step = len(group) // 2
    while step:
        start = 0
        while start < len(group) and not reader.is_spent:
            fewer = {item.id for place, item in enumerate(group) if not start <= place < start + step}
            if reader.is_order([item for item in reading if item.id in fewer]):
                group = [item for item in group if item.id in fewer]
            else:
                start += step
        step //= 2
    return group


def _readings_of(items: Sequence[Served[Id]]) -> Iterable[tuple[Served[Id], ...]]:
    """The texts as they are read: in the order of their rank and of their writing, as their author wrote them.

    Those that have words of orders or of claims are read once more alone, so that harmless texts between two halves
    keep nothing apart.
    """
    telling = [item for item in items if _tells(item.text)]
    orders = (
        each for some in (items, telling) for each in (some, sorted(some, key=lambda item: item.created_at))
    )
    found = (reading for order in orders for reading in _in_pieces(order))
    return {tuple(item.id for item in reading): reading for reading in found}.values()


def _in_pieces(items: Sequence[Served[Id]]) -> Iterator[tuple[Served[Id], ...]]:
    """Neighbours are in one reading however many there are."""
    step = MOST_READ_TOGETHER // 2
    for start in range(0, max(len(items) - step, 1), step):
        if reading := tuple(items[start : start + MOST_READ_TOGETHER]):
            yield reading


def _tells(text: str) -> bool:
    """Whether any word of the text is one of orders or of claims of high impact."""
    return any(part.mask & TELLING for part in segments(text))


@dataclass(slots=True)
class _Reader:
    """Reads every text or group of texts once, and counts what it read."""

    characters_left: int = 0
    _signals: dict[str, InjectionSignal] = field(default_factory=dict, repr=False)

    @property
    def is_spent(self) -> bool:
        return self.characters_left < 0

    def is_order(self, items: Sequence[Served[Id]]) -> bool:
        """Both together are an order where they say more than what agents noted does by itself.

        What agents noted of approvals and accounts is no claim for its looser words, which count from outside alone.
        """
        noted = [item for item in items if not item.is_from_outside]
        outside = [item for item in items if item.is_from_outside]
        if not outside:
            return self._waits(noted, in_looser_words=False)
        if noted and not self._waits(outside) and self._waits(noted):
            return False
        return self._waits(items)

    def _waits(self, items: Sequence[Served[Id]], *, in_looser_words: bool = True) -> bool:
        signal = self._signal(" ".join(item.text for item in items))
        if not in_looser_words:
            signal = replace(signal, suspected=())
        return decide(signal, trust=Trust.UNTRUSTED, source_type=SourceType.EXTERNAL) is Action.QUARANTINE

    def suspicion(self, item: Served[Id]) -> tuple[bool, bool, float]:
        """Greater is worse."""
        return item.is_from_outside, _tells(item.text), self._signal(item.text).score

    def _signal(self, text: str) -> InjectionSignal:
        if text not in self._signals:
            self.characters_left -= len(text)
            self._signals[text] = assess(normalise(text))
        return self._signals[text]
