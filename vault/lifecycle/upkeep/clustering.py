"""Which small memories belong together: pure, over their vectors and sizes.

Average linkage, the most alike first: a pair joins two groups only if the groups as wholes are alike, so that a
chain of neighbours does not become one memory about everything.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The mean cosine between two groups from which they are one matter, and from which a person may find that they are.
# A longer memory costs a prompt more than it brings: docs/upkeep.md has the figures.
SAME_MATTER = 0.85
RELATED_MATTER = 0.6
MIN_PARTS = 2
MAX_PARTS = 6
# What is put together must still be embedded whole and fit a prompt.
MAX_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Part:
    """One small memory: its unit vector, its length, and what it must share with whatever it joins."""

    vector: NDArray[np.float32]
    characters: int
    apart: Hashable = None


def cluster(parts: Sequence[Part], *, same_matter: float = SAME_MATTER) -> tuple[tuple[int, ...], ...]:
    """Groups of places in `parts`, each of MIN_PARTS or more; what belongs to nothing is in none of them."""
    if len(parts) < MIN_PARTS:
        return ()
    groups: list[list[int] | None] = [[place] for place in range(len(parts))]
    likeness = _likeness(parts)
    while True:
        one, other = np.unravel_index(int(np.argmax(likeness)), likeness.shape)
        if likeness[one, other] < same_matter:
            break
        first, second = groups[one], groups[other]
        if first is None or second is None or not _fits(parts, [*first, *second]):
            likeness[one, other] = likeness[other, one] = -1.0
            continue
        _join(likeness, int(one), int(other), len(first), len(second))
        groups[one], groups[other] = [*first, *second], None
    found = (tuple(sorted(group)) for group in groups if group is not None and len(group) >= MIN_PARTS)
    return tuple(sorted(found))


def _likeness(parts: Sequence[Part]) -> NDArray[np.float64]:
    vectors = np.stack([part.vector for part in parts]).astype(np.float64)
    likeness: NDArray[np.float64] = vectors @ vectors.T
    kinds = {part.apart: number for number, part in enumerate(parts)}
    number = np.array([kinds[part.apart] for part in parts])
    likeness[number[:, None] != number[None, :]] = -1.0
    np.fill_diagonal(likeness, -1.0)
    return likeness


def _join(likeness: NDArray[np.float64], one: int, other: int, first: int, second: int) -> None:
    """Let the row of `one` stand for both; a pair that may not join stays apart from the whole."""
    barred = (likeness[one] < 0) | (likeness[other] < 0)
    mean = (likeness[one] * first + likeness[other] * second) / (first + second)
    mean[barred] = -1.0
    mean[one] = -1.0
    likeness[one], likeness[:, one] = mean, mean
    likeness[other], likeness[:, other] = -1.0, -1.0


def _fits(parts: Sequence[Part], group: Sequence[int]) -> bool:
    return len(group) <= MAX_PARTS and sum(parts[place].characters for place in group) <= MAX_CHARACTERS
