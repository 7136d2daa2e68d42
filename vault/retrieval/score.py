"""The score of a memory: pure functions of similarity, age and importance.

score = 0.6 x similarity + 0.25 x recency + 0.15 x importance; the weights are policy, and are scaled
to a sum of one, so that a score always stays within 0..1.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from enum import StrEnum

from vault.errors import InvalidField

DEFAULT_HALF_LIFE_DAYS = 30.0


class Decay(StrEnum):
    EXPONENTIAL = "exponential"
    HYPERBOLIC = "hyperbolic"


def _is_weight(value: object) -> bool:
    # Compared, not converted: a whole number may have more digits than any float.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts. Raises InvalidField unless finite, none negative, and not all zero."""

    similarity: float = 0.6
    recency: float = 0.25
    importance: float = 0.15

    def __post_init__(self) -> None:
        for name in ("similarity", "recency", "importance"):
            if not _is_weight(getattr(self, name)):
                raise InvalidField("A weight is a finite number, zero or more.", pointer=f"/weights/{name}")
        total = float(self.similarity) + float(self.recency) + float(self.importance)
        if total <= 0 or not math.isfinite(total):
            raise InvalidField("At least one weight is above zero.", pointer="/weights")


DEFAULT_WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Ranking:
    """How a memory is weighed: what its parts count, and how fast it ages."""

    weights: Weights = DEFAULT_WEIGHTS
    half_life_days: float = DEFAULT_HALF_LIFE_DAYS
    decay: Decay = Decay.EXPONENTIAL


DEFAULT_RANKING = Ranking()


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """A score and what it is made of; all 0..1."""

    score: float
    similarity: float
    recency: float
    importance: float


def recency(
    age_days: float,
    *,
    half_life_days: float = DEFAULT_HALF_LIFE_DAYS,
    decay: Decay = Decay.EXPONENTIAL,
) -> float:
    """How fresh a memory of `age_days` is, 1 now and 0.5 after one half-life; a future date counts as now.

    Exponential is 0.5^(age / half-life); hyperbolic is 1 / (1 + age / half-life), with a longer tail.
    Raises InvalidField for a half-life that is not a finite number above zero, ValueError for an age of NaN.
    """
    if not (math.isfinite(half_life_days) and half_life_days > 0):
        raise InvalidField("A half-life is a finite number of days above zero.", pointer="/half_life_days")
    if math.isnan(age_days):
        raise ValueError("an age is a number of days")
    # A negative age would make the decay larger than one, and a future date would outrank everything.
    half_lives = max(0.0, age_days) / half_life_days
    if decay is Decay.HYPERBOLIC:
        return 1.0 / (1.0 + half_lives)
    return float(0.5**half_lives)


def score(
    similarity: float,
    recency: float,
    importance: float,
    weights: Weights = DEFAULT_WEIGHTS,
) -> ScoreParts:
    """The weighted mean of the parts, each clamped to 0..1. Raises ValueError for a part of NaN."""
    parts = [_unit(similarity), _unit(recency), _unit(importance)]
    counted = [weights.similarity, weights.recency, weights.importance]
    total = sum(counted)
    weighted = sum(part * weight for part, weight in zip(parts, counted, strict=True)) / total
    return ScoreParts(min(1.0, weighted), *parts)


def _unit(value: float) -> float:
    if math.isnan(value):
        raise ValueError("a part of a score is a number")
    return min(1.0, max(0.0, value))
