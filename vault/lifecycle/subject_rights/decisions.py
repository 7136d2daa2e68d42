"""What staff decide about a subject's request: whose it is, how long it takes, whether and how it is carried out.

An erasure keeps its own four eyes: passing a request on files it, and a second person approves. Of an export the
subject is the one who asks, and who passes it on is the other: never the one who vouched for the subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.erasure import request_erasure, verify_request
from vault.lifecycle.subject_file import subject_reference
from vault.lifecycle.subject_rights import moves, proofs
from vault.lifecycle.subject_rights.due import extended_due_of
from vault.lifecycle.subject_rights.exporting import ask_export
from vault.lifecycle.subject_rights.following import follow
from vault.lifecycle.subject_rights.restriction import restrict_locked
from vault.lifecycle.subject_rights.vouching import require_not_passed_on, require_not_vouched
from vault.models import (
    ErasureStatus,
    ProofMethod,
    RequestKind,
    RequestStatus,
    Subject,
    SubjectRequest,
    isolation,
)
from vault.retrieval.scope import Scope

REASON = "subject_request"


def verify_in_person(*, request_id: UUID, scope: Scope) -> proofs.Receipt:
    """Verify a request whose subject a member of staff has identified; the number is theirs to hand over.

    Raises NotFound, InvalidTransition, SameApprover for who passed an open access request of the subject on.
    """
    with _deciding(request_id, scope) as (request, subject):
        if request.status != RequestStatus.RECEIVED or subject.erased_at is not None:
            raise InvalidTransition
        require_not_passed_on(subject.pk, scope=scope)
        return proofs.verify(request, subject, ProofMethod.STAFF, scope=scope)


def extend(*, request_id: UUID, reason_code: str, scope: Scope) -> SubjectRequest:
    """Take two more months, once, for a reason that the subject is told. Raises NotFound, InvalidTransition."""
    with _deciding(request_id, scope) as (request, subject):
        if request.status in (RequestStatus.REFUSED, RequestStatus.DONE) or request.extended_at is not None:
            raise InvalidTransition
        request.extended_at, request.extension_code = timezone.now(), reason_code
        request.due_at = extended_due_of(request.received_at)
        request.due_soon_noted_at = request.overdue_noted_at = None
        request.save()
        moves.note(Event.SUBJECT_REQUEST_EXTENDED, request, scope=scope, subject=subject, reason=reason_code)
    return request


def refuse(*, request_id: UUID, ground_code: str, scope: Scope) -> SubjectRequest:
    """Refuse a request on a ground that the law gives. Raises NotFound, InvalidTransition.

    Once it was passed on, the erasure or the export is what is refused.
    """
    with _deciding(request_id, scope) as (request, subject):
        moves.require_first(request)
        if request.erasure_id is not None or request.export_id is not None:
            raise InvalidTransition("The request was passed on: refuse that, and this one is refused too.")
        moves.move(request, RequestStatus.REFUSED, by=scope.author, ground=ground_code)
        moves.note(Event.SUBJECT_REQUEST_REFUSED, request, scope=scope, subject=subject, reason=ground_code)
    return request


def carry_on(*, request_id: UUID, scope: Scope) -> SubjectRequest:
    """Carry a verified request out, or pass it on to what carries it out.

    A restriction is in force at once and done. A correction is approved: memories are corrected one by one, then
    `finish` ends it. An erasure is filed and waits for a second person; an access export is made by a job. Raises
    NotFound, InvalidTransition, and SameApprover for the export to who vouched for the subject.
    """
    kind = _kind_to_carry_on(request_id, scope)
    if kind is RequestKind.ERASURE:
        return _pass_on_erasure(request_id, scope)
    if kind is RequestKind.ACCESS:
        return _pass_on_access(request_id, scope)
    with _deciding(request_id, scope) as (request, subject):
        _require_carried_by_nobody(request)
        if kind is RequestKind.RESTRICTION:
            restrict_locked(subject, reason_code=REASON, scope=scope)
            moves.move(request, RequestStatus.DONE, by=scope.author)
        else:
            moves.move(request, RequestStatus.APPROVED, by=scope.author)
        moves.note(Event.SUBJECT_REQUEST_APPROVED, request, scope=scope, subject=subject)
    return request


def finish(*, request_id: UUID, scope: Scope) -> SubjectRequest:
    """End a correction whose memories are right now. Raises NotFound, InvalidTransition."""
    with _deciding(request_id, scope) as (request, subject):
        moves.require_first(request)
        if request.kind != RequestKind.CORRECTION:
            raise InvalidTransition
        moves.move(request, RequestStatus.DONE, by=scope.author)
        moves.note(Event.SUBJECT_REQUEST_DONE, request, scope=scope, subject=subject)
    return request


@contextmanager
def _deciding(request_id: UUID, scope: Scope) -> Iterator[tuple[SubjectRequest, Subject]]:
    """A transaction with the request and its subject locked; a refusal in it is an entry."""
    require_staff(scope)
    with (
        refusals_noted(Event.SUBJECT_REQUEST_DENIED, scope=scope, kind=moves.KIND, target=request_id),
        transaction.atomic(durable=True),
    ):
        yield moves.lock_request(request_id)


def _kind_to_carry_on(request_id: UUID, scope: Scope) -> RequestKind:
    follow(request_id)
    with _deciding(request_id, scope) as (request, subject):
        _require_carried_by_nobody(request)
        if request.kind == RequestKind.ACCESS:
            require_not_vouched(subject, scope=scope)
        return RequestKind(request.kind)


def _require_carried_by_nobody(request: SubjectRequest) -> None:
    moves.require_first(request)
    again = request.kind == RequestKind.ACCESS and request.status == RequestStatus.APPROVED
    if request.erasure_id is not None or request.export_id is not None:
        raise InvalidTransition("The request was passed on already.")
    if request.status not in (RequestStatus.VERIFIED, RequestStatus.ON_HOLD) and not again:
        raise InvalidTransition


def _pass_on_erasure(request_id: UUID, scope: Scope) -> SubjectRequest:
    """File the erasure, verified: identity is proved. Each step finds out what an earlier attempt has done."""
    erasure = request_erasure(subject=_reference(request_id, scope), reason_code=REASON, scope=scope)
    if erasure.status == ErasureStatus.RECEIVED:
        verify_request(request_id=erasure.pk, scope=scope)
    with _deciding(request_id, scope) as (request, subject):
        _require_carried_by_nobody(request)
        request.erasure_id = erasure.pk
        request.save(update_fields=["erasure"])
        moves.note(Event.SUBJECT_REQUEST_PASSED_ON, request, scope=scope, subject=subject, reason="erasure")
    follow(request_id)
    return request


def _pass_on_access(request_id: UUID, scope: Scope) -> SubjectRequest:
    """The subject asks for the file and this member of staff approves it: two, though not of the staff."""
    export = ask_export(
        subject_id=_subject_id(request_id), request_id=request_id, reason_code=REASON, scope=scope
    )
    with _deciding(request_id, scope) as (request, subject):
        _require_carried_by_nobody(request)
        require_not_vouched(subject, scope=scope)
        moves.move(request, RequestStatus.APPROVED, by=scope.author)
        request.export_id = export.pk
        request.save(update_fields=["export_id"])
        moves.note(Event.SUBJECT_REQUEST_PASSED_ON, request, scope=scope, subject=subject, reason="export")
    follow(request_id)
    return request


def _subject_id(request_id: UUID) -> UUID:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        return SubjectRequest.objects.get(pk=request_id).subject_id


def _reference(request_id: UUID, scope: Scope) -> str:
    return subject_reference(subject_id=_subject_id(request_id), scope=scope)
