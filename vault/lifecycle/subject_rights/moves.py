"""The lifecycle of a request: how it goes from one state to the next, and who goes along."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.canonical import Fact
from vault.errors import InvalidTransition, NotFound
from vault.keys import key_vault
from vault.models import (
    PROVED_AND_OPEN,
    REQUEST_NEXT,
    RequestStatus,
    Subject,
    SubjectRequest,
    isolation,
)
from vault.retrieval import trail
from vault.retrieval.scope import Scope

KIND = "subject_request"


def path(start: str, end: str) -> tuple[RequestStatus, ...]:
    """The shortest way from one state to another, without the first; empty when they are the same. Pure.

    Raises InvalidTransition when there is none.
    """
    ways: deque[tuple[str, tuple[RequestStatus, ...]]] = deque([(start, ())])
    seen = {start}
    while ways:
        here, way = ways.popleft()
        if here == end:
            return way
        for following in sorted(REQUEST_NEXT.get(here, frozenset()) - seen):
            seen.add(following)
            ways.append((following, (*way, RequestStatus(following))))
    raise InvalidTransition


def lock_request(request_id: UUID) -> tuple[SubjectRequest, Subject]:
    """Lock a request and its subject, the subject first like everybody; opens everything. Raises NotFound."""
    isolation.open_everything()
    subject_id = SubjectRequest.objects.filter(pk=request_id).values_list("subject_id", flat=True).first()
    if subject_id is None:
        raise NotFound
    subject = Subject.objects.select_for_update().get(pk=subject_id)
    return SubjectRequest.objects.select_for_update().get(pk=request_id), subject


def require_first(request: SubjectRequest) -> None:
    """Raise InvalidTransition for a request that shares another one's fate."""
    if request.duplicate_of_id is not None:
        raise InvalidTransition("An earlier request for the same thing is open; decide on that one.")


def move(request: SubjectRequest, status: RequestStatus, *, by: str, ground: str = "") -> None:
    """Move a locked request along its table, and with it those that point to it. Raises InvalidTransition.

    `by` decides, where the state needs somebody who has; one who decided before stays.
    """
    now = timezone.now()
    followers = SubjectRequest.objects.select_for_update().filter(duplicate_of=request)
    for row in (request, *followers):
        for step in path(row.status, status):
            _step(row, step, by=by, now=now)
        row.ground_code = ground or row.ground_code
        row.save(update_fields=["status", "decided_by", "decided_at", "ground_code", "done_at"])


def join(request: SubjectRequest, first: SubjectRequest) -> None:
    """Let a request that was just proved share the fate of an earlier open one."""
    for step in path(request.status, first.status):
        _step(request, step, by=first.decided_by, now=first.decided_at or timezone.now())
    request.duplicate_of = first


def earlier_open(request: SubjectRequest) -> SubjectRequest | None:
    """The open request of the same subject for the same thing, if there is one; locked."""
    return (
        SubjectRequest.objects.select_for_update()
        .filter(
            subject_id=request.subject_id, kind=request.kind, status__in=PROVED_AND_OPEN, duplicate_of=None
        )
        .exclude(pk=request.pk)
        .first()
    )


def subject_ref(subject: Subject) -> str:
    """The subject's name in the log; empty once it is erased, for nobody knows it any more."""
    return "" if subject.erased_at else key_vault().subject(subject.pk).audit_reference


def note(
    event: Event,
    request: SubjectRequest,
    *,
    scope: Scope,
    subject: Subject | None = None,
    reason: str = "",
    outcome: Outcome = Outcome.OK,
    **facts: Fact,
) -> None:
    """One entry about a request; `right` says what was asked for."""
    reference = subject_ref(subject) if subject is not None else ""
    trail.note(
        event, scope=scope, kind=KIND, target=request.pk, subject_ref=reference, outcome=outcome,
        reason=reason, right=request.kind, **facts,
    )  # fmt: skip


def _step(row: SubjectRequest, status: RequestStatus, *, by: str, now: datetime) -> None:
    row.status = status
    if status in (RequestStatus.APPROVED, RequestStatus.REFUSED) and not row.decided_by:
        row.decided_by, row.decided_at = by, now
    if status == RequestStatus.DONE:
        row.done_at = now
