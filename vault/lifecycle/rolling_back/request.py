"""Asking for a rollback, and starting it once a second person has approved exactly that list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition, NotFound, StaleVersion
from vault.lifecycle import approvals, jobs
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.rolling_back.criteria import Criteria
from vault.lifecycle.rolling_back.plan import Change
from vault.lifecycle.rolling_back.preview import KIND, Preview, digest_of, find_changes
from vault.models import (
    Approval,
    ApprovalKind,
    BulkRollback,
    BulkRollbackItem,
    JobKind,
    RollbackKind,
    RollbackStatus,
    isolation,
)
from vault.models.identifiers import new_id
from vault.models.rollback import ROLLBACK_NEXT
from vault.retrieval import trail
from vault.retrieval.scope import Scope

WRITE_BATCH = 500


def request_rollback(
    *, criteria: Criteria, expected_digest: bytes, reason_code: str, scope: Scope
) -> BulkRollback:
    """Fix the list as it was previewed, and ask for a second person's approval of it.

    Raises StaleVersion when the list is another by now, InvalidTransition when it is empty.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.ROLLBACK_REQUESTED, scope=scope, kind=KIND),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        preview = find_changes(criteria)
        if preview.digest != expected_digest:
            raise StaleVersion("What would change is no longer what you saw; look at it again.")
        if not preview.changes:
            raise InvalidTransition("There is nothing to undo.")
        rollback = _keep(preview, reason_code, scope)
        counts: dict[str, Any] = {**preview.counts}
        approval = approvals.ask(act=act_of(rollback), reason_code=reason_code, scope=scope)
        rollback.approval_id = approval.pk
        rollback.save(update_fields=["approval_id"])
        trail.note(
            Event.ROLLBACK_REQUESTED, scope=scope, kind=KIND, target=rollback.pk, reason=reason_code,
            **counts,
        )  # fmt: skip
    return rollback


def carry_out_rollback(approval: Approval, scope: Scope) -> None:
    """Start an approved rollback; a job works through its list.

    Raises NotFound, ApprovalRequired, and InvalidTransition when it was started before or when its list is no
    longer the one that was approved, as after an erasure.
    """
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rollback = _lock(approval)
        if digest_of(list(_kept_changes(rollback))) != bytes(rollback.items_digest):
            raise InvalidTransition("What would change is no longer what was approved; preview it again.")
        approvals.spend(act=act_of(rollback), scope=scope)
        move_to(rollback, RollbackStatus.RUNNING)
        rollback.started_at = timezone.now()
        rollback.save(update_fields=["status", "started_at"])
        jobs.enqueue(JobKind.ROLLBACK, rollback.pk)
        trail.note(
            Event.ROLLBACK_APPROVED, scope=scope, kind=KIND, target=rollback.pk, reason=rollback.reason_code
        )


def act_of(rollback: BulkRollback) -> approvals.Act:
    """The act that is approved: the criteria as far as they are kept, and the list by its hash."""
    return approvals.Act(
        kind=ApprovalKind.ROLLBACK,
        target_id=rollback.pk,
        particulars={
            "agent": str(rollback.agent_id) if rollback.agent_id else None,
            "source_type": rollback.source_type or None,
            "by_reference": rollback.by_reference,
            "session": str(rollback.session_id) if rollback.session_id else None,
            "since": rollback.since.isoformat(),
            "until": rollback.until.isoformat(),
            "namespace": rollback.namespace.name if rollback.namespace else None,
            "rows": rollback.total,
            "rows_sha256": bytes(rollback.items_digest).hex(),
        },
    )


def _lock(approval: Approval) -> BulkRollback:
    if approval.target_id is None:
        raise NotFound
    rollback = BulkRollback.objects.select_for_update().filter(pk=approval.target_id).first()
    if rollback is None:
        raise NotFound
    return rollback


def move_to(rollback: BulkRollback, status: RollbackStatus) -> None:
    """Take the next step; raises InvalidTransition for any other."""
    if status not in ROLLBACK_NEXT.get(rollback.status, frozenset()):
        raise InvalidTransition
    rollback.status = status


def _keep(preview: Preview, reason_code: str, scope: Scope) -> BulkRollback:
    wanted = preview.criteria
    rollback = BulkRollback.objects.create(
        id=new_id(),
        agent_id=wanted.agent_id,
        source_type=wanted.source_type.value if wanted.source_type else "",
        by_reference=bool(wanted.source_ref),
        session_id=wanted.session_id,
        since=wanted.since,
        until=wanted.until,
        namespace_id=wanted.namespace_id,
        reason_code=reason_code,
        items_digest=preview.digest,
        total=len(preview.changes),
        requested_by=scope.author,
        requested_at=timezone.now(),
    )
    items = [_item(rollback, position, change) for position, change in enumerate(preview.changes)]
    BulkRollbackItem.objects.bulk_create(items, batch_size=WRITE_BATCH)
    return rollback


def _item(rollback: BulkRollback, position: int, change: Change) -> BulkRollbackItem:
    of_write = change.kind is RollbackKind.REJECT
    return BulkRollbackItem(
        id=new_id(),
        rollback=rollback,
        subject_id=change.subject_id,
        namespace_id=change.namespace_id,
        position=position,
        kind=change.kind,
        memory_id=None if of_write else change.row_id,
        write_id=change.row_id if of_write else None,
        seen_version=change.seen_version,
        to_version=change.to_version,
        to_status=change.to_status,
    )


def _kept_changes(rollback: BulkRollback) -> Iterator[Change]:
    for item in rollback.items.all():
        yield Change(
            kind=RollbackKind(item.kind),
            row_id=item.row_id,
            subject_id=item.subject_id,
            namespace_id=item.namespace_id,
            seen_version=item.seen_version,
            to_version=item.to_version,
            to_status=item.to_status,
        )
