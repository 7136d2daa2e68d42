"""Open conflicts as a reader meets them: what is in doubt is marked, what is believed less stands behind the other.

Both sides are served until a person decides, and each names the other. A claim of lower trust must not stand before
the statement that it contradicts, however new or well worded it is: a prompt reads from the top.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from vault.models import Conflict, ConflictKind, ConflictStatus, MemoryVersion
from vault.types import Status, Trust

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two memories of one subject that contradict each other; the challenger came later."""

    standing: UUID
    challenger: UUID
    challenger_is_believed_less: bool
    standing_is_believed_less: bool = False


def disputes_of(subject_id: UUID, *, as_of: datetime | None = None) -> tuple[Dispute, ...]:
    """The conflicts of a subject that are open in the namespaces that the transaction may read.

    Now, both sides must be served; `as_of` looks back at what was open then between two that a reader of then may still
    be given: one that was forgotten or has expired since is named to nobody.
    """
    rows = Conflict.objects.filter(subject_id=subject_id, kind=ConflictKind.STATEMENT)
    if as_of is None:
        rows = rows.filter(_is_served("standing"), _is_served("challenger"), status=ConflictStatus.OPEN)
        labels = rows.values_list("standing_id", "challenger_id", "standing__trust", "challenger__trust")
        return tuple(_dispute(*labelled) for labelled in labels)
    still_open = Q(decided_at__isnull=True) | Q(decided_at__gt=as_of)
    pairs = list(rows.filter(still_open, created_at__lte=as_of).values_list("standing_id", "challenger_id"))
    trusts = _trusts_then({memory for pair in pairs for memory in pair}, as_of=as_of)
    return tuple(
        _dispute(standing, challenger, trusts[standing], trusts[challenger])
        for standing, challenger in pairs
        if standing in trusts and challenger in trusts
    )


def _dispute(standing: UUID, challenger: UUID, trust: str, its_trust: str) -> Dispute:
    rank, its_rank = Trust(trust).rank, Trust(its_trust).rank
    return Dispute(standing, challenger, its_rank < rank, rank < its_rank)


def _trusts_then(memories: Collection[UUID], *, as_of: datetime) -> Mapping[UUID, str]:
    """The trust that each of these had, of those that were served then and are not out of every reach by now."""
    if not memories:
        return {}
    gone = Q(memory__status__in=(Status.FORGOTTEN, Status.EXPIRED)) | Q(
        memory__expires_at__lte=timezone.now()
    )
    rows = MemoryVersion.objects.filter(Q(number=1) | Q(written_at__lte=as_of), memory_id__in=memories)
    last = rows.exclude(gone).order_by("memory_id", "-number").distinct("memory_id")
    labels = last.values_list("memory_id", "trust", "status", "expires_at", "destroyed_at")
    return {
        memory: trust
        for memory, trust, status, end, destroyed in labels
        if status == Status.ACTIVE and destroyed is None and (end is None or end > as_of)
    }


def _is_served(side: str) -> Q:
    living = Q(**{f"{side}__expires_at__isnull": True}) | Q(**{f"{side}__expires_at__gt": timezone.now()})
    return living & Q(**{f"{side}__status": Status.ACTIVE})


def sides(disputes: Collection[Dispute]) -> Mapping[UUID, tuple[UUID, ...]]:
    """For each memory in a dispute, the others, in the order of their ids."""
    others: dict[UUID, set[UUID]] = defaultdict(set)
    for dispute in disputes:
        others[dispute.standing].add(dispute.challenger)
        others[dispute.challenger].add(dispute.standing)
    return {memory: tuple(sorted(found)) for memory, found in others.items()}


def disputed(disputes: Collection[Dispute]) -> frozenset[UUID]:
    """The memories that a prompt should doubt: of each two the one that is believed less, both where that is equal.

    A statement is not put in doubt by whoever is believed less, whichever of the two came first: else anybody outside
    could mark what they please.
    """
    challengers = {d.challenger for d in disputes if not d.standing_is_believed_less}
    return frozenset(challengers | {d.standing for d in disputes if not d.challenger_is_believed_less})


def behind_what_they_challenge(
    ranked: Sequence[Item], disputes: Collection[Dispute], *, key: Callable[[Item], UUID]
) -> list[Item]:
    """The same items; one that is believed less comes right behind the last that it contradicts, if that is here. Pure.

    What nothing holds back keeps its order. A ring of challenges, which no trust can make, would end the list.
    """
    here = {key(item) for item in ranked}
    waits: dict[UUID, set[UUID]] = defaultdict(set)
    for dispute in disputes:
        if dispute.challenger_is_believed_less and dispute.standing in here:
            waits[dispute.challenger].add(dispute.standing)
        if dispute.standing_is_believed_less and dispute.challenger in here:
            waits[dispute.standing].add(dispute.challenger)
    placed: list[Item] = []
    held: list[Item] = []
    for item in ranked:
        held.append(item)
        while free := [each for each in held if not waits.get(key(each))]:
            held = [each for each in held if waits.get(key(each))]
            placed += free
            for waiting in waits.values():
                waiting.difference_update(key(each) for each in free)
    return placed + held
