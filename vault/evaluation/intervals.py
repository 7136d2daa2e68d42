"""Shares with their uncertainty, and times: what the figures of an evaluation are made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z_95 = 1.959963984540054


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson, 1927); (0, 1) when nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    share, z2 = hits / total, Z_95**2
    centre = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z_95 * math.sqrt(share * (1 - share) / total + z2 / (4 * total**2)) / (1 + z2 / total)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(slots=True)
class Count:
    """Hits among cases, counted as they come."""

    hits: int = 0
    total: int = 0

    def add(self, hit: bool) -> None:
        self.hits += hit
        self.total += 1

    @property
    def share(self) -> float | None:
        return round(self.hits / self.total, 4) if self.total else None

    def described(self) -> dict[str, float | int | list[float] | None]:
        low, high = wilson(self.hits, self.total)
        interval = [round(low, 4), round(high, 4)]
        return {"share": self.share, "hits": self.hits, "of": self.total, "interval_95": interval}


class Counts:
    """Counts by name, made when first named."""

    def __init__(self) -> None:
        self._counts: dict[str, Count] = {}

    def add(self, name: str, hit: bool) -> None:
        self._counts.setdefault(name, Count()).add(hit)

    def total(self) -> Count:
        parts = self._counts.values()
        return Count(sum(c.hits for c in parts), sum(c.total for c in parts))

    def shares(self) -> dict[str, float | None]:
        return {name: count.share for name, count in sorted(self._counts.items())}

    def described(self) -> dict[str, object]:
        return {name: count.described() for name, count in sorted(self._counts.items())}


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` (0..1) of the values lie; None when there are none."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def times(milliseconds: Sequence[float]) -> dict[str, float | None]:
    return {
        "ms_median": _rounded(percentile(milliseconds, 0.5)),
        "ms_p99": _rounded(percentile(milliseconds, 0.99)),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
