"""The linear model: weights from a file beside this one, scored over windows of a text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection.features import SIZE, Segment, featurise, windows
from vault.screening.limits import check_deadline

WEIGHTS, CARD = "weights.npz", "weights.json"
NOTHING = -20.0
PER_LOG_WINDOW, COUNTED_WINDOWS = 0.5, 8


@dataclass(frozen=True)
class LinearModel:
    """Weights over the features, and the line that turns a score into a probability."""

    weights: NDArray[np.float32]
    slope: float
    intercept: float

    def raw(self, text: str, parts: list[Segment], *, deadline: float | None = None) -> float:
        """The highest score of any window of a text whose clauses are given, less what their number explains.

        Raises ScreeningTimeout past the deadline (monotonic seconds).
        """
        best = NOTHING
        stretches = windows(text, parts)
        for window, inside in stretches:
            check_deadline(deadline)
            row = featurise(window, inside)
            best = max(best, float(self.weights[row.indices] @ row.values))
        return best - chance_of_many(len(stretches))

    def probability(self, raw: float) -> float:
        return float(1.0 / (1.0 + np.exp(-np.clip(self.slope * raw + self.intercept, -30.0, 30.0))))


def chance_of_many(count: int) -> float:
    """What the highest of several scores owes to their number; capped, so that padding buys little."""
    return PER_LOG_WINDOW * float(np.log(min(max(count, 1), COUNTED_WINDOWS)))


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
