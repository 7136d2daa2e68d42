"""What staff see of subjects' requests: the list with what is due, one request with all that belongs to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import NotFound
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.subject_rights import contacts, moves, wording
from vault.lifecycle.subject_rights.due import DUE_SOON, Urgency, urgency
from vault.lifecycle.subject_rights.following import follow
from vault.lifecycle.subject_rights.vouching import has_passed_on, has_vouched
from vault.models import (
    AccessExport,
    PrivacyInquiry,
    RequestKind,
    RequestStatus,
    Subject,
    SubjectRequest,
    isolation,
)
from vault.retrieval import trail
from vault.retrieval.scope import Scope

OVER = (RequestStatus.REFUSED.value, RequestStatus.DONE.value)
MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class Listed:
    row: SubjectRequest
    urgency: Urgency


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests of one view, the first due first, and how many of all that are open are due soon or overdue.

    `unmatched` are inquiries that no worker has looked at yet; of the rest nobody knows.
    """

    results: tuple[Listed, ...]
    by_urgency: dict[str, int]
    open: int
    unmatched: int


@dataclass(frozen=True, slots=True)
class RequestFile:
    """One request with what belongs to it; nothing that the subject wrote is opened for it.

    `wants_another`: the reader vouched for the subject, so another person passes the file on. `has_passed_on`: the
    reader passed such a file on, so another person vouches for the subject while that request is open.
    """

    row: SubjectRequest
    subject: Subject
    urgency: Urgency
    duplicates: tuple[SubjectRequest, ...]
    has_words: bool
    export: AccessExport | None
    wants_another: bool
    has_passed_on: bool


@dataclass(frozen=True, slots=True)
class RightsOfSubject:
    """What the console shows of one subject's rights; `has_passed_on` as of a request."""

    subject: Subject
    contacts: tuple[contacts.OpenedContact, ...] = field(repr=False)
    requests: tuple[Listed, ...]
    has_passed_on: bool


@dataclass(frozen=True, slots=True)
class Words:
    """What a subject wrote with one of its requests."""

    received_at: datetime
    text: str = field(repr=False)


def list_requests(
    *, scope: Scope, kind: RequestKind | None = None, status: RequestStatus | None = None,
    due: Urgency | None = None,
) -> Requests:  # fmt: skip
    """The open requests, or those of one status; narrowed by kind and by how due they are."""
    require_staff(scope)
    now = timezone.now()
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        rows = SubjectRequest.objects.filter(duplicate_of=None)
        unfinished = rows.exclude(status__in=OVER)
        chosen = _due(unfinished if status is None else rows.filter(status=status), due, now)
        if kind is not None:
            chosen = chosen.filter(kind=kind)
        found = tuple(_listed(row, now) for row in chosen.order_by("due_at", "pk")[:MAX_LISTED])
        counts = Counter(urgency(each, now=now) for each in unfinished.values_list("due_at", flat=True))
        unmatched = PrivacyInquiry.objects.count()
        trail.note(Event.SUBJECT_REQUEST_LISTED, scope=scope, kind=moves.KIND, count=len(found))
    return Requests(found, {each.value: counts[each] for each in Urgency}, sum(counts.values()), unmatched)


def get_request(*, request_id: UUID, scope: Scope) -> RequestFile:
    """One request as it stands now. Raises NotFound; the look is an entry."""
    require_staff(scope)
    follow(request_id)
    with (
        refusals_noted(Event.SUBJECT_REQUEST_READ, scope=scope, kind=moves.KIND, target=request_id),
        transaction.atomic(durable=True),
    ):
        relax_commit()
        isolation.open_everything()
        row = SubjectRequest.objects.select_related("duplicate_of", "erasure").filter(pk=request_id).first()
        if row is None:
            raise NotFound
        subject = Subject.objects.get(pk=row.subject_id)
        duplicates = tuple(SubjectRequest.objects.filter(duplicate_of=row).order_by("received_at"))
        moves.note(Event.SUBJECT_REQUEST_READ, row, scope=scope, subject=subject)
        return RequestFile(
            row=row,
            subject=subject,
            urgency=_listed(row, timezone.now()).urgency,
            duplicates=duplicates,
            has_words=any(each.sealed_text for each in (row, *duplicates)),
            export=AccessExport.objects.filter(pk=row.export_id).first() if row.export_id else None,
            wants_another=row.kind == RequestKind.ACCESS and has_vouched(subject, scope=scope),
            has_passed_on=has_passed_on(subject.pk, scope=scope),
        )


def words_of(*, request_id: UUID, scope: Scope) -> tuple[Words, ...]:
    """What the subject wrote, with this request and with those that point to it; the look is an entry.

    Raises NotFound. Empty once the subject is erased.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.SUBJECT_REQUEST_READ, scope=scope, kind=moves.KIND, target=request_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        same = Q(pk=request_id) | Q(duplicate_of=request_id)
        rows = list(SubjectRequest.objects.filter(same).order_by("received_at", "pk"))
        row = next((each for each in rows if each.pk == request_id), None)
        if row is None:
            raise NotFound
        subject = Subject.objects.get(pk=row.subject_id)
        if subject.erased_at is not None:
            return ()
        moves.note(Event.SUBJECT_REQUEST_READ, row, scope=scope, subject=subject, reason="text")
        keys = key_vault().subject(subject.pk)
        return tuple(
            Words(each.received_at, wording.open_words(each, keys=keys)) for each in rows if each.sealed_text
        )


def rights_of(*, subject_id: UUID, scope: Scope) -> RightsOfSubject:
    """A subject's contacts and all its requests, the newest first. Raises NotFound; the look is an entry."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        subject = Subject.objects.filter(pk=subject_id).first()
        if subject is None:
            raise NotFound
        opened = contacts.open_contacts(subject)
        rows = SubjectRequest.objects.filter(subject_id=subject.pk).order_by("-received_at", "-pk")
        trail.note(
            Event.SUBJECT_READ, scope=scope, kind="subject", subject_ref=moves.subject_ref(subject),
            reason="rights", count=len(opened),
        )  # fmt: skip
        now = timezone.now()
        listed = tuple(_listed(row, now) for row in rows[:MAX_LISTED])
        return RightsOfSubject(subject, opened, listed, has_passed_on(subject.pk, scope=scope))


def _listed(row: SubjectRequest, now: datetime) -> Listed:
    over = row.status in OVER
    return Listed(row, Urgency.IN_TIME if over else urgency(row.due_at, now=now))


def _due(rows: QuerySet[SubjectRequest], due: Urgency | None, now: datetime) -> QuerySet[SubjectRequest]:
    if due is Urgency.OVERDUE:
        return rows.filter(due_at__lte=now)
    if due is Urgency.DUE_SOON:
        return rows.filter(due_at__gt=now, due_at__lte=now + DUE_SOON)
    return rows
