"""Undoing one row of a rollback, under its subject's lock and in the caller's transaction.

What moved since the preview is looked at again: what somebody else wrote meanwhile is kept, and a person
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault
from vault.lifecycle.desk import system_scope
from vault.lifecycle.versions import RESTORED_LABELS
from vault.models import (
    BulkRollbackItem,
    Conflict,
    ConflictKind,
    ConflictStatus,
    ItemStatus,
    Memory,
    MemoryVersion,
    QuarantinedWrite,
    RollbackKind,
    Subject,
)
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.opening import open_current, open_version
from vault.retrieval.records import Content
from vault.types import QuarantineStatus, Status
from vault.writing.contested import review_conflicts
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground
from vault.writing.store import has_twin, write_version
from vault.writing.withdrawal import UNDONE

SCOPE = system_scope("rollback")


@dataclass(frozen=True, slots=True)
class Desk:
    """The locked subject whose row is undone, and who does it, why (a code) and when."""

    subject: Subject
    keys: SubjectKeys
    now: datetime
    author: str
    reason_code: str


def desk_of(subject: Subject, *, keys: SubjectKeys, now: datetime) -> Desk:
    """The desk of the job; the rollback's own reason stands in its entries."""
    return Desk(subject, keys, now, SCOPE.author, UNDONE)


def undo(item: BulkRollbackItem, desk: Desk) -> None:
    """Carry out one item and write down on it what became of it. Raises IntegrityFault for an altered row."""
    UNDO[RollbackKind(item.kind)](item, desk)
    item.save(update_fields=["status", "outcome_code", "result_version"])


def _restore(item: BulkRollbackItem, desk: Desk) -> None:
    memory = _memory(item)
    moved, rewritten = _since_preview(item, memory)
    if rewritten:
        _open_conflict(item, memory, desk)
        return
    go_back_to(memory, item.to_version, status=Status(memory.status if moved else item.to_status), desk=desk)
    _done(item, memory, desk)


def go_back_to(memory: Memory, number: int, *, status: Status, desk: Desk) -> None:
    """Write a version with the content and labels of an old one; hidden, when it stands elsewhere by now."""
    row = MemoryVersion.objects.filter(memory=memory, number=number).first()
    if row is None:
        raise IntegrityFault
    old = open_version(row, keys=desk.keys)
    for label in (*RESTORED_LABELS, "trust"):
        setattr(memory, label, getattr(old.row, label))
    fingerprint = desk.keys.fingerprint(same_statement_form(old.content.text))
    twin = status is Status.ACTIVE and has_twin(memory, fingerprint)
    memory.status = (Status.FORGOTTEN if twin else status).value
    _write(memory, old.content, desk)
    review_conflicts(memory, old.content, ground=_ground(desk))


def _forget(item: BulkRollbackItem, desk: Desk) -> None:
    memory = _memory(item)
    if memory.status == Status.FORGOTTEN:
        _skip(item, "already_forgotten")
        return
    _, rewritten = _since_preview(item, memory)
    if rewritten:
        _open_conflict(item, memory, desk)
        return
    hide(memory, desk=desk)
    _done(item, memory, desk)


def hide(memory: Memory, *, desk: Desk) -> None:
    """Write a forgotten version: no agent finds the memory until a person restores it."""
    content = open_current(memory, keys=desk.keys)
    memory.status = Status.FORGOTTEN.value
    _write(memory, content, desk)


def _revive(item: BulkRollbackItem, desk: Desk) -> None:
    memory = _memory(item)
    if memory.status not in (Status.SUPERSEDED, Status.ARCHIVED):
        _skip(item, "already_changed")
    elif _is_still_replaced(memory):
        _skip(item, "successor_stands")
    elif has_twin(memory, bytes(memory.fingerprint)):
        _skip(item, "already_stands")
    else:
        serve_again(memory, desk=desk)
        _done(item, memory, desk)


def serve_again(memory: Memory, *, desk: Desk) -> None:
    """Write an active version of a memory that had given way to another. No twin may stand."""
    content = open_current(memory, keys=desk.keys)
    memory.status, memory.superseded_by = Status.ACTIVE.value, None
    _write(memory, content, desk)
    review_conflicts(memory, content, ground=_ground(desk))


def supersede(memory: Memory, successor: Memory, *, desk: Desk) -> None:
    """Write a superseded version of a memory that gives way to another."""
    content = open_current(memory, keys=desk.keys)
    memory.status, memory.superseded_by = Status.SUPERSEDED.value, successor
    _write(memory, content, desk)


