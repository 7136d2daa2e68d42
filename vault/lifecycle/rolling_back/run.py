"""The job of a rollback: one row a transaction, so that it can be killed anywhere and goes on from there."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import IntegrityFault, InvalidTransition, NotFound, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.rolling_back.preview import KIND
from vault.lifecycle.rolling_back.request import move_to
from vault.lifecycle.rolling_back.undoing import SCOPE, desk_of, undo
from vault.models import (
    BulkRollback,
    BulkRollbackItem,
    ItemStatus,
    Job,
    JobKind,
    JobStatus,
    RollbackKind,
    RollbackStatus,
    isolation,
)
from vault.retrieval import trail
from vault.writing.locks import lock_subject
from vault.writing.withdrawal import ask_again

PROGRESS_STEP = 10


def execute_rollback(rollback_id: UUID) -> None:
    """Work through the list of a rollback that was started; done, nothing happens.

    Raises NotFound, and InvalidTransition for one that nobody approved.
    """
    rollback = BulkRollback.objects.filter(pk=rollback_id).first()
    if rollback is None:
        raise NotFound
    if rollback.status == RollbackStatus.DONE:
        return
    if rollback.status != RollbackStatus.RUNNING:
        raise InvalidTransition
    pending = _pending(rollback)
    before = max(0, rollback.total - len(pending))
    for number, (item_id, subject_id) in enumerate(pending, start=1):
        _undo_one(item_id, subject_id)
        if number % PROGRESS_STEP == 0 or number == len(pending):
            _show_progress(rollback, done=before + number)
    _finish(rollback_id)


def _pending(rollback: BulkRollback) -> list[tuple[UUID, UUID]]:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = rollback.items.filter(status=ItemStatus.PENDING).order_by("position")
        return list(rows.values_list("pk", "subject_id"))


def _undo_one(item_id: UUID, subject_id: UUID) -> None:
    try:
        with transaction.atomic(durable=True):
            isolation.open_whole_subject(subject_id)
            subject = lock_subject(subject_id)
            item = _lock_pending(item_id)
            if item is not None:
                undo(item, desk_of(subject, keys=key_vault().subject(subject_id), now=timezone.now()))
    except SubjectErased:
        # Its rows, and this item, went with it.
        return
    except IntegrityFault:
        _give_up(item_id, subject_id)


def _lock_pending(item_id: UUID) -> BulkRollbackItem | None:
    """None when another worker, or the attempt before, has seen to it."""
    return BulkRollbackItem.objects.select_for_update().filter(pk=item_id, status=ItemStatus.PENDING).first()


def _give_up(item_id: UUID, subject_id: UUID) -> None:
    """A row that was altered cannot be sealed again: readers refuse it as it stands, the others go on."""
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        lock_subject(subject_id)
        item = _lock_pending(item_id)
        if item is None:
            return
        item.status, item.outcome_code = ItemStatus.FAILED, IntegrityFault.code
        item.save(update_fields=["status", "outcome_code"])
        trail.note(
            Event.MEMORY_INTEGRITY_FAULT, scope=SCOPE, kind="memory", target=item.memory_id or "",
            subject_ref=key_vault().subject(subject_id).audit_reference, outcome=Outcome.FAILED,
            reason=IntegrityFault.code,
        )  # fmt: skip


def _show_progress(rollback: BulkRollback, *, done: int) -> None:
    running = Job.objects.filter(
        kind=JobKind.ROLLBACK, target_id=rollback.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]
    )
    running.update(progress_done=done, progress_total=rollback.total)


def _finish(rollback_id: UUID) -> None:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rollback = BulkRollback.objects.select_for_update().get(pk=rollback_id)
        if rollback.status == RollbackStatus.DONE:
            return
        outcomes = Counter(rollback.items.values_list("status", flat=True))
        if outcomes[ItemStatus.PENDING]:
            raise InvalidTransition
        move_to(rollback, RollbackStatus.DONE)
        rollback.finished_at = timezone.now()
        rollback.save(update_fields=["status", "finished_at"])
        # What was put together of the undone and of others has gone with them; the others may stand as one again.
        stale = rollback.items.filter(kind=RollbackKind.STALE, status=ItemStatus.DONE)
        ask_again(stale.values_list("memory_id", flat=True), now=rollback.finished_at)
        facts: dict[str, Any] = {status.value: outcomes[status] for status in ItemStatus if outcomes[status]}
        trail.note(
            Event.ROLLBACK_COMPLETED, scope=SCOPE, kind=KIND, target=rollback.pk, reason=rollback.reason_code,
            **facts,
        )  # fmt: skip
