"""Legal holds: they stop expiry, lapse and erasure of one subject until they are released."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition, NotFound
from vault.keys import key_vault
from vault.lifecycle import approvals, jobs
from vault.lifecycle.desk import require_staff
from vault.models import (
    Approval,
    ApprovalKind,
    ErasureRequest,
    ErasureStatus,
    Job,
    JobKind,
    JobStatus,
    LegalHold,
    isolation,
)
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.retrieval.subjects import require_subject
from vault.writing.locks import lock_subject
from vault.writing.withdrawal import ask_again, to_do_again


def is_held(subject_id: UUID) -> bool:
    """Whether a hold stands on the subject. Needs its rows open, and its lock for an answer that lasts."""
    return LegalHold.objects.filter(subject_id=subject_id, released_at__isnull=True).exists()


def place_hold(*, subject: str, reason_code: str, scope: Scope) -> LegalHold:
    """Hold back expiry and erasure of a subject; an approved erasure waits from now on.

    Raises NotFound, SubjectErased, and InvalidTransition when an erasure has already begun.
    """
    require_staff(scope)
    found = require_subject(subject, scope=scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        locked = lock_subject(found.pk)
        requests = ErasureRequest.objects.select_for_update().filter(subject_id=locked.pk)
        if requests.filter(status=ErasureStatus.EXECUTING).exists():
            raise InvalidTransition
        hold = LegalHold.objects.create(subject=locked, reason_code=reason_code, placed_by=scope.author)
        reference = key_vault().subject(locked.pk).audit_reference
        trail.note(
            Event.HOLD_PLACED,
            scope=scope,
            kind="hold",
            target=hold.pk,
            subject_ref=reference,
            reason=reason_code,
        )
        for request in requests.filter(status__in=[ErasureStatus.VERIFIED, ErasureStatus.APPROVED]):
            make_wait(request, scope=scope, subject_ref=reference)
    return hold


def ask_hold_release(*, hold_id: UUID, reason_code: str, scope: Scope) -> Approval:
    """Ask for a second person's word to lift a hold. Raises NotFound, InvalidTransition when it was lifted."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        _standing(hold_id)
        return approvals.ask(act=_release_of(hold_id, reason_code), reason_code=reason_code, scope=scope)


def carry_out_hold_release(approval: Approval, scope: Scope) -> None:
    """Lift the hold that was approved to be lifted. Raises as `release_hold`."""
    if approval.target_id is None:
        raise NotFound
    release_hold(hold_id=approval.target_id, reason_code=approval.reason_code, scope=scope)


def release_hold(*, hold_id: UUID, reason_code: str, scope: Scope) -> LegalHold:
    """Lift a hold on an approval; with the last one gone, the subject's erasure goes on from where it waited.

    Raises NotFound, ApprovalRequired, and InvalidTransition when the hold was released before.
    """
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        locked = lock_subject(_standing(hold_id).subject_id)
        hold = _standing(hold_id)
        approvals.spend(act=_release_of(hold_id, reason_code), scope=scope)
        hold.released_by, hold.released_at = scope.author, timezone.now()
        hold.save(update_fields=["released_by", "released_at"])
        reference = key_vault().subject(locked.pk).audit_reference
        trail.note(
            Event.HOLD_RELEASED,
            scope=scope,
            kind="hold",
            target=hold.pk,
            subject_ref=reference,
            reason=reason_code,
        )
        if not is_held(locked.pk):
            _resume(locked.pk)
            ask_again((row.pk for row in to_do_again(locked)), now=hold.released_at)
    return hold


def requeue_approved() -> int:
    """Give every approved request a job that has none; returns how many.

    A hold may be lifted while the job that met it is just ending: then nobody else would start it again.
    """
    with transaction.atomic(durable=True):
        isolation.open_everything()
        jobs_of = Job.objects.filter(target_id=OuterRef("pk"), kind=JobKind.ERASURE)
        lost = ErasureRequest.objects.filter(
            ~Exists(jobs_of.exclude(status=JobStatus.DONE)), status=ErasureStatus.APPROVED
        )
        # Skipped when locked: whoever decides about it now will queue it.
        for request in (found := list(lost.select_for_update(skip_locked=True))):
            jobs.enqueue(JobKind.ERASURE, request.pk)
    return len(found)


def list_holds(*, subject: str, scope: Scope) -> tuple[LegalHold, ...]:
    """All holds that ever stood on a subject, the newest first."""
    require_staff(scope)
    found = require_subject(subject, scope=scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        return tuple(LegalHold.objects.filter(subject_id=found.pk).order_by("-placed_at", "-pk"))


def _release_of(hold_id: UUID, reason_code: str) -> approvals.Act:
    return approvals.Act(ApprovalKind.HOLD_RELEASE, hold_id, {"reason": reason_code})


def _standing(hold_id: UUID) -> LegalHold:
    hold = LegalHold.objects.filter(pk=hold_id).first()
    if hold is None:
        raise NotFound
    if hold.released_at is not None:
        raise InvalidTransition
    return hold


def get_hold(*, hold_id: UUID, scope: Scope) -> LegalHold:
    """One hold, released or not. Raises NotFound."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        hold = LegalHold.objects.filter(pk=hold_id).first()
    if hold is None:
        raise NotFound
    return hold


@dataclass(frozen=True, slots=True)
class HoldEnd:
    """A hold, and what its end would set going: `others` stand on the subject still, else `erasures` go on."""

    hold: LegalHold
    others: int
    erasures: tuple[ErasureRequest, ...]


def preview_hold_release(*, hold_id: UUID, scope: Scope) -> HoldEnd:
    """What lifting a hold would come to, for whoever approves it; changes nothing. Raises NotFound."""
    hold = get_hold(hold_id=hold_id, scope=scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        standing = LegalHold.objects.filter(subject_id=hold.subject_id, released_at=None).exclude(pk=hold.pk)
        waiting = ErasureRequest.objects.filter(
            subject_id=hold.subject_id, status=ErasureStatus.ON_HOLD
        ).order_by("due_at")
        return HoldEnd(hold, standing.count(), tuple(waiting))


def make_wait(request: ErasureRequest, *, scope: Scope, subject_ref: str) -> None:
    """Let a locked request wait for the end of a hold."""
    request.status = ErasureStatus.ON_HOLD
    request.save(update_fields=["status"])
    trail.note(
        Event.ERASURE_HELD, scope=scope, kind="erasure_request", target=request.pk, subject_ref=subject_ref
    )


def _resume(subject_id: UUID) -> None:
    waiting = ErasureRequest.objects.select_for_update().filter(
        subject_id=subject_id, status=ErasureStatus.ON_HOLD
    )
    for request in waiting:
        # Only a request that was approved has a decider: its approval still stands.
        request.status = ErasureStatus.APPROVED if request.decided_by else ErasureStatus.VERIFIED
        request.save(update_fields=["status"])
        if request.status == ErasureStatus.APPROVED:
            jobs.enqueue(JobKind.ERASURE, request.pk)
