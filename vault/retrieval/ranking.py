"""From opened candidates to a ranked list: exact similarity, recency, importance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from vault.models import Memory
from vault.retrieval.records import Content
from vault.retrieval.score import Decay, ScoreParts, Weights, recency, score

SECONDS_PER_DAY = 86_400.0

Candidate = tuple[Memory, Content, float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate with its score; `semantic` and `keyword` are 0..1."""

    row: Memory
    content: Content
    parts: ScoreParts
    semantic: float
    keyword: float


def rank(
    query: str,
    candidates: Sequence[Candidate],
    *,
    vector: NDArray[np.float32] | None,
    weights: Weights,
    half_life_days: float,
    decay: Decay,
    as_of: datetime,
) -> list[Ranked]:
    """Score each candidate (row, content, keyword score 0..1), the best first; ties go to the newer, then the id."""
    ranked = []
    for row, content, keyword in candidates:
        semantic = _cosine(vector, content.vector)
        similarity = max(semantic, keyword)
        age = (as_of - (row.occurred_at or row.created_at)).total_seconds() / SECONDS_PER_DAY
        fresh = recency(age, half_life_days=half_life_days, decay=decay)
        ranked.append(
            Ranked(row, content, score(similarity, fresh, row.importance, weights), semantic, keyword)
        )
    ranked.sort(key=lambda item: (-item.parts.score, -item.row.created_at.timestamp(), str(item.row.pk)))
    return ranked


def _cosine(one: NDArray[np.float32] | None, other: NDArray[np.float32] | None) -> float:
    return 0.0 if one is None or other is None else max(0.0, min(1.0, float(one @ other)))
