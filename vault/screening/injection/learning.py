"""Learns the weights: texts as bags of windows, one weight per source, hard windows in a second round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection.features import Sparse, featurise, segments, windows
from vault.screening.injection.linear import Array, Rows, fit
from vault.screening.injection.model import chance_of_many
from vault.screening.normalise import normalise

L2 = 1e-4
STEPS, ROUNDS = 200, 2
# Share of the total weight that the invented texts have.
INVENTED_SHARE = 0.4
WEAK_WEIGHT = 0.5
HARD_WINDOWS = 3


@dataclass(frozen=True)
class Example:
    """A text for training or measuring; `source` is its author, or the template it was made from."""

    text: str
    label: int
    source: str
    weak: bool = False
    invented: bool = False


class Bags:
    """Each text as the windows of all its readings."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = list(examples)
        readings = [list(_readings(example.text)) for example in examples]
        self.windows = [[row for reading in each for row in reading] for each in readings]
        self._discount = [
            np.array([chance_of_many(len(reading)) for reading in each for _ in reading]) for each in readings
        ]
        self._rows = Rows.of([row for each in self.windows for row in each])

    def window_scores(self, weights: Array) -> list[Array]:
        scores = self._rows.times(weights)
        ends = np.cumsum([len(each) for each in self.windows])[:-1]
        return list(np.split(scores, ends))

    def scores(self, weights: Array) -> Array:
        """The highest window score of each text."""
        pairs = zip(self.window_scores(weights), self._discount, strict=True)
        return np.array([float((each - discount).max()) for each, discount in pairs])


def _readings(text: str) -> Iterator[list[Sparse]]:
    """The windows of each reading; a text without a word is one empty window."""
    found = False
    for variant in normalise(text).variants:
        stretches = [
            featurise(window, parts) for window, parts in windows(variant.text, segments(variant.text))
        ]
        if stretches:
            found = True
            yield stretches
    if not found:
        yield [featurise(text, [])]


def learn(bags: Bags, chosen: NDArray[np.bool_]) -> Array:
    """Weights from the chosen texts: first all windows, then the worst of each text."""
    importance = _importance(bags.examples, chosen)
    weights: Array | None = None
    for _ in range(ROUNDS):
        scores = bags.window_scores(weights) if weights is not None else None
        rows, labels, shares = [], [], []
        for index in map(int, np.flatnonzero(chosen)):
            example = bags.examples[index]
            kept = _kept(len(bags.windows[index]), example.label, scores[index] if scores else None)
            for at in kept:
                rows.append(bags.windows[index][at])
                labels.append(float(example.label))
                shares.append(importance[index] / len(kept))
        weights = fit(Rows.of(rows), np.array(labels), np.array(shares), l2=L2, steps=STEPS)
    assert weights is not None  # noqa: S101 - ROUNDS is at least one
    return weights


def _kept(count: int, label: int, scores: Array | None) -> list[int]:
    """All windows at first; then the one that shows the attack, or the few that look most like one."""
    if scores is None or count == 1:
        return list(range(count))
    order = np.argsort(-scores)
    return [int(each) for each in order[: 1 if label else HARD_WINDOWS]]


def _importance(examples: Sequence[Example], chosen: NDArray[np.bool_]) -> Array:
    """Classes balanced; a source counts by the root of its size, so that no author rules."""
    sizes = Counter(
        (e.source, e.label) for e, taken in zip(examples, chosen, strict=True) if taken and not e.invented
    )
    weight = np.zeros(len(examples))
    for index in map(int, np.flatnonzero(chosen)):
        example = examples[index]
        scale = 1.0 if example.invented else sizes[example.source, example.label] ** -0.5
        weight[index] = scale * (WEAK_WEIGHT if example.weak else 1.0)
    invented = np.array([each.invented for each in examples])
    labels = np.array([each.label for each in examples])
    for part, share in ((invented, INVENTED_SHARE), (~invented, 1 - INVENTED_SHARE)):
        for label in (0, 1):
            group = part & (labels == label) & chosen
            if weight[group].sum() > 0:
                weight[group] *= share / 2 / weight[group].sum()
    return weight
