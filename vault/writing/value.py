"""What a memory is worth keeping, when a cap leaves no room for all. Pure.

    value = 0.40 importance + 0.25 use + 0.20 recency + 0.15 trust + 0.20 (usefulness - 1/2)

use = n / (n + 3) over how often it was served and said again; recency = 0.5 ^ (days since it was last written or
served / 90); trust = rank / 3; usefulness = (useful + 1) / (useful + useless + 2), which is 1/2 without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from vault.models import Memory
from vault.types import Trust

IMPORTANCE, USE, RECENCY, TRUST, USEFULNESS = 0.40, 0.25, 0.20, 0.15, 0.20
HALF_USE = 3
HALF_LIFE = timedelta(days=90)


def value_of(memory: Memory, now: datetime) -> float:
    """The value of one memory at this moment, about 0..1."""
    return (
        IMPORTANCE * memory.importance
        + USE * _use(memory)
        + RECENCY * _recency(memory, now)
        + TRUST * Trust(memory.trust).rank / (len(Trust) - 1)
        + USEFULNESS * (usefulness_of(memory) - 0.5)
    )


def usefulness_of(memory: Memory) -> float:
    """How far those who were served it found it useful, 0..1; one half when nobody said anything."""
    return (memory.useful_count + 1) / (memory.useful_count + memory.useless_count + 2)


def least_valuable(memories: Sequence[Memory], *, excess: int, now: datetime) -> tuple[Memory, ...]:
    """The memories that give way, the least valuable first; of equals the older. Pinned ones never do."""
    free = [memory for memory in memories if not memory.pinned]
    ranked = sorted(free, key=lambda m: (value_of(m, now), m.created_at, m.pk))
    return tuple(ranked[: max(0, excess)])


def _use(memory: Memory) -> float:
    seen = memory.use_count + memory.seen_count - 1
    return seen / (seen + HALF_USE)


def _recency(memory: Memory, now: datetime) -> float:
    touched = max(memory.created_at, memory.last_used_at or memory.created_at)
    age = max(timedelta(0), now - touched)
    return float(0.5 ** (age / HALF_LIFE))
