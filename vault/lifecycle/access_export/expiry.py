"""The end of exports: the bytes of a file go when its time is up; what was refused or failed is closed."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import SubjectErased
from vault.keys import key_vault
from vault.lifecycle.access_export.approval import KIND
from vault.lifecycle.access_export.listing import status_at
from vault.lifecycle.desk import system_scope
from vault.models import (
    AccessExport,
    AccessExportPart,
    Approval,
    ApprovalKind,
    ApprovalStatus,
    ExportStatus,
    Job,
    JobKind,
    JobStatus,
    isolation,
)
from vault.retrieval import trail
from vault.writing.locks import lock_subject

SCOPE = system_scope("retention")


def expire_exports(*, now: datetime, limit: int) -> int:
    """Destroy the files of up to `limit` exports whose time is up; returns how many.

    A legal hold does not keep them: they are copies, and what they are copies of stays.
    """
    with transaction.atomic(durable=True):
        isolation.open_everything()
        due = AccessExport.objects.filter(status=ExportStatus.READY, expires_at__lte=now)
        found = list(due.order_by("expires_at").values_list("pk", flat=True)[:limit])
    return sum(_close(pk, now) for pk in found)


def close_undone(*, now: datetime, limit: int) -> int:
    """Close up to `limit` exports that nobody will approve any more, or whose job has failed for good."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        approvals = Approval.objects.filter(kind=ApprovalKind.EXPORT, target_id=OuterRef("pk"))
        lost = Exists(approvals.filter(status__in=[ApprovalStatus.REFUSED, ApprovalStatus.EXPIRED]))
        failed = Exists(
            Job.objects.filter(kind=JobKind.EXPORT, target_id=OuterRef("pk"), status=JobStatus.FAILED)
        )
        undone = AccessExport.objects.filter(
            (Q(status=ExportStatus.WAITING) & lost)
            | (Q(status__in=[ExportStatus.QUEUED, ExportStatus.RUNNING]) & failed)
        )
        found = list(undone.values_list("pk", flat=True)[:limit])
    return sum(_close(pk, now) for pk in found)


def drop_parts(export: AccessExport) -> None:
    """Delete the sealed bytes of an export."""
    AccessExportPart.objects.filter(export=export).delete()


def _close(export_id: UUID, now: datetime) -> bool:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        subject_id = AccessExport.objects.filter(pk=export_id).values_list("subject_id", flat=True).first()
        if subject_id is None:
            return False
        try:
            lock_subject(subject_id)
        except SubjectErased:
            return False
        export = AccessExport.objects.select_for_update().get(pk=export_id)
        approval = Approval.objects.filter(kind=ApprovalKind.EXPORT, target_id=export_id)
        job = Job.objects.filter(kind=JobKind.EXPORT, target_id=export_id)
        status = status_at(
            export,
            now,
            approval=approval.order_by("-requested_at").first(),
            job=job.order_by("-created_at").first(),
        )
        if status == export.status:
            return False
        drop_parts(export)
        export.status = status
        export.save(update_fields=["status"])
        _note(export)
    return True


def _note(export: AccessExport) -> None:
    event = Event.EXPORT_EXPIRED if export.status == ExportStatus.EXPIRED else Event.EXPORT_COMPLETED
    outcomes = {ExportStatus.EXPIRED: Outcome.OK, ExportStatus.FAILED: Outcome.FAILED}
    trail.note(
        event, scope=SCOPE, kind=KIND, target=export.pk,
        subject_ref=key_vault().subject(export.subject_id).audit_reference,
        outcome=outcomes.get(ExportStatus(export.status), Outcome.REFUSED), reason=export.status,
    )  # fmt: skip
