"""How each kind of memory is looked for: its own number, half-life, weights and mode, by the namespace's policy.

A preference or a rule is as good after a year as on its day, an event is not, and a lesson lies between: one half-life
for all would bury the first or keep the second for ever.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from vault.errors import InvalidField
from vault.retrieval.fusion import Mode
from vault.retrieval.score import DEFAULT_WEIGHTS, Weights
from vault.retrieval.search import SearchQuery
from vault.types import Kind

MAX_K = 100
MAX_HALF_LIFE_DAYS = 36_500.0


@dataclass(frozen=True, slots=True)
class KindPolicy:
    """How one kind is searched. `k` is 0..100; 0 leaves the kind out."""

    k: int
    half_life_days: float
    weights: Weights = DEFAULT_WEIGHTS
    mode: Mode = Mode.HYBRID

    def narrowed(self, query: SearchQuery, kind: Kind) -> SearchQuery:
        """The query for this kind alone."""
        return replace(
            query, kinds=(kind,), k=max(self.k, 1), half_life_days=self.half_life_days, weights=self.weights,
            mode=self.mode,
        )  # fmt: skip


DEFAULT_KIND_POLICIES: Mapping[Kind, KindPolicy] = MappingProxyType(
    {
        Kind.FACT: KindPolicy(k=100, half_life_days=180.0),
        Kind.EVENT: KindPolicy(k=50, half_life_days=30.0),
        Kind.LESSON: KindPolicy(k=20, half_life_days=365.0),
    }
)


def kind_policies(policy: Mapping[str, Any]) -> Mapping[Kind, KindPolicy]:
    """The defaults with what the namespace's policy says under `retrieval`. Raises InvalidField, naming the part."""
    given = policy.get("retrieval", {})
    if not isinstance(given, Mapping) or not set(given) <= set(Kind):
        raise InvalidField(pointer="/retrieval")
    return {kind: _read(kind, given.get(kind, {})) for kind in Kind}


def _read(kind: Kind, value: Any) -> KindPolicy:
    pointer = f"/retrieval/{kind}"
    default = DEFAULT_KIND_POLICIES[kind]
    if not isinstance(value, Mapping) or not set(value) <= {"k", "half_life_days", "weights", "mode"}:
        raise InvalidField(pointer=pointer)
    k, half_life = value.get("k", default.k), value.get("half_life_days", default.half_life_days)
    if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k <= MAX_K:
        raise InvalidField(pointer=f"{pointer}/k")
    if isinstance(half_life, bool) or not isinstance(half_life, int | float) or not _is_span(half_life):
        raise InvalidField(pointer=f"{pointer}/half_life_days")
    if value.get("mode", default.mode) not in list(Mode):
        raise InvalidField(pointer=f"{pointer}/mode")
    return KindPolicy(
        k, float(half_life), _weights(value.get("weights"), pointer), Mode(value.get("mode", default.mode))
    )


def _is_span(days: float) -> bool:
    return math.isfinite(days) and 0 < days <= MAX_HALF_LIFE_DAYS


def _weights(value: Any, pointer: str) -> Weights:
    if value is None:
        return DEFAULT_WEIGHTS
    if not isinstance(value, Mapping) or not set(value) <= {"similarity", "recency", "importance"}:
        raise InvalidField(pointer=f"{pointer}/weights")
    return Weights(**value)
