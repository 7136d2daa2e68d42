"""What becomes of an open conflict when one of its sides gives way, says something else, or comes back.

A person decides a conflict. Whoever is believed less must not end it by one more write: what takes the place of a side
inherits its conflicts, and only what speaks of another matter altogether has none. A row is never moved to other
memories: it is closed with a code and a new one opened, so that what was in doubt at a moment of the past is known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import Q, QuerySet

from audit.actions import Action as Event
from vault.models import Conflict, ConflictKind, ConflictStatus, Memory
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.opening import open_current
from vault.retrieval.records import Content
from vault.types import Status
from vault.writing.ground import Ground
from vault.writing.reconciling.relation import TOPIC_SIMILARITY

# Why a conflict was closed without a decision.
INHERITED = "inherited"
GAVE_WAY = "gave_way"
ANOTHER_MATTER = "another_matter"
DESTROYED = "destroyed"
# What may be so no longer, when one of the two comes back.
REOPENED = (INHERITED, GAVE_WAY, ANOTHER_MATTER)


def open_conflicts(challenger: Memory, standing: Sequence[UUID], *, ground: Ground) -> tuple[UUID, ...]:
    """Put what a memory contradicts, and may not replace, before a person; returns the conflicts' ids.

    Two that are before a person already are not put there twice.
    """
    return tuple(
        _standing_conflict(memory, challenger.pk) or _open(memory, challenger.pk, challenger, ground)
        for memory in standing
    )


def inherit_conflicts(
    heir: Memory, content: Content, gone: Collection[UUID], *, ground: Ground, as_challenger: bool = True
) -> tuple[UUID, ...]:
    """Put an heir in the place of what gave way to it in every open conflict; returns the ids of those it is in now.

    `as_challenger` says whether it also challenges what they challenged: not where a person gave that up.
    """
    inherited = []
    for conflict in _with_a_side_in(gone) if gone else ():
        challenged = conflict.standing_id in gone
        other = conflict.challenger if challenged else conflict.standing
        if other.pk == heir.pk or other.pk in gone or not (challenged or as_challenger):
            _close(conflict, GAVE_WAY, ground)
        elif is_another_matter(content, other, ground=ground):
            _close(conflict, ANOTHER_MATTER, ground)
        else:
            _close(conflict, INHERITED, ground)
            pair = (heir.pk, other.pk) if challenged else (other.pk, heir.pk)
            inherited.append(_standing_conflict(*pair) or _open(*pair, heir, ground, after=conflict.pk))
    return tuple(dict.fromkeys(inherited))


def review_conflicts(memory: Memory, content: Content, *, ground: Ground) -> tuple[UUID, ...]:
    """Look again at the conflicts of a memory that says something else now, or is served again.

    Those that have no reason any more are closed, those that have one again are opened anew; returns the ids of these.
    """
    mine = Q(standing=memory) | Q(challenger=memory)
    rows = _statements().filter(mine).order_by("created_at", "pk")
    for conflict in rows.filter(status=ConflictStatus.OPEN):
        if is_another_matter(content, _other(conflict, memory), ground=ground):
            _close(conflict, ANOTHER_MATTER, ground)
    opened = []
    for conflict in rows.filter(status=ConflictStatus.CLOSED, reason_code__in=REOPENED):
        other = _other(conflict, memory)
        pair = (conflict.standing_id, conflict.challenger_id)
        if other.status != Status.ACTIVE or _standing_conflict(*pair) or _is_decided(*pair):
            continue
        if not is_another_matter(content, other, ground=ground):
            opened.append(_open(*pair, memory, ground, after=conflict.pk))
    return tuple(opened)


def close_conflicts(memory: Memory, *, ground: Ground) -> int:
    """Close the open conflicts of a memory that says nothing any more; returns how many."""
    rows = list(_with_a_side_in([memory.pk]))
    for conflict in rows:
        _close(conflict, DESTROYED, ground)
    return len(rows)


def is_another_matter(content: Content, other: Memory, *, ground: Ground) -> bool:
    """Whether two statements have no topic in common; what cannot be compared stays in doubt.

    Labels do not count: a writer would give another slot to what should be out of reach. Raises IntegrityFault.
    """
    if content.vector is None or other.destroyed_at is not None:
        return False
    vector = open_current(other, keys=ground.keys).vector
    return vector is not None and float(content.vector @ vector) < TOPIC_SIMILARITY


def _statements() -> QuerySet[Conflict]:
    return Conflict.objects.filter(kind=ConflictKind.STATEMENT).select_related("standing", "challenger")


def _with_a_side_in(memories: Collection[UUID]) -> QuerySet[Conflict]:
    sides = Q(standing_id__in=memories) | Q(challenger_id__in=memories)
    return _statements().filter(sides, status=ConflictStatus.OPEN).order_by("created_at", "pk")


def _other(conflict: Conflict, memory: Memory) -> Memory:
    return conflict.challenger if conflict.standing_id == memory.pk else conflict.standing


def _between(one: UUID, other: UUID) -> Q:
    return Q(standing_id=one, challenger_id=other) | Q(standing_id=other, challenger_id=one)


def _standing_conflict(one: UUID, other: UUID) -> UUID | None:
    rows = Conflict.objects.filter(
        _between(one, other), kind=ConflictKind.STATEMENT, status=ConflictStatus.OPEN
    )
    return rows.values_list("pk", flat=True).first()


def _is_decided(one: UUID, other: UUID) -> bool:
    open_or_closed = (ConflictStatus.OPEN, ConflictStatus.CLOSED)
    rows = Conflict.objects.filter(_between(one, other), kind=ConflictKind.STATEMENT)
    return rows.exclude(status__in=open_or_closed).exists()


def _open(
    standing: UUID, challenger: UUID, because: Memory, ground: Ground, *, after: UUID | None = None
) -> UUID:
    conflict = Conflict.objects.create(
        id=new_id(), subject=ground.subject, namespace_id=because.namespace_id, standing_id=standing,
        challenger_id=challenger,
    )  # fmt: skip
    _note(Event.CONFLICT_OPENED, conflict, ground, after="" if after is None else str(after))
    return conflict.pk


def _close(conflict: Conflict, reason: str, ground: Ground) -> None:
    conflict.status, conflict.reason_code = ConflictStatus.CLOSED, reason
    conflict.decided_by, conflict.decided_at = ground.scope.author, ground.now
    conflict.save(update_fields=["status", "reason_code", "decided_by", "decided_at"])
    _note(Event.CONFLICT_CLOSED, conflict, ground, reason=reason)


def _note(event: Event, conflict: Conflict, ground: Ground, *, reason: str = "", after: str = "") -> None:
    trail.note(
        event, scope=ground.scope, kind="conflict", target=conflict.pk, subject_ref=ground.keys.audit_reference,
        reason=reason, standing=str(conflict.standing_id), challenger=str(conflict.challenger_id), after=after,
    )  # fmt: skip
