"""How each kind of memory is looked for and weighed: what a namespace's policy says under `retrieval`.

    {"retrieval": {"event": {"k": 10, "mode": "keyword", "half_life_days": 14, "decay": "hyperbolic",
                             "weights": {"similarity": 0.6, "recency": 0.3, "importance": 0.1}}}}

A memory is weighed by what the policy of its own namespace says of its own kind, in every search; number and mode
are for context blocks and windows, which look kind by kind. What a request says goes before the policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from vault.errors import InvalidField
from vault.retrieval.fusion import Mode
from vault.retrieval.score import DEFAULT_RANKING, Decay, Ranking, Weights
from vault.types import Kind

SECTION = "retrieval"
MAX_K = 100
MAX_HALF_LIFE_DAYS = 36_500.0
BROKEN = "The retrieval policy of a namespace cannot be read; nothing is searched until it can."
_PARTS = frozenset({"k", "mode", "weights", "half_life_days", "decay"})

Choice = TypeVar("Choice", Mode, Decay)


@dataclass(frozen=True, slots=True)
class KindPolicy:
    """What one namespace says of one kind; None where it says nothing. `k` is 0..100, and 0 leaves the kind out."""

    k: int | None = None
    mode: Mode | None = None
    weights: Weights | None = None
    half_life_days: float | None = None
    decay: Decay | None = None

    @property
    def looks_apart(self) -> bool:
        """Whether the kind needs a search of its own."""
        return self.k is not None or self.mode is not None

    def ranking(self, asked: KindPolicy | None = None) -> Ranking:
        """How a memory of this kind is weighed: as `asked`, else as the namespace says, else as shipped."""
        asked = asked or KindPolicy()
        return Ranking(
            asked.weights or self.weights or DEFAULT_RANKING.weights,
            asked.half_life_days or self.half_life_days or DEFAULT_RANKING.half_life_days,
            asked.decay or self.decay or DEFAULT_RANKING.decay,
        )


@dataclass(frozen=True, slots=True)
class WindowDefault:
    """What a window takes of one kind where the policy says nothing."""

    k: int
    half_life_days: float


# A preference or a rule is as good after a year as on its day, an event is not, and a lesson lies between.
WINDOW_DEFAULTS: Mapping[Kind, WindowDefault] = MappingProxyType(
    {
        Kind.FACT: WindowDefault(k=100, half_life_days=180.0),
        Kind.EVENT: WindowDefault(k=50, half_life_days=30.0),
        Kind.LESSON: WindowDefault(k=20, half_life_days=365.0),
    }
)


def kind_policies(policy: Mapping[str, Any]) -> Mapping[Kind, KindPolicy]:
    """What a namespace's whole policy says of each kind. Raises InvalidField, naming the part."""
    given = policy.get(SECTION, {})
    if not isinstance(given, Mapping) or not set(given) <= set(Kind):
        raise _broken("")
    return {kind: _read(kind, given.get(kind.value, {})) for kind in Kind}


def rankings(policy: Mapping[str, Any], asked: KindPolicy | None = None) -> Mapping[Kind, Ranking]:
    """How each kind is weighed in a namespace of this policy. Raises InvalidField for one that cannot be read."""
    return {kind: said.ranking(asked) for kind, said in kind_policies(policy).items()}


def _read(kind: Kind, value: Any) -> KindPolicy:
    if not isinstance(value, Mapping) or not set(value) <= _PARTS:
        raise _broken(f"/{kind}")
    return KindPolicy(
        k=_number(value.get("k"), f"/{kind}/k"),
        mode=_choice(Mode, value.get("mode"), f"/{kind}/mode"),
        weights=_weights(value.get("weights"), f"/{kind}/weights"),
        half_life_days=_days(value.get("half_life_days"), f"/{kind}/half_life_days"),
        decay=_choice(Decay, value.get("decay"), f"/{kind}/decay"),
    )


def _number(value: Any, part: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_K:
        raise _broken(part)
    return value


def _days(value: Any, part: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _broken(part)
    if not 0 < value <= MAX_HALF_LIFE_DAYS:
        raise _broken(part)
    return float(value)


def _choice(choices: type[Choice], value: Any, part: str) -> Choice | None:
    if value is None:
        return None
    if value not in list(choices):
        raise _broken(part)
    return choices(value)


def _weights(value: Any, part: str) -> Weights | None:
    """All three, or those that are named beside the shipped others."""
    if value is None:
        return None
    if not isinstance(value, Mapping) or not set(value) <= {"similarity", "recency", "importance"}:
        raise _broken(part)
    try:
        return Weights(**value)
    except InvalidField:
        raise _broken(part) from None


def _broken(part: str) -> InvalidField:
    return InvalidField(BROKEN, pointer=f"/{SECTION}{part}")
