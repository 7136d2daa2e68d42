"""BM25 over postings given as data: the ranking of one subject's keyword index, without its words.

Formula: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the
inverse document frequency log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FREQUENCY_SATURATION = 1.2
LENGTH_NORMALISATION = 0.75


@dataclass(frozen=True, slots=True)
class Postings:
    """Rows of the keyword index for the tokens of one query, as parallel arrays.

    `token` indexes the query's tokens, `memory` the memories, `frequency` says how often. There is one row
    at most for a token and a memory.
    """

    token: NDArray[np.int64]
    memory: NDArray[np.int64]
    frequency: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of the whole of a subject's index, of which `Postings` hold a part."""

    documents: int
    mean_length: float


def inverse_document_frequency(
    document_frequency: NDArray[np.float64], *, documents: int
) -> NDArray[np.float64]:
    """How rare each token is; zero or more, and the largest for a token that stands nowhere."""
    rest = np.maximum(documents - document_frequency, 0.0)
    idf: NDArray[np.float64] = np.log1p((rest + 0.5) / (document_frequency + 0.5))
    return idf


def bm25(
    postings: Postings,
    *,
    token_weights: NDArray[np.float64],
    lengths: NDArray[np.float64],
    statistics: Statistics,
) -> NDArray[np.float64]:
    """The BM25 score of each memory, in the order of `lengths`; 0 where no token of the query stands."""
    return _sums(postings, _gains(postings, token_weights, lengths, statistics), size=len(lengths))


def coverage(
    postings: Postings,
    *,
    token_weights: NDArray[np.float64],
    lengths: NDArray[np.float64],
    statistics: Statistics,
) -> NDArray[np.float64]:
    """BM25 as a share of what a memory of mean length that holds every token once would have: 0..1."""
    found = np.bincount(postings.token, minlength=len(token_weights)).astype(np.float64)
    ideal = float((token_weights * inverse_document_frequency(found, documents=statistics.documents)).sum())
    if ideal <= 0:
        return np.zeros(len(lengths))
    scores = bm25(postings, token_weights=token_weights, lengths=lengths, statistics=statistics)
    return np.minimum(scores / ideal, 1.0)


def _gains(
    postings: Postings,
    token_weights: NDArray[np.float64],
    lengths: NDArray[np.float64],
    statistics: Statistics,
) -> NDArray[np.float64]:
    found = np.bincount(postings.token, minlength=len(token_weights)).astype(np.float64)
    idf = inverse_document_frequency(found, documents=statistics.documents) * token_weights
    relative = lengths / max(statistics.mean_length, 1.0)
    damping = FREQUENCY_SATURATION * (1 - LENGTH_NORMALISATION + LENGTH_NORMALISATION * relative)
    frequency = postings.frequency
    gains: NDArray[np.float64] = (
        idf[postings.token] * frequency * (FREQUENCY_SATURATION + 1) / (frequency + damping[postings.memory])
    )
    return gains


def _sums(postings: Postings, gains: NDArray[np.float64], *, size: int) -> NDArray[np.float64]:
    return np.bincount(postings.memory, weights=gains, minlength=size).astype(np.float64)
