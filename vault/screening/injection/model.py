"""The linear model: weights from a file beside this one, scored over windows and readings of a text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection.features import SIZE, featurise, segments, windows
from vault.screening.limits import check_deadline
from vault.screening.normalise import Variant

WEIGHTS, CARD = "weights.npz", "weights.json"
NOTHING = -20.0


@dataclass(frozen=True)
class LinearModel:
    """Weights over the features, and the line that turns a score into a probability."""

    weights: NDArray[np.float32]
    slope: float
    intercept: float

    def raw(self, text: str, *, deadline: float | None = None) -> float:
        """The highest score of any window of the text; raises ScreeningTimeout past the deadline."""
        best = NOTHING
        for window, parts in windows(text, segments(text)):
            check_deadline(deadline)
            row = featurise(window, parts)
            best = max(best, float(self.weights[row.indices] @ row.values))
        return best

    def probability(self, raw: float) -> float:
        return float(1.0 / (1.0 + np.exp(-np.clip(self.slope * raw + self.intercept, -30.0, 30.0))))

    def score(self, variants: Sequence[Variant], *, deadline: float | None = None) -> float:
        """The probability of the worst reading."""
        return self.probability(
            max((self.raw(each.text, deadline=deadline) for each in variants), default=NOTHING)
        )


@lru_cache(maxsize=1)
def packaged_model() -> LinearModel:
    """The model that ships; raises ValueError when the file does not fit this code's features."""
    folder = files(__package__)
    card = json.loads(folder.joinpath(CARD).read_text(encoding="utf-8"))
    with folder.joinpath(WEIGHTS).open("rb") as file, np.load(file) as stored:
        weights = stored["weights"].astype(np.float32)
    if weights.shape != (SIZE,):
        raise ValueError("the injection weights do not fit the features; train again")
    return LinearModel(weights, float(card["calibration"]["slope"]), float(card["calibration"]["intercept"]))
