"""Logistic regression over sparse features, with nothing but numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vault.screening.injection.features import SIZE, Sparse

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Sparse rows laid end to end: `starts[i]` is where row i begins."""

    starts: NDArray[np.int64]
    row: NDArray[np.int64]
    indices: NDArray[np.int64]
    values: Array

    @staticmethod
    def of(rows: Sequence[Sparse]) -> Rows:
        lengths = [len(row.indices) for row in rows]
        return Rows(
            starts=np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64),
            row=np.repeat(np.arange(len(rows)), lengths),
            indices=np.concatenate([row.indices for row in rows]).astype(np.int64),
            values=np.concatenate([row.values for row in rows]).astype(np.float64),
        )

    def times(self, weights: Array) -> Array:
        return np.asarray(np.add.reduceat(self.values * weights[self.indices], self.starts))

    def back(self, gradient: Array) -> Array:
        return np.bincount(self.indices, weights=self.values * gradient[self.row], minlength=SIZE).astype(
            np.float64
        )


def sigmoid(scores: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(scores, -60.0, 60.0))))


def fit(rows: Rows, labels: Array, importance: Array, *, l2: float, steps: int) -> Array:
    """Minimise the weighted log loss plus l2/2 |w|^2 by Nesterov's accelerated gradient.

    The step is one over the largest curvature, found by power iteration, so that no tuning is needed.
    """
    share = importance / importance.sum()

    def gradient(weights: Array) -> Array:
        return rows.back((sigmoid(rows.times(weights)) - labels) * share) + l2 * weights

    step = 1.0 / (1.05 * _curvature(rows, share, l2))
    weights = np.zeros(SIZE)
    ahead, momentum = weights, 1.0
    for _ in range(steps):
        moved = ahead - step * gradient(ahead)
        following = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        ahead = moved + (momentum - 1.0) / following * (moved - weights)
        weights, momentum = moved, following
    return weights


def _curvature(rows: Rows, share: Array, l2: float) -> float:
    direction = np.random.default_rng(0).standard_normal(SIZE)
    size = 1.0
    for _ in range(8):
        turned = rows.back(rows.times(direction) * share * 0.25) + l2 * direction
        size = float(np.linalg.norm(turned))
        direction = turned / size
    return size
