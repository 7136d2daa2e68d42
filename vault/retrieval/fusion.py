"""From opened candidates to a ranked list: signals, one similarity, and the score. Pure.

Two rankings are not merged by their ranks: where one of them is weak that drags the other down. Every
candidate, wherever it came from, is weighed by all signals at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vault.retrieval.identifiers import names_another
from vault.retrieval.query import QueryHints, date_match
from vault.retrieval.score import DEFAULT_RANKING, Ranking, ScoreParts, recency, score
from vault.retrieval.similarity import (
    DEFAULT_COEFFICIENTS,
    SESSION_KEYWORD,
    SESSION_SEMANTIC,
    SHARE_OF_STATEMENTS,
    STATEMENT_COEFFICIENTS,
    UNRELATED_LEVEL,
    Array,
    Coefficients,
    Signals,
    asks,
    best_of_others,
    calibrate,
    counted_length,
    evidence,
    relevance,
)
from vault.retrieval.tokens import IDENTIFIER

SECONDS_PER_DAY = 86_400.0
# A candidate whose vector is missing or broken is judged by its words, as if its meaning were so-so.
UNKNOWN_SEMANTIC = 0.2
MIN_IDENTIFIER_CHARACTERS = 3

Id = TypeVar("Id", bound=Hashable)


class Mode(StrEnum):
    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Id]):
    """One opened memory that may answer.

    `when` is when it happened or, failing that, was written (aware, like `as_of`). `vector` has length one.
    `keyword` is its BM25 by `topic_weights`, `held` the query's tokens that it holds. `previous` and
    `following` are its neighbours in the same session; they count if they are candidates too. `session` is equal for
    what belongs together, None alone.
    """

    id: Id
    text: str = field(repr=False)
    when: datetime
    importance: float
    speaker: str = field(default="", repr=False)
    vector: NDArray[np.float32] | None = field(default=None, repr=False)
    keyword: float = 0.0
    coverage: float = 0.0
    held: frozenset[str] = field(default=frozenset(), repr=False)
    previous: Id | None = None
    following: Id | None = None
    session: Hashable | None = None


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Id]):
    """One candidate with its score; `semantic` (cosine) and `keyword` (coverage of the query) are 0..1."""

    id: Id
    parts: ScoreParts
    semantic: float
    keyword: float


def topic_weights(hints: QueryHints) -> dict[str, float]:
    """The query's tokens with their weights in BM25: those that only name a speaker weigh nothing."""
    silent = hints.name_tokens
    return {token: 0.0 if token in silent else weight for token, weight in hints.tokens.weights.items()}


def rank(
    candidates: Sequence[Candidate[Id]],
    *,
    hints: QueryHints,
    vector: NDArray[np.float32] | None,
    as_of: datetime,
    mode: Mode = Mode.HYBRID,
    ranking: Ranking = DEFAULT_RANKING,
    rankings: Mapping[Id, Ranking] = MappingProxyType({}),
    coefficients: Coefficients | None = None,
) -> list[Ranked[Id]]:
    """Score every candidate, the best first; equal scores go to the newer, then by id.

    `vector` is the embedding of `hints.topic`. In keyword mode the caller passes only what matches. `rankings` weigh
    single candidates, `ranking` the others. Without `coefficients` those are taken that were fitted to what the
    candidates look like.
    """
    if not candidates:
        return []
    cosines = [cosine(vector, candidate.vector) for candidate in candidates]
    spoken = signals(candidates, cosines, hints, mode)
    relevances = relevance(spoken, coefficients or coefficients_for(candidates))
    wanted = mode is not Mode.SEMANTIC and any(map(_NUMBERED.search, wanted_identifiers(hints)))
    found = similarities(candidates, spoken, relevances, identifier_wanted=wanted)
    if wanted:
        found *= _share_of_others(candidates, spoken, wanted_identifiers(hints))
    ranked = []
    for candidate, near, similarity in zip(candidates, cosines, found.tolist(), strict=True):
        own = rankings.get(candidate.id, ranking)
        age = (as_of - candidate.when).total_seconds() / SECONDS_PER_DAY
        fresh = recency(age, half_life_days=own.half_life_days, decay=own.decay)
        parts = score(similarity, fresh, candidate.importance, own.weights)
        ranked.append((candidate, Ranked(candidate.id, parts, max(0.0, near or 0.0), candidate.coverage)))
    ranked.sort(key=lambda pair: (-pair[1].parts.score, -pair[0].when.timestamp(), str(pair[0].id)))
    return [each for _, each in ranked]


def coefficients_for(candidates: Sequence[Candidate[Id]]) -> Coefficients:
    """Statements about a person name the person; turns of a conversation do not name who speaks."""
    naming = sum(bool(each.speaker) and each.speaker in each.text for each in candidates)
    statements = bool(candidates) and naming / len(candidates) >= SHARE_OF_STATEMENTS
    return STATEMENT_COEFFICIENTS if statements else DEFAULT_COEFFICIENTS


