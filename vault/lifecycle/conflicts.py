"""Two statements that cannot both hold, and the person who decides between them.

A conflict comes from a write that may not replace what it contradicts, or from a rollback that met a later
write. The decision names the versions that were read, and is taken once; it raises no trust.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Q, Value, When
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import AlreadyDecided, InvalidField, InvalidTransition, NotFound, StaleVersion
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.diff import Piece, word_diff
from vault.lifecycle.rolling_back.undoing import Desk, go_back_to, hide, serve_again, supersede
from vault.lifecycle.versions import list_versions
from vault.models import Conflict, ConflictKind, ConflictStatus, Memory, isolation
from vault.retrieval import trail
from vault.retrieval.opening import open_current
from vault.retrieval.read import get_memory
from vault.retrieval.records import OpenedMemory, OpenedVersion
from vault.retrieval.scope import Right, Scope
from vault.types import Status
from vault.writing.contested import inherit_conflicts
from vault.writing.ground import Ground
from vault.writing.locks import lock_subject
from vault.writing.store import has_twin

KIND = "conflict"
PAGE = 50


@dataclass(frozen=True, slots=True)
class ConflictPage:
    """Open conflicts without any text, and how many there are: those of two that are served first, then the oldest."""

    rows: tuple[Conflict, ...]
    total: int
    next_page: int | None


@dataclass(frozen=True, slots=True)
class OpenedConflict:
    """A conflict as a reviewer reads it: what stands, and what it was met by.

    Of a rollback, `challenger` is None and `earlier` the version to go back to, None for before the first.
    `changes` lead from what stands to what would take its place.
    """

    row: Conflict
    standing: OpenedMemory
    challenger: OpenedMemory | None
    earlier: OpenedVersion | None
    changes: tuple[Piece, ...]


def list_conflicts(*, scope: Scope, page: int = 1) -> ConflictPage:
    """Conflicts that wait for a person, also while a side is not served: it may come back, nothing is open unseen."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        both = Q(standing__status=Status.ACTIVE, challenger__status=Status.ACTIVE)
        waits = Case(When(Q(kind=ConflictKind.ROLLBACK) | both, then=Value(0)), default=Value(1))
        rows = Conflict.objects.filter(status=ConflictStatus.OPEN)
        first = (max(1, page) - 1) * PAGE
        chosen = rows.select_related("namespace", "standing", "challenger").order_by(
            waits, "created_at", "pk"
        )
        total = rows.count()
        found = tuple(chosen[first : first + PAGE])
    return ConflictPage(found, total, page + 1 if first + PAGE < total else None)


