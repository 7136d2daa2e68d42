"""Protected vectors against exact search, by the size of a subject: is the same top ten found?

Search opens the nearest protected vectors and scores them exactly, so an answer differs only when one of the exact ten
is not among those that are opened. The vectors are those of the labelled texts; a size beyond their number is filled
up with mixtures of two of them (synthetic: no such texts exist). Rounding to half precision is the column's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vault.crypto.subject_keys import DEFAULT_NOISE
from vault.crypto.vectors import noised
from vault.embedding import embed
from vault.evaluation.retrieval import read_observations, read_questions, read_turns
from vault.retrieval.candidates import open_at_most

SIZES = (100, 1_000, 5_000, 20_000)
LARGE_SIZE = 100_000
QUERIES = 200
TOP = 10
SEED = 7

Matrix = NDArray[np.float32]


def evaluate(folder: Path, *, large: bool = False) -> dict[str, Any]:
    """The share of queries with the same ten, by size; `large` adds 100,000. Raises DataMissing."""
    texts = list(dict.fromkeys(item.text for item in (*read_turns(folder), *read_observations(folder))))
    queries = list(dict.fromkeys(question.text for question in read_questions(folder)))[:QUERIES]
    sizes = (*SIZES, LARGE_SIZE) if large else SIZES
    return compare(np.asarray(embed(texts)), np.asarray(embed(queries)), sizes=sizes)


def compare(real: Matrix, queries: Matrix, *, sizes: Sequence[int]) -> dict[str, Any]:
    """The figures for subjects of these sizes, filled from these vectors of length one."""
    random = np.random.default_rng(SEED)
    by_size = {}
    for size in sizes:
        vectors = subject_of(real, size, random)
        # Turning keeps every inner product, so that leaving it out changes nothing here.
        stored = np.stack([noised(vector, DEFAULT_NOISE) for vector in vectors]).astype(np.float16)
        opened = open_at_most(size)
        by_size[str(size)] = {
            "opened": min(opened, size),
            "synthetic": max(0, size - len(real)),
            "same_top_10": _same(vectors, stored.astype(np.float32), queries, opened),
        }
    return {"queries": len(queries), "noise": DEFAULT_NOISE, "by_size": by_size}


def subject_of(real: Matrix, size: int, random: np.random.Generator) -> Matrix:
    """So many vectors: the real ones in random order, then mixtures of two of them."""
    chosen = real[random.permutation(len(real))[:size]]
    missing = size - len(chosen)
    if missing <= 0:
        return chosen
    share = random.uniform(0.6, 0.95, size=(missing, 1)).astype(np.float32)
    one, other = random.integers(len(real), size=(2, missing))
    mixed = share * real[one] + (1.0 - share) * real[other]
    return np.concatenate([chosen, mixed / np.linalg.norm(mixed, axis=1, keepdims=True)])


def _same(vectors: Matrix, stored: Matrix, queries: Matrix, opened: int) -> float:
    same = 0
    for query in queries:
        near = set(_top(stored @ query, opened))
        same += near.issuperset(_top(vectors @ query, TOP))
    return round(same / len(queries), 4)


def _top(values: NDArray[np.float32], count: int) -> list[int]:
    if count >= len(values):
        return list(range(len(values)))
    best: list[int] = np.argpartition(-values, count)[:count].tolist()
    return best
