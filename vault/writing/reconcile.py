"""What a draft does to the memories it resembles: a pure decision over what is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from vault.types import Resolution, Trust


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One active memory of the same subject and namespace that the draft may concern.

    `similarity` is the exact cosine, or 0 when either side has no vector.
    """

    memory_id: UUID
    text: str
    trust: Trust
    similarity: float
    same_statement: bool = False
    same_slot: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """`merged` is the memory that the draft repeats; the others are what it replaces or contradicts."""

    resolution: Resolution
    merged: UUID | None = None
    superseded: tuple[UUID, ...] = ()
    conflicts: tuple[UUID, ...] = ()


def reconcile(text: str, trust: Trust, neighbours: Sequence[Neighbour]) -> Reconciliation:
    """Decide what a draft of this text and trust does. Reads nothing, writes nothing.

    The same statement again is merged into what is there, unless the draft is to be believed more: then it
    takes the place. What the writer names, or what fills the same slot, is superseded by an equal or higher
    trust; a lower trust only makes a conflict.
    """
    repeated = next((n for n in neighbours if n.same_statement), None)
    if repeated is not None and trust.rank <= repeated.trust.rank:
        return Reconciliation(Resolution.MERGE, merged=repeated.memory_id)
    replaced = [n for n in neighbours if n.same_statement or n.same_slot or n.named]
    superseded = tuple(n.memory_id for n in replaced if trust.rank >= n.trust.rank)
    conflicts = tuple(n.memory_id for n in replaced if trust.rank < n.trust.rank)
    if superseded:
        return Reconciliation(Resolution.SUPERSEDE, superseded=superseded, conflicts=conflicts)
    if conflicts:
        return Reconciliation(Resolution.CONFLICT, conflicts=conflicts)
    return Reconciliation(Resolution.CREATE)
