"""How well a memory answers a query: many signals become one similarity of 0..1.

The signals are weighed by a linear model. Its coefficients were fitted on labelled questions, a conversation
left out at a time (docs/retrieval.md has figures and command); they know no answers, categories or ids.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# The reference is the relevance of the memory of this rank: what stands clearly below it nears 0, so that
# recency orders what answers the query and cannot replace it.
REFERENCE_RANK = 10
STEEPNESS_OF_GATE = 2.5
# Above the reference the best still stand out, but only by this share, and more gently.
SHARE_OF_RISE, MIDDLE_OF_RISE = 0.3, 1.0
# The reference is never below this: in a small store, or for a query that nothing answers, the tenth is poor.
MINIMUM_RELEVANCE = 9.0
# A text longer than this says no more for its length, a shorter one no less.
MIN_COUNTED_CHARACTERS, MAX_COUNTED_CHARACTERS = 10, 300


@dataclass(frozen=True, slots=True)
class Coefficients:
    """What one unit of each signal adds to the relevance of a memory (natural logarithm of the odds)."""

    semantic: float = 8.8
    keyword: float = 0.26
    previous_semantic: float = 0.2
    next_semantic: float = 0.75
    previous_keyword: float = 0.22
    next_keyword: float = 0.06
    speaker: float = 3.0
    asks: float = -1.2
    length: float = 0.9
    in_month: float = 3.9
    near_day: float = 6.8
    # Not fitted, for want of such questions: an exact identifier goes before everything.
    identifier: float = 6.0

    def vector(self) -> Array:
        return np.array([getattr(self, each.name) for each in fields(self)], dtype=np.float64)


DEFAULT_COEFFICIENTS = Coefficients()


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for each candidate of one query, as parallel arrays; named as their coefficients.

    `semantic` is the cosine with the query's topic, `keyword` its BM25; `previous_*` and `next_*` are those of
    the neighbours in the same session, 0 without one. `speaker` is 1 when a named person spoke, 0 when
    somebody else did, 0.5 when nobody is named. `asks` is 1 for a question, `length` the logarithm of its
    characters. `in_month` and `near_day` come from dates in the query; `identifier` is the share of the
    query's exact identifiers that the memory holds. All finite.
    """

    semantic: Array
    keyword: Array
    previous_semantic: Array
    next_semantic: Array
    previous_keyword: Array
    next_keyword: Array
    speaker: Array
    asks: Array
    length: Array
    in_month: Array
    near_day: Array
    identifier: Array

    def matrix(self) -> Array:
        """One row a candidate, one column a signal, in the order of the coefficients."""
        return np.stack([getattr(self, each.name) for each in fields(self)], axis=1)


def relevance(signals: Signals, coefficients: Coefficients = DEFAULT_COEFFICIENTS) -> Array:
    """The weighed sum of the signals: orders the memories of one query, and has no fixed range."""
    total: Array = signals.matrix() @ coefficients.vector()
    return total


def calibrate(relevances: Array) -> Array:
    """Relevances of all candidates of one query as similarities of 0..1, in the same order."""
    if not relevances.size:
        return relevances
    reference = MINIMUM_RELEVANCE
    if relevances.size >= REFERENCE_RANK:
        reference = max(reference, float(np.partition(relevances, -REFERENCE_RANK)[-REFERENCE_RANK]))
    above = relevances - reference
    rise = _logistic(above - MIDDLE_OF_RISE)
    similarities: Array = _logistic(STEEPNESS_OF_GATE * above) * (1.0 - SHARE_OF_RISE + SHARE_OF_RISE * rise)
    return similarities


def _logistic(odds: Array) -> Array:
    # Beyond 40 it is 0 or 1 in double precision, and exp() must not overflow.
    value: Array = 1.0 / (1.0 + np.exp(-np.clip(odds, -40.0, 40.0)))
    return value


def counted_length(text: str) -> float:
    """The `length` signal of a text."""
    return float(np.log1p(min(max(len(text), MIN_COUNTED_CHARACTERS), MAX_COUNTED_CHARACTERS)))


def asks(text: str) -> bool:
    """Whether a text ends as a question: it seldom holds what another question looks for."""
    return text.rstrip().endswith(("?", "？", "؟"))
