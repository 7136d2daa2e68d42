"""Time: requests that come due are recorded once, and those that nobody proved are closed."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from audit.actions import Action as Event
from vault.lifecycle.desk import system_scope
from vault.lifecycle.subject_rights import moves
from vault.lifecycle.subject_rights.due import DUE_SOON, Urgency, urgency
from vault.models import RequestStatus, Subject, SubjectRequest, isolation

SCOPE = system_scope("privacy")
OVER = (RequestStatus.REFUSED, RequestStatus.DONE)
# How long a request waits for a proof before it is closed.
PROOF_WINDOW = timedelta(days=14)
UNPROVED = "identity_not_proved"


def remind(*, now: datetime, limit: int) -> int:
    """Record up to `limit` requests that are due within a week, or overdue, each once; returns how many."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        soon = Q(due_at__lte=now + DUE_SOON, due_at__gt=now, due_soon_noted_at=None)
        over = Q(due_at__lte=now, overdue_noted_at=None)
        rows = SubjectRequest.objects.select_for_update(skip_locked=True).filter(
            soon | over, duplicate_of=None
        )
        found = list(rows.exclude(status__in=OVER).order_by("due_at")[:limit])
        for row in found:
            _note(row, now)
    return len(found)


def close_unproved(*, now: datetime, limit: int) -> int:
    """Refuse up to `limit` requests that nobody proved in time; returns how many."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        stale = SubjectRequest.objects.filter(
            status=RequestStatus.RECEIVED, received_at__lte=now - PROOF_WINDOW
        )
        found = list(stale.order_by("received_at").values_list("pk", flat=True)[:limit])
    for request_id in found:
        with transaction.atomic(durable=True):
            request, subject = moves.lock_request(request_id)
            if request.status == RequestStatus.RECEIVED:
                moves.move(request, RequestStatus.REFUSED, by=SCOPE.author, ground=UNPROVED)
                moves.note(
                    Event.SUBJECT_REQUEST_REFUSED, request, scope=SCOPE, subject=subject, reason=UNPROVED
                )
    return len(found)


def _note(row: SubjectRequest, now: datetime) -> None:
    how = urgency(row.due_at, now=now)
    if how is Urgency.OVERDUE:
        row.overdue_noted_at = now
    else:
        row.due_soon_noted_at = now
    row.save(update_fields=["overdue_noted_at", "due_soon_noted_at"])
    moves.note(
        Event.SUBJECT_REQUEST_REMINDED, row, scope=SCOPE, subject=Subject.objects.get(pk=row.subject_id),
        reason=how,
    )  # fmt: skip
