"""A request that was passed on is as far as the erasure or the export that carries it out.

It is brought up to date whenever somebody looks at it, and by a task; so neither of the two has to know of it.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from audit.actions import Action as Event
from vault.lifecycle.desk import system_scope
from vault.lifecycle.subject_rights import moves
from vault.models import (
    AccessExport,
    ErasureRequest,
    ErasureStatus,
    ExportStatus,
    RequestStatus,
    Subject,
    SubjectRequest,
    isolation,
)

SCOPE = system_scope("privacy")
ERASED_MEANWHILE = "erased_meanwhile"
OVER = (RequestStatus.REFUSED, RequestStatus.DONE)
# An erasure that nobody verified yet is one that staff had filed before: for us it is under way at the same place.
OF_ERASURE: dict[str, RequestStatus] = {
    ErasureStatus.RECEIVED: RequestStatus.VERIFIED,
    ErasureStatus.VERIFIED: RequestStatus.VERIFIED,
    ErasureStatus.ON_HOLD: RequestStatus.ON_HOLD,
    ErasureStatus.APPROVED: RequestStatus.APPROVED,
    ErasureStatus.REFUSED: RequestStatus.REFUSED,
    ErasureStatus.EXECUTING: RequestStatus.EXECUTING,
    ErasureStatus.DONE: RequestStatus.DONE,
}
OF_EXPORT: dict[str, RequestStatus] = {
    ExportStatus.WAITING: RequestStatus.VERIFIED,
    ExportStatus.QUEUED: RequestStatus.APPROVED,
    ExportStatus.RUNNING: RequestStatus.APPROVED,
    ExportStatus.READY: RequestStatus.DONE,
    ExportStatus.EXPIRED: RequestStatus.DONE,
}


def follow(request_id: UUID) -> None:
    """Bring one request up to date; unknown, over or not passed on, nothing happens."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        row = SubjectRequest.objects.filter(pk=request_id).first()
        if row is None or row.status in OVER:
            return
        request, subject = moves.lock_request(row.duplicate_of_id or row.pk)
        if request.status not in OVER:
            _catch_up(request, subject)


def follow_open(*, limit: int) -> int:
    """Bring the open requests up to date that were passed on, or whose subject was erased; returns how many."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        passed_on = Q(erasure__isnull=False) | Q(export_id__isnull=False)
        erased = Exists(Subject.objects.filter(pk=OuterRef("subject_id"), erased_at__isnull=False))
        rows = SubjectRequest.objects.filter(passed_on | Q(erased), duplicate_of=None)
        rows = rows.exclude(status__in=OVER)
        found = list(rows.order_by("due_at").values_list("pk", flat=True)[:limit])
    for request_id in found:
        follow(request_id)
    return len(found)


def _is_moot(request: SubjectRequest, subject: Subject) -> bool:
    """Whether there is nothing left that the request could be about."""
    return subject.erased_at is not None and request.erasure_id is None


def _catch_up(request: SubjectRequest, subject: Subject) -> None:
    if _is_moot(request, subject):
        moves.move(request, RequestStatus.REFUSED, by=SCOPE.author, ground=ERASED_MEANWHILE)
        moves.note(Event.SUBJECT_REQUEST_REFUSED, request, scope=SCOPE, reason=ERASED_MEANWHILE)
    elif request.erasure is not None:
        _as_the_erasure(request, request.erasure, subject)
    elif request.export_id is not None:
        _as_the_export(request, subject)


def _as_the_erasure(request: SubjectRequest, erasure: ErasureRequest, subject: Subject) -> None:
    status = OF_ERASURE[erasure.status]
    if status != request.status:
        moves.move(request, status, by=erasure.decided_by, ground=erasure.ground_code)
        moves.note(Event.SUBJECT_REQUEST_FOLLOWED, request, scope=SCOPE, subject=subject, reason=status)


def _as_the_export(request: SubjectRequest, subject: Subject) -> None:
    export = AccessExport.objects.filter(pk=request.export_id).first() if request.export_id else None
    status = OF_EXPORT.get(export.status) if export is not None else None
    if export is None or status is None:
        # Refused, failed or gone: somebody passes the request on again, or refuses it.
        request.export_id = None
        request.save(update_fields=["export_id"])
        moves.note(
            Event.SUBJECT_REQUEST_FOLLOWED, request, scope=SCOPE, subject=subject, reason="export_ended"
        )
    elif status != request.status and status != RequestStatus.VERIFIED:
        moves.move(request, status, by=export.requested_by)
        moves.note(Event.SUBJECT_REQUEST_FOLLOWED, request, scope=SCOPE, subject=subject, reason=status)
