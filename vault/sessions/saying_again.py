"""What of a session's drafts says again what another says: one of them is enough. Pure but for the embedding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vault.embedding import EmbeddingFailed, embed
from vault.writing.reconciling.relation import Relation, relate
from vault.writing.reconciling.restating import restates
from vault.writing.reconciling.sameness import SAME_LIMIT_SIMILARITY
from vault.writing.reconciling.statement import read

Draft = TypeVar("Draft")
# What is further apart is another matter, and needs no reading.
NEAR = SAME_LIMIT_SIMILARITY


@dataclass(frozen=True, slots=True)
class Saying:
    """A statement, of whom it may be said again, and how far it is believed.

    The same words in the first person of two people are two facts, and what a tool returned is not what somebody said.
    """

    text: str = field(repr=False)
    speaker: str = field(repr=False)
    rank: int


def without_repeats(drafts: Iterable[Draft], *, saying: Callable[[Draft], Saying], most: int) -> list[Draft]:
    """The first `most` of the drafts, without what says the same as one of them; of two that do, the better believed.

    A number, a name, a date or a denial that differs makes another statement; later the pipeline decides which holds.
    """
    ordered = list(drafts)
    said = [saying(draft) for draft in ordered]
    vectors = _vectors([each.text for each in said])
    kept: list[int] = []
    for place, each in enumerate(said):
        same = next((at for at, other in enumerate(kept) if _is_again(place, other, said, vectors)), None)
        if same is None and len(kept) < most:
            kept.append(place)
        elif same is not None and each.rank > said[kept[same]].rank:
            kept[same] = place
    return [ordered[place] for place in kept]


def _is_again(one: int, other: int, said: Sequence[Saying], vectors: NDArray[np.float32] | None) -> bool:
    new, old = said[one], said[other]
    if new.speaker != old.speaker:
        return False
    if new.text.casefold() == old.text.casefold():
        return True
    nearness = float(vectors[one] @ vectors[other]) if vectors is not None else NEAR
    if nearness < NEAR:
        return False
    is_same = vectors is not None and relate(read(old.text), read(new.text), nearness) is Relation.SAME
    return is_same or restates(new.text, [old.text])


def _vectors(texts: Sequence[str]) -> NDArray[np.float32] | None:
    """One vector a text; None where the model fails, and then the words alone decide."""
    try:
        return np.asarray(embed(texts)) if texts else None
    except EmbeddingFailed:
        return None
