"""How well a memory answers a query: many signals become one similarity of 0..1.

The signals are weighed by a linear model. Its coefficients were fitted on labelled questions, a conversation
left out at a time (docs/retrieval.md has figures and command); they know no answers, categories or ids.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gate:
    """A step of similarity along the ranks of a query: the first `rank` are above it, midway to the next."""

    rank: int
    share: float
    steepness: float


# What stands below the outer gate nears 0, what stands above the inner one is the best. Between the steps recency
# decides; over a step it seldom puts small talk in an answer's place. The last is a slope, so that among memories of
# the same minute the more relevant goes first and not the one that was written a moment later.
GATES = (Gate(10, 0.447, 40.0), Gate(5, 0.348, 40.0), Gate(2, 0.2, 12.0), Gate(10, 0.005, 1.0))
# The gates lie no lower than this, since in a small store even the tenth is poor; but the best always passes them,
# for in a small store words are rare in nothing, and without a vector relevance is low throughout.
MINIMUM_RELEVANCE, MARGIN_OF_BEST = 8.0, 0.5
# With fewer candidates than the outer gate's rank, what stands this far below the best is not like it.
WIDTH_OF_FEW = 3.0
# What the best candidate has for itself, whatever the others have: a store that knows nothing of a question says so.
UNRELATED_LEVEL, MIDDLE_OF_EVIDENCE, STEEPNESS_OF_EVIDENCE = 0.25, 0.4, 20.0
COVERAGE_IN_EVIDENCE, SPEAKER_IN_EVIDENCE = 0.3, 0.34
MISSING_IDENTIFIER = 0.3
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
    session: float = 0.3

    def vector(self) -> Array:
        return np.array([getattr(self, each.name) for each in fields(self)], dtype=np.float64)


# Fitted on turns of conversations and on statements together; for what was said, word by word.
DEFAULT_COEFFICIENTS = Coefficients()
# Fitted on statements about a person alone: they stand for themselves, so that a neighbour says little, and the rest
# of their session something.
STATEMENT_COEFFICIENTS = Coefficients(
    semantic=10.7,
    previous_semantic=0.0,
    next_semantic=0.0,
    previous_keyword=0.13,
    next_keyword=0.0,
    speaker=2.5,
    in_month=4.0,
    near_day=8.6,
    session=0.27,
)
# Where so many candidates name the one they are about, the store holds statements and not turns.
SHARE_OF_STATEMENTS = 0.5
# What one unit of cosine and of BM25 adds to how well the rest of a session fits.
SESSION_SEMANTIC, SESSION_KEYWORD = 9.0, 0.3


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for each candidate of one query, as parallel arrays; named as their coefficients.

    `semantic` is the cosine with the query's topic, `keyword` its BM25; `previous_*` and `next_*` are those of
    the neighbours in the same session, 0 without one. `speaker` is 1 when a named person spoke, 0 when
    somebody else did, 0.5 when nobody is named. `asks` is 1 for a question, `length` the logarithm of its
    characters. `in_month` and `near_day` come from dates in the query; `identifier` is the share of the
    query's exact identifiers that the memory holds, `session` how well the best other candidate of its session fits.
    All finite.
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
    session: Array

    def matrix(self) -> Array:
        """One row a candidate, one column a signal, in the order of the coefficients."""
        return np.stack([getattr(self, each.name) for each in fields(self)], axis=1)


def relevance(signals: Signals, coefficients: Coefficients = DEFAULT_COEFFICIENTS) -> Array:
    """The weighed sum of the signals: orders the memories of one query, and has no fixed range."""
    total: Array = signals.matrix() @ coefficients.vector()
    return total


def evidence(
    signals: Signals, covered: Array, relevances: Array, *, identifier_wanted: bool = False
) -> float:
    """What speaks for the most relevant candidate by itself, not set against the others: about 0..1.5.

    Its cosine, the share of the query's words that it holds (`covered`), whether a named person spoke, and an exact
    identifier: one that is asked for and is not there speaks against it, for another invoice is no answer. Counts,
    lengths and the size of the store do not come in.
    """
    best = int(np.argmax(relevances))
    return float(
        signals.semantic[best]
        + COVERAGE_IN_EVIDENCE * covered[best]
        + SPEAKER_IN_EVIDENCE * (signals.speaker[best] - 0.5)
        + signals.identifier[best]
        - (MISSING_IDENTIFIER * (1.0 - signals.identifier[best]) if identifier_wanted else 0.0)
    )


def calibrate(relevances: Array, *, known: float) -> Array:
    """Relevances of all candidates of one query as similarities of 0..1, in the same order.

    `known` is their evidence: with little of it even the best stays low.
    """
    if not relevances.size:
        return relevances
    level = float(_logistic(np.array(STEEPNESS_OF_EVIDENCE * (known - MIDDLE_OF_EVIDENCE))))
    passed = sum((gate.share * _passed(relevances, gate) for gate in GATES), start=np.zeros(relevances.size))
    similarities: Array = passed * (UNRELATED_LEVEL + (1.0 - UNRELATED_LEVEL) * level)
    return similarities


def best_of_others(values: Array, groups: Sequence[Hashable | None]) -> Array:
    """For each value the largest of the other values in its group; 0 for one without others or a group."""
    first: dict[Hashable, int] = {}
    second: dict[Hashable, float] = {}
    for place in np.argsort(-values, kind="stable").tolist():
        group = groups[place]
        if group is not None and group not in first:
            first[group] = place
        elif group is not None:
            second.setdefault(group, float(values[place]))
    found = [
        0.0
        if group not in second
        else second[group]
        if first[group] == place
        else float(values[first[group]])
        for place, group in enumerate(groups)
    ]
    return np.array(found, dtype=np.float64)


def _passed(relevances: Array, gate: Gate) -> Array:
    """How far each is above the gate, 0..1."""
    best = float(relevances.max())
    reference = min(MINIMUM_RELEVANCE, best - MARGIN_OF_BEST)
    if relevances.size > gate.rank:
        around = np.partition(relevances, (-gate.rank - 1, -gate.rank))[[-gate.rank - 1, -gate.rank]]
        reference = max(reference, float(around.mean()))
    if relevances.size <= GATES[0].rank:
        reference = max(reference, best - WIDTH_OF_FEW)
    return _logistic(gate.steepness * (relevances - reference))


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
