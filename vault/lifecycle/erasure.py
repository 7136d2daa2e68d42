"""Erasure of a subject, the decisions: asked for by one, verified, approved by another, or refused.

What is approved is executed by a job: see `vault.lifecycle.erasure_run`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.crypto import associated_data
from vault.errors import InvalidTransition, NotFound, SameApprover, SubjectErased
from vault.keys import key_vault
from vault.lifecycle import holds, jobs
from vault.lifecycle.data_map import STORES
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import ERASURE_NEXT, ErasureRequest, ErasureStatus, JobKind, Subject, isolation
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import require_subject
from vault.writing.locks import lock_subject

KIND = "erasure_request"
OPEN = tuple(status for status in ErasureStatus if status not in (ErasureStatus.REFUSED, ErasureStatus.DONE))
MAX_LISTED = 100


def request_erasure(*, subject: str, reason_code: str, evidence: str = "", scope: Scope) -> ErasureRequest:
    """File a request to erase a subject in every namespace; while the caller's own is open, that one is returned.

    `evidence` says why the asker may ask; it is sealed under the subject's key and goes with it. Raises
    ScopeMissing, NotFound, SubjectErased, and InvalidTransition while somebody else's is open.
    """
    with refusals_noted(Event.ERASURE_REQUESTED, scope=scope, kind=KIND):
        found = _subject_to_erase(subject, scope)
        with transaction.atomic(durable=True):
            isolation.open_whole_subject(found.pk)
            lock_subject(found.pk)
            existing = ErasureRequest.objects.filter(subject_id=found.pk, status__in=OPEN).first()
            if existing is not None and not _may_follow(existing, scope):
                raise InvalidTransition("An erasure of this subject has been asked for already.")
            request = existing or _file(found, reason_code, evidence, scope)
            trail.note(
                Event.ERASURE_REQUESTED, scope=scope, kind=KIND, target=request.pk,
                subject_ref=key_vault().subject(found.pk).audit_reference,
                outcome=Outcome.SKIPPED if existing else Outcome.OK,
                reason="already_open" if existing else reason_code,
            )  # fmt: skip
    return request


def preview_erasure(*, subject: str, scope: Scope) -> dict[str, int]:
    """How many rows of each store an erasure would take; changes nothing. Raises as `request_erasure`."""
    return _count(_subject_to_erase(subject, scope).pk)


def preview_request(*, request: ErasureRequest, scope: Scope) -> dict[str, int]:
    """How many rows of each store the erasure that was asked for would take, for staff; changes nothing."""
    require_staff(scope)
    return _count(request.subject_id)


def verify_request(*, request_id: UUID, scope: Scope) -> ErasureRequest:
    """Note that the request is the subject's own, or one that the operator has to follow."""
    require_staff(scope)
    with _noted(request_id, scope), transaction.atomic(durable=True):
        request, subject = _lock(request_id)
        _move(request, ErasureStatus.VERIFIED, scope=scope, subject=subject, event=Event.ERASURE_VERIFIED)
    return request


def approve_erasure(*, request_id: UUID, scope: Scope) -> ErasureRequest:
    """Approve a verified request: a job erases the subject. Under a legal hold it waits instead, undecided.

    Raises SameApprover for the one who asked, InvalidTransition.
    """
    require_staff(scope)
    with _noted(request_id, scope), transaction.atomic(durable=True):
        request, subject = _lock(request_id)
        _require_next(request, ErasureStatus.APPROVED)
        _require_other_person(request, scope)
        if holds.is_held(subject.pk):
            reference = key_vault().subject(subject.pk).audit_reference
            holds.make_wait(request, scope=scope, subject_ref=reference)
        else:
            _decide(request, scope)
            _move(request, ErasureStatus.APPROVED, scope=scope, subject=subject, event=Event.ERASURE_APPROVED)
            jobs.enqueue(JobKind.ERASURE, request.pk)
    return request


def refuse_erasure(*, request_id: UUID, ground_code: str, scope: Scope) -> ErasureRequest:
    """Refuse a request on a ground that the law gives. Raises SameApprover, InvalidTransition."""
    require_staff(scope)
    with _noted(request_id, scope), transaction.atomic(durable=True):
        request, subject = _lock(request_id)
        _require_next(request, ErasureStatus.REFUSED)
        _require_other_person(request, scope)
        _decide(request, scope)
        request.ground_code = ground_code
        _move(
            request, ErasureStatus.REFUSED, scope=scope, subject=subject, event=Event.ERASURE_REFUSED,
            reason=ground_code,
        )  # fmt: skip
    return request


