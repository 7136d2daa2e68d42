"""Four eyes for an export: the act that is approved, and what follows its approval."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle import jobs
from vault.lifecycle.approvals import Act, spend
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import EXPORT_NEXT, AccessExport, Approval, ApprovalKind, ExportStatus, JobKind, isolation
from vault.retrieval.scope import Scope
from vault.writing.locks import lock_subject

KIND = "export"


def act_of_export(export: AccessExport) -> Act:
    """Exactly this export: its row, why it was asked for, by whom, and how much it covers."""
    covered = "all" if export.namespaces is None else ",".join(str(n) for n in sorted(export.namespaces))
    particulars = {
        "purpose": export.reason_code,
        "requested_by": export.requested_by,
        "namespaces": covered,
    }
    return Act(ApprovalKind.EXPORT, export.pk, particulars)


def carry_out_export(approval: Approval, scope: Scope) -> None:
    """Use up the approval of an export and queue the job that makes the file.

    Raises NotFound, SubjectErased, InvalidTransition, ApprovalRequired when the approval is not for exactly this.
    """
    require_staff(scope)
    export_id = approval.target_id or UUID(int=0)
    with (
        refusals_noted(Event.EXPORT_REQUESTED, scope=scope, kind=KIND, target=export_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        subject_id = AccessExport.objects.filter(pk=export_id).values_list("subject_id", flat=True).first()
        if subject_id is None:
            raise NotFound
        lock_subject(subject_id)
        export = AccessExport.objects.select_for_update().get(pk=export_id)
        move(export, ExportStatus.QUEUED)
        spend(act=act_of_export(export), scope=scope)
        export.save(update_fields=["status"])
        jobs.enqueue(JobKind.EXPORT, export.pk)


def move(export: AccessExport, status: ExportStatus) -> None:
    """Set the next status on the row, unsaved. Raises InvalidTransition."""
    if status not in EXPORT_NEXT.get(export.status, frozenset()):
        raise InvalidTransition
    export.status = status
