"""The ranker of the pure functions alone: plain tokens and exact vectors in memory, nothing sealed.

It takes the same steps as the search service, so that the two can be compared, and it is quick enough to
tune with. Candidates are limited as there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from vault.evaluation.retrieval import Item
from vault.retrieval.fusion import Candidate, rank, topic_weights
from vault.retrieval.lexical import Postings, Statistics, bm25, coverage
from vault.retrieval.query import QueryHints, analyse
from vault.retrieval.score import Ranking, Weights
from vault.retrieval.similarity import DEFAULT_COEFFICIENTS, Coefficients
from vault.retrieval.tokens import document_tokens

MIN_NEAREST, NEAREST_SHARE, MAX_KEYWORD = 150, 0.04, 200
# Neighbours of so many of the best candidates become candidates themselves.
EXPANDED = 50
IMPORTANCE = 0.5

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class KeywordIndex:
    """The postings of one subject, by token."""

    postings: dict[str, list[tuple[int, int]]]
    lengths: NDArray[np.float64]

    @classmethod
    def over(cls, documents: Iterable[dict[str, int]]) -> KeywordIndex:
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        for place, tokens in enumerate(documents):
            lengths.append(float(sum(tokens.values())))
            for token, frequency in tokens.items():
                postings[token].append((place, frequency))
        return cls(dict(postings), np.array(lengths))

    def rows(self, tokens: Sequence[str]) -> Postings:
        found = [
            (n, place, often)
            for n, token in enumerate(tokens)
            for place, often in self.postings.get(token, ())
        ]
        table = np.array(found, dtype=np.int64).reshape(-1, 3)
        return Postings(table[:, 0], table[:, 1], table[:, 2].astype(np.float64))

    def statistics(self) -> Statistics:
        return Statistics(len(self.lengths), float(self.lengths.mean()))


@dataclass(frozen=True, slots=True)
class Shelf:
    """All items of one subject with their indexes; arrays run parallel to `items`."""

    items: list[Item]
    place: dict[str, int]
    vectors: NDArray[np.float32]
    keywords: KeywordIndex
    speakers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A query's candidates before they are weighed, and the vector of its topic."""

    hints: QueryHints
    vector: NDArray[np.float32]
    candidates: list[Candidate[str]]


class InMemoryRanker:
    """A Ranker over plain text."""

    def __init__(self, embed: Embed, *, coefficients: Coefficients | None = None) -> None:
        self.embed = embed
        self.coefficients = coefficients
        self.shelves: dict[str, Shelf] = {}

    def load(self, items: Sequence[Item]) -> None:
        by_subject: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            by_subject[item.subject].append(item)
        self.shelves = {subject: self._shelve(some) for subject, some in by_subject.items()}

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> list[str]:
        ready = self.prepare(subject, query)
        ranked = rank(
            ready.candidates,
            hints=ready.hints,
            vector=ready.vector,
            as_of=as_of,
            ranking=Ranking(weights),
            coefficients=self.coefficients,
        )
        return [each.id for each in ranked[:k]]

    def prepare(self, subject: str, query: str) -> Prepared:
        """The candidates of a query: the nearest, those with its words, and the neighbours of the best."""
        shelf = self.shelves[subject]
        hints = analyse(query, speakers=shelf.speakers)
        tokens = list(hints.tokens.weights)
        rows = shelf.keywords.rows(tokens)
        plain = np.array([hints.tokens.weights[token] for token in tokens])
        topical = np.array(list(topic_weights(hints).values()))
        vector = self.embed([hints.topic])[0]
        cosines = shelf.vectors @ vector
        words = _weighed(bm25, rows, topical, shelf)
        chosen = _nearest(shelf.vectors @ self.embed([query])[0]) | _best(_weighed(bm25, rows, plain, shelf))
        best = sorted(
            chosen, key=lambda i: -_rough_relevance(DEFAULT_COEFFICIENTS, float(cosines[i]), float(words[i]))
        )[:EXPANDED]
        chosen |= {shelf.place[near] for i in best for near in _neighbours(shelf.items[i])}
        covered = _weighed(coverage, rows, topical, shelf)
        held = _held(rows, tokens)
        candidates = [
            _candidate(shelf, i, float(words[i]), float(covered[i]), held.get(i, frozenset()))
            for i in sorted(chosen)
        ]
        return Prepared(hints, vector, candidates)

    def _shelve(self, items: list[Item]) -> Shelf:
        return Shelf(
            items=items,
            place={item.id: n for n, item in enumerate(items)},
            vectors=self.embed([item.text for item in items]),
            keywords=KeywordIndex.over(document_tokens(f"{item.speaker}: {item.text}") for item in items),
            speakers=frozenset(item.speaker for item in items),
        )


def _candidate(
    shelf: Shelf, place: int, keyword: float, covered: float, held: frozenset[str]
) -> Candidate[str]:
    item = shelf.items[place]
    return Candidate(
        id=item.id,
        text=item.text,
        when=item.created,
        importance=IMPORTANCE,
        speaker=item.speaker,
        vector=shelf.vectors[place],
        keyword=keyword,
        coverage=covered,
        held=held,
        previous=item.previous,
        following=item.following,
        session=item.session,
    )


def _weighed(
    measure: Callable[..., NDArray[np.float64]], rows: Postings, weights: NDArray[np.float64], shelf: Shelf
) -> NDArray[np.float64]:
    return measure(
        rows, token_weights=weights, lengths=shelf.keywords.lengths, statistics=shelf.keywords.statistics()
    )


def _nearest(cosines: NDArray[np.float32]) -> set[int]:
    limit = max(MIN_NEAREST, int(NEAREST_SHARE * len(cosines)))
    return set(np.argsort(-cosines, kind="stable")[:limit].tolist())


def _best(scores: NDArray[np.float64]) -> set[int]:
    return {i for i in np.argsort(-scores, kind="stable")[:MAX_KEYWORD].tolist() if scores[i] > 0}


def _rough_relevance(coefficients: Coefficients, cosine: float, keyword: float) -> float:
    return coefficients.semantic * cosine + coefficients.keyword * keyword


def _neighbours(item: Item) -> list[str]:
    return [near for near in (item.previous, item.following) if near is not None]


def _held(rows: Postings, tokens: Sequence[str]) -> dict[int, frozenset[str]]:
    held: dict[int, set[str]] = defaultdict(set)
    for token, place in zip(rows.token.tolist(), rows.memory.tolist(), strict=True):
        held[place].add(tokens[token])
    return {place: frozenset(some) for place, some in held.items()}
