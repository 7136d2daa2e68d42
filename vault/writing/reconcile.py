"""What a draft does to the memories it resembles: a pure decision over what is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from vault.types import Kind, Resolution, Trust
from vault.writing.reconciling.opinion import NO_OPINIONS, Opinions, in_doubt, may_replace, weighed
from vault.writing.reconciling.relation import TOPIC_SIMILARITY, Relation, relate
from vault.writing.reconciling.statement import Statement, read

# A draft that might contradict many memories says little about each of them; a person is shown the nearest.
MAX_UNCLEAR = 3
# Reading costs about a tenth of a millisecond each; what a draft contradicts is among the nearest.
MAX_READ = 8


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One active memory of the same subject and namespace that the draft may concern.

    `similarity` is the exact cosine, or 0 when either side has no vector. Times are aware; `occurred_at` is
    when what it tells of happened, where that is known. `other_slot` says that both have a slot, and not the
    same one: then they are two matters, however alike their words. `served` says that a reader had it.
    """

    memory_id: UUID
    text: str
    trust: Trust
    similarity: float
    same_statement: bool = False
    same_slot: bool = False
    named: bool = False
    other_slot: bool = False
    kind: Kind = Kind.FACT
    occurred_at: datetime | None = None
    served: bool = False


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """`merged` is the memory that the draft repeats; the others are what it replaces or contradicts."""

    resolution: Resolution
    merged: UUID | None = None
    superseded: tuple[UUID, ...] = ()
    conflicts: tuple[UUID, ...] = ()


def reconcile(
    text: str,
    trust: Trust,
    neighbours: Sequence[Neighbour],
    *,
    kind: Kind = Kind.FACT,
    occurred_at: datetime | None = None,
    from_agent: bool = False,
    opinions: Opinions = NO_OPINIONS,
) -> Reconciliation:
    """Decide what a draft of this text and trust does. Reads nothing, writes nothing.

    The same statement again, or in other words without any differing fact, is merged into what is there,
    unless the draft is to be believed more: then it takes the place. An agent that repeats what the vault served
    is an echo, and never to be believed more than what it repeats. What the writer names, what fills the
    same slot, and what the text clearly contradicts is superseded by an equal or higher trust; a lower trust
    only makes a conflict, and so does a text that may contradict another. `opinions` count where that is in doubt.
    """
    relations = _relations(text, trust, neighbours, kind=kind, occurred_at=occurred_at, opinions=opinions)
    repeated = next((n for n in neighbours if n.same_statement), None)
    if repeated is None and not any(_is_labelled(n) for n in neighbours):
        # Merged, a paraphrase would leave standing what the writer wants replaced.
        repeated = _nearest_repeated(neighbours, relations)
    if repeated is not None and (trust.rank <= repeated.trust.rank or (from_agent and repeated.served)):
        return Reconciliation(Resolution.MERGE, merged=repeated.memory_id)
    replaced = [n for n in neighbours if _is_labelled(n) or relations.get(n.memory_id) is Relation.REPLACES]
    repeats = [n for n in neighbours if relations.get(n.memory_id) is Relation.SAME]
    superseded = tuple(n.memory_id for n in (*replaced, *repeats) if trust.rank >= n.trust.rank)
    conflicts = tuple(n.memory_id for n in replaced if trust.rank < n.trust.rank)
    conflicts += _unclear(neighbours, relations)
    if superseded:
        return Reconciliation(Resolution.SUPERSEDE, superseded=superseded, conflicts=conflicts)
    if conflicts:
        return Reconciliation(Resolution.CONFLICT, conflicts=conflicts)
    return Reconciliation(Resolution.CREATE)


def doubts(
    text: str,
    trust: Trust,
    neighbours: Sequence[Neighbour],
    *,
    kind: Kind = Kind.FACT,
    occurred_at: datetime | None = None,
) -> tuple[Neighbour, ...]:
    """The neighbours on which a second opinion would count, the nearest first; none when the draft is merged anyway."""
    if reconcile(text, trust, neighbours, kind=kind, occurred_at=occurred_at).merged is not None:
        return ()
    new = read(text)
    open_ones = [n for n in _near(neighbours) if _is_in_doubt(new, trust, n)]
    return tuple(open_ones[:MAX_UNCLEAR])


Relations = dict[UUID, Relation]


def _relations(
    text: str,
    trust: Trust,
    neighbours: Sequence[Neighbour],
    *,
    kind: Kind,
    occurred_at: datetime | None,
    opinions: Opinions,
) -> Relations:
    """How the text stands to each neighbour that is near enough to be read; labels the writer gave go before."""
    near = _near(neighbours)
    if not near:
        return {}
    new = read(text)
    found: Relations = {}
    for old in near:
        relation = relate(read(old.text), new, old.similarity)
        choice = opinions.choices.get((old.memory_id, old.text))
        if choice is not None and _is_in_doubt(new, trust, old):
            relation = weighed(relation, choice, old=old.text, new=text)
        found[old.memory_id] = _in_time(relation, old, kind=kind, occurred_at=occurred_at)
    return found


def _near(neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    near = [
        n for n in neighbours if n.similarity >= TOPIC_SIMILARITY and not (_is_labelled(n) or n.other_slot)
    ]
    return sorted(near, key=lambda n: (-n.similarity, n.memory_id))[:MAX_READ]


def _is_in_doubt(new: Statement, trust: Trust, old: Neighbour) -> bool:
    said = read(old.text)
    relation = relate(said, new, old.similarity)
    return may_replace(trust, old.trust) and in_doubt(said, new, old.similarity, relation)


def _is_labelled(neighbour: Neighbour) -> bool:
    return neighbour.same_statement or neighbour.same_slot or neighbour.named


def _in_time(relation: Relation, old: Neighbour, *, kind: Kind, occurred_at: datetime | None) -> Relation:
    """What two times, or two events, leave of a relation that was found in the texts alone."""
    events = kind is Kind.EVENT and old.kind is Kind.EVENT
    if occurred_at is not None and old.occurred_at is not None and occurred_at != old.occurred_at:
        if events:
            return Relation.APART  # it happened twice
        if occurred_at < old.occurred_at and relation is Relation.REPLACES:
            return Relation.UNCLEAR  # the older news came later
    if events and relation is Relation.REPLACES:
        return Relation.UNCLEAR  # what happened stays so
    return relation


def _nearest_repeated(neighbours: Sequence[Neighbour], relations: Relations) -> Neighbour | None:
    repeated = [n for n in neighbours if relations.get(n.memory_id) is Relation.SAME]
    return max(repeated, key=lambda n: n.similarity, default=None)


def _unclear(neighbours: Sequence[Neighbour], relations: Relations) -> tuple[UUID, ...]:
    unclear = [n for n in neighbours if relations.get(n.memory_id) is Relation.UNCLEAR]
    nearest = sorted(unclear, key=lambda n: -n.similarity)[:MAX_UNCLEAR]
    return tuple(n.memory_id for n in nearest)