def conflicts_of(*, memory_id: UUID, scope: Scope) -> tuple[UUID, ...]:
    """The open conflicts that a memory is one side of, the oldest first; no text is opened for it."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        sides = Q(standing_id=memory_id) | Q(challenger_id=memory_id)
        rows = Conflict.objects.filter(sides, status=ConflictStatus.OPEN).order_by("created_at", "pk")
        return tuple(rows.values_list("pk", flat=True))


def open_conflict(*, conflict_id: UUID, scope: Scope) -> OpenedConflict:
    """Both sides, opened; each look is an entry. Raises NotFound, IntegrityFault."""
    require_staff(scope)
    with (
        refusals_noted(Event.MEMORY_READ, scope=scope, kind=KIND, target=conflict_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        row = _find(conflict_id)
    standing = get_memory(memory_id=row.standing_id, scope=scope)
    text = standing.content.text
    if row.kind == ConflictKind.ROLLBACK:
        earlier = _version(row, scope) if row.to_version else None
        before = earlier.content.text if earlier else ""
        return OpenedConflict(row, standing, None, earlier, word_diff(text, before))
    challenger = get_memory(memory_id=row.challenger_id, scope=scope)
    return OpenedConflict(row, standing, challenger, None, word_diff(text, challenger.content.text))


def decide_conflict(
    *,
    conflict_id: UUID,
    decision: ConflictStatus,
    standing_version: int,
    challenger_version: int,
    reason: str,
    scope: Scope,
) -> Conflict:
    """Keep what stands, let the other take its place, or keep both. `reason` is a code.

    Raises NotFound, AlreadyDecided, StaleVersion when either changed since it was read, SubjectErased,
    InvalidField for a decision that the conflict does not know, and InvalidTransition when the other is no
    longer served.
    """
    require_staff(scope)
    scope.require(Right.MEMORY_WRITE)
    with (
        refusals_noted(Event.CONFLICT_DECIDED, scope=scope, kind=KIND, target=conflict_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        subject = lock_subject(_find(conflict_id).subject_id)
        conflict = _lock_open(conflict_id, standing_version, challenger_version)
        desk = Desk(subject, key_vault().subject(subject.pk), timezone.now(), scope.author, reason)
        _carry_out(conflict, decision, desk, scope)
        conflict.status, conflict.reason_code = decision, reason
        conflict.decided_by, conflict.decided_at = scope.author, desk.now
        conflict.save(update_fields=["status", "reason_code", "decided_by", "decided_at"])
        _pass_on(conflict, decision, desk, scope)
        trail.note(
            Event.CONFLICT_DECIDED, scope=scope, kind=KIND, target=conflict.pk,
            subject_ref=desk.keys.audit_reference, reason=reason, decision=decision.value,
            standing=str(conflict.standing_id), challenger=str(conflict.challenger_id),
        )  # fmt: skip
    return conflict


def _find(conflict_id: UUID) -> Conflict:
    rows = Conflict.objects.select_related("namespace", "standing", "challenger")
    conflict = rows.filter(pk=conflict_id).first()
    if conflict is None:
        raise NotFound
    return conflict


def _version(row: Conflict, scope: Scope) -> OpenedVersion:
    for version in list_versions(memory_id=row.standing_id, scope=scope):
        if version.opened.row.number == row.to_version:
            return version.opened
    raise NotFound


def _lock_open(conflict_id: UUID, standing_version: int, challenger_version: int) -> Conflict:
    Conflict.objects.select_for_update().get(pk=conflict_id)
    conflict = _find(conflict_id)
    if conflict.status != ConflictStatus.OPEN:
        raise AlreadyDecided(decided_by=conflict.decided_by, status=conflict.status)
    read = (standing_version, challenger_version)
    if (conflict.standing.version, conflict.challenger.version) != read:
        raise StaleVersion
    return conflict


def _carry_out(conflict: Conflict, decision: ConflictStatus, desk: Desk, scope: Scope) -> None:
    of_rollback = conflict.kind == ConflictKind.ROLLBACK
    match decision:
        case ConflictStatus.KEPT if of_rollback:
            return
        case ConflictStatus.REPLACED if of_rollback:
            _go_back(conflict, desk, scope)
        case ConflictStatus.KEPT:
            _give_way(conflict.challenger, conflict.standing, desk, scope)
        case ConflictStatus.REPLACED:
            if conflict.challenger.status != Status.ACTIVE:
                raise InvalidTransition("What was to take the place is not served any more.")
            _give_way(conflict.standing, conflict.challenger, desk, scope)
        case ConflictStatus.BOTH if not of_rollback:
            return
        case _:
            raise InvalidField("This conflict knows no such decision.", pointer="/decision")


def _give_way(loser: Memory, winner: Memory, desk: Desk, scope: Scope) -> None:
    """The loser is superseded by the winner, or hidden when that is not served itself."""
    if loser.status != Status.ACTIVE:
        return
    if winner.status != Status.ACTIVE:
        hide(loser, desk=desk)
        _note_memory(Event.MEMORY_FORGOTTEN, loser, desk, scope)
        return
    supersede(loser, winner, desk=desk)
    _note_memory(Event.MEMORY_SUPERSEDED, loser, desk, scope)


def _pass_on(conflict: Conflict, decision: ConflictStatus, desk: Desk, scope: Scope) -> None:
    """What took the place of another is in its conflicts; what a person gave up challenges nothing any more."""
    replaced = decision is ConflictStatus.REPLACED
    loser, heir = conflict.standing, conflict.challenger
    if not replaced:
        loser, heir = heir, loser
    if loser.status != Status.SUPERSEDED or loser.superseded_by_id != heir.pk:
        return
    ground = Ground(desk.subject, desk.keys, scope, desk.now)
    content = open_current(heir, keys=desk.keys)
    inherit_conflicts(heir, content, [loser.pk], ground=ground, as_challenger=replaced)


def _go_back(conflict: Conflict, desk: Desk, scope: Scope) -> None:
    """What the rollback could not do by itself, on a person's word."""
    memory = conflict.standing
    if conflict.to_version:
        go_back_to(memory, conflict.to_version, status=Status(memory.status), desk=desk)
    elif memory.status != Status.FORGOTTEN:
        hide(memory, desk=desk)
        for old in Memory.objects.filter(superseded_by=memory, status=Status.SUPERSEDED):
            if not has_twin(old, bytes(old.fingerprint)):
                serve_again(old, desk=desk)
                _note_memory(Event.MEMORY_ROLLED_BACK, old, desk, scope)
    _note_memory(Event.MEMORY_ROLLED_BACK, memory, desk, scope, to_version=conflict.to_version or 0)


def _note_memory(event: Event, memory: Memory, desk: Desk, scope: Scope, **facts: Any) -> None:
    trail.note(
        event, scope=scope, kind="memory", target=memory.pk, subject_ref=desk.keys.audit_reference,
        reason=desk.reason_code, version=memory.version, **facts,
    )  # fmt: skip
