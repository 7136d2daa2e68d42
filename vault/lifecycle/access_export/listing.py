"""Where exports stand: one, for whoever asked for it, and the newest for staff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import NotFound
from vault.lifecycle.access_export.approval import KIND
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import (
    AccessExport,
    Approval,
    ApprovalKind,
    ApprovalStatus,
    ExportStatus,
    Job,
    JobKind,
    JobStatus,
    isolation,
)
from vault.retrieval.scope import Scope

MAX_LISTED = 100


@dataclass(frozen=True, slots=True)
class ExportState:
    """An export with its status at this moment, its approval, and how many records are done of how many."""

    row: AccessExport
    status: ExportStatus
    done: int = 0
    total: int = 0
    approval: Approval | None = None

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


def get_export(*, export_id: UUID, scope: Scope) -> ExportState:
    """An export as it stands; an agent follows its own only. Raises NotFound."""
    with (
        refusals_noted(Event.EXPORT_REQUESTED, scope=scope, kind=KIND, target=export_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        row = AccessExport.objects.filter(pk=export_id).first()
        if row is None or not may_follow(row, scope):
            raise NotFound
        return _states([row], timezone.now())[0]


def list_exports(
    *, scope: Scope, subject_id: UUID | None = None, status: ExportStatus | None = None
) -> list[ExportState]:
    """The newest exports, for staff: of all subjects, or of one."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = AccessExport.objects.order_by("-requested_at")
        if subject_id is not None:
            rows = rows.filter(subject_id=subject_id)
        if status is not None:
            rows = rows.filter(status=status)
        return _states(list(rows[:MAX_LISTED]), timezone.now())


def may_follow(export: AccessExport, scope: Scope) -> bool:
    """Staff may; an agent its own, and a subject token of that agent those of its one subject."""
    if scope.everything:
        return True
    asked = export.agent_id is not None and export.agent_id == scope.agent_id
    return asked and scope.allows_subject(export.subject_id)


def status_at(
    export: AccessExport, now: datetime, *, approval: Approval | None, job: Job | None
) -> ExportStatus:
    """What an export's status comes to, whether or not a job has met it yet. Pure."""
    status = ExportStatus(export.status)
    if status is ExportStatus.WAITING and approval is not None:
        over = approval.status == ApprovalStatus.ASKED and approval.expires_at <= now
        if over or approval.status in (ApprovalStatus.REFUSED, ApprovalStatus.EXPIRED):
            return ExportStatus.REFUSED
    if status in (ExportStatus.QUEUED, ExportStatus.RUNNING) and job and job.status == JobStatus.FAILED:
        return ExportStatus.FAILED
    if status is ExportStatus.READY and export.expires_at is not None and export.expires_at <= now:
        return ExportStatus.EXPIRED
    return status


def _states(rows: Sequence[AccessExport], now: datetime) -> list[ExportState]:
    ids = [row.pk for row in rows]
    approvals = {
        row.target_id: row
        for row in Approval.objects.filter(kind=ApprovalKind.EXPORT, target_id__in=ids).order_by(
            "requested_at"
        )
    }
    found = {
        row.target_id: row
        for row in Job.objects.filter(kind=JobKind.EXPORT, target_id__in=ids).order_by("created_at")
    }
    return [_state(row, now, approvals.get(row.pk), found.get(row.pk)) for row in rows]


def _state(row: AccessExport, now: datetime, approval: Approval | None, job: Job | None) -> ExportState:
    status = status_at(row, now, approval=approval, job=job)
    done, total = (job.progress_done, job.progress_total) if job else (0, 0)
    return ExportState(row, status, done, total, approval)