def similarities(
    candidates: Sequence[Candidate[Id]],
    spoken: Signals,
    relevances: Array,
    *,
    identifier_wanted: bool = False,
) -> Array:
    """The relevances of all candidates of one query as similarities of 0..1."""
    if not candidates:
        return relevances
    covered = _array(candidate.coverage for candidate in candidates)
    known = evidence(spoken, covered, relevances, identifier_wanted=identifier_wanted)
    return calibrate(relevances, known=known)


def _share_of_others(candidates: Sequence[Candidate[Id]], spoken: Signals, wanted: frozenset[str]) -> Array:
    """What is about another identifier is as good as unrelated where the one that is asked for is there."""
    if not spoken.identifier.any():
        return np.ones(len(candidates))
    return _array(
        UNRELATED_LEVEL if not held and names_another(each.text, wanted) else 1.0
        for each, held in zip(candidates, spoken.identifier.tolist(), strict=True)
    )


def signals(
    candidates: Sequence[Candidate[Id]], cosines: Sequence[float | None], hints: QueryHints, mode: Mode
) -> Signals:
    """What speaks for each candidate; a mode that leaves a source out makes it the same for all."""
    semantic = _array(UNKNOWN_SEMANTIC if near is None or mode is Mode.KEYWORD else near for near in cosines)
    keyword = _array(0.0 if mode is Mode.SEMANTIC else candidate.keyword for candidate in candidates)
    place = {candidate.id: index for index, candidate in enumerate(candidates)}
    before = [
        place.get(candidate.previous, -1) if candidate.previous is not None else -1
        for candidate in candidates
    ]
    behind = [
        place.get(candidate.following, -1) if candidate.following is not None else -1
        for candidate in candidates
    ]
    dates = [date_match(hints.time, candidate.when.date()) for candidate in candidates]
    return Signals(
        semantic=semantic,
        keyword=keyword,
        previous_semantic=_of_neighbours(semantic, before),
        next_semantic=_of_neighbours(semantic, behind),
        previous_keyword=_of_neighbours(keyword, before),
        next_keyword=_of_neighbours(keyword, behind),
        speaker=_array(_spoken_by_named(candidate.speaker, hints) for candidate in candidates),
        asks=_array(float(asks(candidate.text)) for candidate in candidates),
        length=_array(counted_length(candidate.text) for candidate in candidates),
        in_month=_array(float(in_month) for in_month, _ in dates),
        near_day=_array(near for _, near in dates),
        identifier=_identifier_share(candidates, hints, mode),
        session=best_of_others(
            SESSION_SEMANTIC * semantic + SESSION_KEYWORD * keyword, [each.session for each in candidates]
        ),
    )


def _identifier_share(candidates: Sequence[Candidate[Id]], hints: QueryHints, mode: Mode) -> Array:
    wanted = wanted_identifiers(hints)
    if not wanted or mode is Mode.SEMANTIC:
        return np.zeros(len(candidates))
    return _array(len(wanted & candidate.held) / len(wanted) for candidate in candidates)


def wanted_identifiers(hints: QueryHints) -> frozenset[str]:
    """The exact identifiers that a query asks for; a year is none."""
    years = {f"{IDENTIFIER}{year}" for year in hints.time.years}
    return frozenset(
        token
        for token in hints.tokens.required - years
        if token.startswith(IDENTIFIER) and len(token) >= len(IDENTIFIER) + MIN_IDENTIFIER_CHARACTERS
    )


# A number of something, as in an invoice or a code; "18th" and "and/or" are written as identifiers are, and are none.
_NUMBERED = re.compile(r"\d\d(?!\d*(?:st|nd|rd|th)$)")


def _spoken_by_named(speaker: str, hints: QueryHints) -> float:
    return float(speaker in hints.named) if hints.named else 0.5


def _of_neighbours(values: Array, places: Sequence[int]) -> Array:
    """Each candidate's value of the neighbour at the given place, 0 for a place of -1."""
    index = np.array(places, dtype=np.int64)
    neighbours: Array = np.where(index >= 0, values[index], 0.0)
    return neighbours


def cosine(one: NDArray[np.float32] | None, other: NDArray[np.float32] | None) -> float | None:
    """The cosine of two vectors of length one; None when either is missing, zero or not finite.

    NaN must never reach an order, where it would stand first.
    """
    if one is None or other is None or not (one.any() and other.any()):
        return None
    product = float(one @ other)
    return min(1.0, max(-1.0, product)) if math.isfinite(product) else None


def _array(values: Iterable[float]) -> Array:
    return np.fromiter(values, dtype=np.float64)