def _is_still_replaced(memory: Memory) -> bool:
    """Whether what it gave way to is served, or gave way to something that is; a person may have seen to that."""
    successor, seen = memory.superseded_by, {memory.pk}
    while successor is not None and successor.status == Status.FORGOTTEN and successor.pk not in seen:
        seen.add(successor.pk)
        successor = successor.superseded_by
    absorbed = Memory.objects.filter(derived_from__contains=[memory.pk], status=Status.ACTIVE).exists()
    return successor is not None or (memory.status == Status.ARCHIVED and absorbed)


def _reject(item: BulkRollbackItem, desk: Desk) -> None:
    write = QuarantinedWrite.objects.select_for_update().get(pk=item.row_id)
    if write.status != QuarantineStatus.PENDING:
        _skip(item, "already_decided")
        return
    write.move_to(QuarantineStatus.REJECTED, by=SCOPE.author)
    write.decided_at, write.reason_code = desk.now, UNDONE
    write.save(update_fields=["status", "decided_by", "decided_at", "reason_code"])
    item.status = ItemStatus.DONE
    trail.note(
        Event.QUARANTINE_REJECTED, scope=SCOPE, kind="quarantine", target=write.pk,
        subject_ref=desk.keys.audit_reference, reason=UNDONE, rollback=str(item.rollback_id),
    )  # fmt: skip


def _put_before_a_person(item: BulkRollbackItem, desk: Desk) -> None:
    _open_conflict(item, _memory(item), desk)


def _open_conflict(item: BulkRollbackItem, memory: Memory, desk: Desk) -> None:
    """Somebody else wrote since: their version stands until a person decides."""
    item.status = ItemStatus.CONFLICT
    same = Conflict.objects.filter(
        standing=memory, kind=ConflictKind.ROLLBACK, to_version=item.to_version, status=ConflictStatus.OPEN
    )
    if same.exists():
        return
    conflict = Conflict.objects.create(
        id=new_id(),
        subject=desk.subject,
        namespace_id=memory.namespace_id,
        standing=memory,
        challenger=memory,
        kind=ConflictKind.ROLLBACK,
        to_version=item.to_version,
    )
    trail.note(
        Event.CONFLICT_OPENED, scope=SCOPE, kind="conflict", target=conflict.pk,
        subject_ref=desk.keys.audit_reference, rollback=str(item.rollback_id), memory=str(memory.pk),
    )  # fmt: skip


def _since_preview(item: BulkRollbackItem, memory: Memory) -> tuple[bool, bool]:
    """Whether others moved the memory's status since the preview, and whether they rewrote it."""
    own = BulkRollbackItem.objects.filter(
        rollback_id=item.rollback_id, memory=memory, result_version__isnull=False
    )
    written = set(own.values_list("result_version", flat=True))
    rows = MemoryVersion.objects.filter(memory=memory, number__gte=item.seen_version).order_by("number")
    versions = list(rows.values_list("number", "status"))
    if not versions:
        raise IntegrityFault
    (_, before), *later = versions
    moved = rewritten = False
    for number, status in later:
        if number not in written:
            moved, rewritten = moved or status != before, rewritten or status == before
        before = status
    return moved, rewritten


def _ground(desk: Desk) -> Ground:
    return Ground(desk.subject, desk.keys, SCOPE, desk.now)


def _memory(item: BulkRollbackItem) -> Memory:
    return Memory.objects.select_related("namespace").get(pk=item.row_id)


def _write(memory: Memory, content: Content, desk: Desk) -> None:
    write_version(
        memory, content, subject=desk.subject, author=desk.author, reason_code=desk.reason_code, now=desk.now,
        sealed=memory.namespace.sealed, keys=desk.keys,
    )  # fmt: skip


def _done(item: BulkRollbackItem, memory: Memory, desk: Desk) -> None:
    item.status, item.result_version = ItemStatus.DONE, memory.version
    trail.note(
        Event.MEMORY_ROLLED_BACK, scope=SCOPE, kind="memory", target=memory.pk,
        subject_ref=desk.keys.audit_reference, reason=item.rollback.reason_code, version=memory.version,
        to_version=item.to_version, rollback=str(item.rollback_id), change=item.kind,
    )  # fmt: skip


def _skip(item: BulkRollbackItem, code: str) -> None:
    item.status, item.outcome_code = ItemStatus.SKIPPED, code


UNDO: Mapping[RollbackKind, Callable[[BulkRollbackItem, Desk], None]] = {
    RollbackKind.RESTORE: _restore,
    RollbackKind.FORGET: _forget,
    RollbackKind.STALE: _forget,
    RollbackKind.REVIVE: _revive,
    RollbackKind.REJECT: _reject,
    RollbackKind.CONFLICT: _put_before_a_person,
}