def get_request(*, request_id: UUID, scope: Scope) -> ErasureRequest:
    """A request as it stands; an agent follows its own only. Raises NotFound."""
    with _noted(request_id, scope), transaction.atomic(durable=True):
        isolation.open_everything()
        request = ErasureRequest.objects.filter(pk=request_id).first()
        if request is None or not _may_follow(request, scope):
            raise NotFound
    return request


def list_requests(
    *, scope: Scope, status: ErasureStatus | None = None, limit: int = MAX_LISTED
) -> list[ErasureRequest]:
    """Requests for staff: the open ones, or those of one status; the soonest due first."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = ErasureRequest.objects.filter(status__in=[status] if status else OPEN)
        return list(rows.order_by("due_at", "pk")[: min(limit, MAX_LISTED)])


def evidence_of(*, request_id: UUID, scope: Scope) -> str:
    """What was sent along to show that the asker may ask; empty once the subject is erased."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        request = ErasureRequest.objects.filter(pk=request_id).first()
        if request is None:
            raise NotFound
        if not request.sealed_evidence:
            return ""
        keys = key_vault().subject(request.subject_id)
        trail.note(
            Event.SUBJECT_READ, scope=scope, kind=KIND, target=request.pk, subject_ref=keys.audit_reference,
            reason="erasure_evidence",
        )  # fmt: skip
        return keys.open(bytes(request.sealed_evidence), context=evidence_context(request)).decode()


def certificate_of(*, request_id: UUID, scope: Scope) -> dict[str, Any]:
    """The signed certificate. Raises NotFound, InvalidTransition while the erasure is not done."""
    request = get_request(request_id=request_id, scope=scope)
    if request.certificate is None:
        raise InvalidTransition("The erasure is not done; there is no certificate yet.")
    return dict(request.certificate)


def _count(subject_id: UUID) -> dict[str, int]:
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        return {store.name: store.count(subject_id) for store in STORES}


def _noted(request_id: UUID, scope: Scope) -> AbstractContextManager[None]:
    return refusals_noted(Event.APPROVAL_REFUSED, scope=scope, kind=KIND, target=request_id)


def _subject_to_erase(subject: str, scope: Scope) -> Subject:
    if not scope.everything:
        scope.require(Right.SUBJECT_ERASE)
    return require_subject(subject, scope=scope)


def _file(subject: Subject, reason_code: str, evidence: str, scope: Scope) -> ErasureRequest:
    request = ErasureRequest(
        id=new_id(),
        subject_id=subject.pk,
        agent_id=scope.agent_id,
        reason_code=reason_code,
        requested_by=scope.author,
        due_at=timezone.now() + settings.ERASURE_DUE,
    )
    if evidence:
        keys = key_vault().subject(subject.pk)
        request.sealed_evidence = keys.seal(evidence.encode(), context=evidence_context(request))
    request.save(force_insert=True)
    return request


def evidence_context(request: ErasureRequest) -> bytes:
    return associated_data(what="erasure evidence", request=request.pk, subject=request.subject_id)


def _lock(request_id: UUID) -> tuple[ErasureRequest, Subject]:
    """Lock subject and request, in the order that every decision and the job keep."""
    isolation.open_everything()
    subject_id = ErasureRequest.objects.filter(pk=request_id).values_list("subject_id", flat=True).first()
    if subject_id is None:
        raise NotFound
    try:
        subject = lock_subject(subject_id)
    except SubjectErased:
        raise InvalidTransition from None
    return ErasureRequest.objects.select_for_update().get(pk=request_id), subject


def _require_next(request: ErasureRequest, status: ErasureStatus) -> None:
    if status not in ERASURE_NEXT.get(request.status, frozenset()):
        raise InvalidTransition


def _require_other_person(request: ErasureRequest, scope: Scope) -> None:
    if request.requested_by == scope.author:
        raise SameApprover


def _decide(request: ErasureRequest, scope: Scope) -> None:
    request.decided_by, request.decided_at = scope.author, timezone.now()


def _move(
    request: ErasureRequest,
    status: ErasureStatus,
    *,
    scope: Scope,
    subject: Subject,
    event: Event,
    reason: str = "",
) -> None:
    _require_next(request, status)
    request.status = status
    request.save()
    reference = key_vault().subject(subject.pk).audit_reference
    trail.note(event, scope=scope, kind=KIND, target=request.pk, subject_ref=reference, reason=reason)


def _may_follow(request: ErasureRequest, scope: Scope) -> bool:
    if scope.everything:
        return True
    asked = request.agent_id is not None and request.agent_id == scope.agent_id
    return asked and scope.allows_subject(request.subject_id)
