"""Executing an approved erasure: steps that each commit, and that find out for themselves what is done.

Killed between or within any two of them, the next attempt starts from the first and converges: rows are
deleted in one transaction with their entry; a key that was destroyed stays destroyed; whether the rest
was done, the audit log remembers. Every step locks the subject and the request, so two workers take turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.checkpoint import publish_checkpoint, seal_all
from audit.models import AuditEntry
from audit.proofs import inclusion_proof
from vault.errors import InvalidTransition, KeyDestroyed, NotFound, VaultError
from vault.keys import audit_signer, key_vault, roll_epoch
from vault.lifecycle import certificate, holds
from vault.lifecycle.data_map import STORES
from vault.lifecycle.desk import system_scope
from vault.models import ErasureRequest, ErasureStatus, Subject, isolation
from vault.retrieval import trail
from vault.retrieval.subjects import namespaces_of

KIND = "erasure_request"
DATA_KEY = "data_key"
SCOPE = system_scope("erasure")


class ErasureIncomplete(VaultError):
    """The second look found something; the erasure is run again."""

    code = "erasure_incomplete"
    detail = "Something of the subject is still there."


def execute_erasure(request_id: UUID) -> None:
    """Erase the subject of an approved request and issue the certificate; done or held, nothing happens.

    Raises NotFound, InvalidTransition for a request that nobody approved, ErasureIncomplete.
    """
    if not _begin(request_id):
        return
    _erase_rows(request_id)
    _destroy_key(request_id)
    _end_epoch(request_id)
    _look_again(request_id)
    _certify(request_id)


def _begin(request_id: UUID) -> bool:
    """Mark the request as being executed: from here on it does not stop for a hold."""
    with _locked(request_id) as (request, subject):
        if request.status in (ErasureStatus.DONE, ErasureStatus.ON_HOLD):
            return False
        if request.status == ErasureStatus.EXECUTING:
            return True
        if request.status != ErasureStatus.APPROVED:
            raise InvalidTransition
        if holds.is_held(subject.pk):
            holds.make_wait(request, scope=SCOPE, subject_ref=_reference(subject))
            return False
        request.status = ErasureStatus.EXECUTING
        request.save(update_fields=["status"])
        return True


def _erase_rows(request_id: UUID) -> None:
    """Delete every store's rows and mark the subject, in the transaction that records the counts.

    A write that waits for the subject's lock finds it erased.
    """
    with _locked(request_id) as (request, subject):
        isolation.open_whole_subject(subject.pk)
        erased = erase_everywhere(subject.pk, erased_at=timezone.now())
        if subject.erased_at is not None and not any(erased.values()):
            return
        _note(Event.ERASURE_EXECUTED, request, subject_ref=_reference(subject), **erased)


def erase_everywhere(subject_id: UUID, *, erased_at: datetime) -> dict[str, Any]:
    """Delete or empty every store's rows of a subject and mark it erased, unless it is; the counts, by store.

    Needs a transaction with the subject's rows open. A restore of older data does the same again.
    """
    places = sorted(namespaces_of(subject_id))
    erased = {store.name: store.erase(subject_id) for store in STORES}
    Subject.objects.filter(pk=subject_id, erased_at__isnull=True).update(
        erased_at=erased_at, erased_in=places, last_activity_at=None, manifest_count=0, manifest_sequence=0
    )
    return erased


def _destroy_key(request_id: UUID) -> None:
    with _locked(request_id) as (request, subject):
        destruction = key_vault().destroy_subject(subject.pk)
        if not _entries(request, Event.KEYS_DESTROYED):
            _note(Event.KEYS_DESTROYED, request, epoch=destruction.epoch)


def _end_epoch(request_id: UUID) -> None:
    """Roll the epoch, so that no copy of the keystore opens what was destroyed. Twice does no harm."""
    with _locked(request_id) as (request, _):
        if _entries(request, Event.KEYS_ROTATED):
            return
        rolled = roll_epoch()
        _note(
            Event.KEYS_ROTATED, request, old_epoch=rolled.old_epoch, new_epoch=rolled.new_epoch,
            rewrapped=rolled.rewrapped, root_destroyed=rolled.root_destroyed,
        )  # fmt: skip


def _look_again(request_id: UUID) -> None:
    """Count every store once more; only zeros are recorded as an erasure. Raises ErasureIncomplete."""
    with _locked(request_id) as (request, subject):
        if any(_left(subject.pk).values()):
            raise ErasureIncomplete
        if not _entries(request, Event.ERASURE_COMPLETED):
            _note(Event.ERASURE_COMPLETED, request, **_erased(request))


def _certify(request_id: UUID) -> None:
    """Prove the entry of the erasure and sign the certificate; the request is done with that."""
    seal_all()
    publish_checkpoint()
    with _locked(request_id) as (request, subject):
        if request.status == ErasureStatus.DONE:
            return
        now = timezone.now()
        completed = _entries(request, Event.ERASURE_COMPLETED)[0]
        request.certificate = certificate.issue(
            _facts(request, subject), entry=inclusion_proof(completed.uuid), now=now, signer=audit_signer()
        )
        request.status, request.executed_at = ErasureStatus.DONE, now
        request.save(update_fields=["certificate", "status", "executed_at"])
        _note(Event.CERTIFICATE_ISSUED, request, key_id=request.certificate["key_id"])


def _facts(request: ErasureRequest, subject: Subject) -> certificate.ErasureFacts:
    destruction = key_vault().destroy_subject(subject.pk)
    rolled = _entries(request, Event.KEYS_ROTATED)[0]
    if request.decided_at is None or subject.erased_at is None:
        raise InvalidTransition
    return certificate.ErasureFacts(
        request=request.pk,
        reason=request.reason_code,
        requested_at=request.requested_at,
        approved_at=request.decided_at,
        erased_at=subject.erased_at,
        unreadable_at=destruction.unreadable_at,
        irrecoverable_at=destruction.irrecoverable_at if rolled.facts["root_destroyed"] else None,
        erased=_erased(request),
        left=_left(subject.pk),
    )


def _erased(request: ErasureRequest) -> dict[str, Any]:
    """What went, by store, over all attempts."""
    total: Counter[str] = Counter({store.name: 0 for store in STORES})
    for entry in _entries(request, Event.ERASURE_EXECUTED):
        total.update(entry.facts)
    return {**total, DATA_KEY: 1}


def _left(subject_id: UUID) -> dict[str, int]:
    isolation.open_whole_subject(subject_id)
    left = {store.name: store.count(subject_id) for store in STORES}
    return {**left, DATA_KEY: 0 if _is_key_gone(subject_id) else 1}


def _is_key_gone(subject_id: UUID) -> bool:
    try:
        key_vault().subject(subject_id)
    except KeyDestroyed:
        return True
    return False


def _reference(subject: Subject) -> str:
    """The subject's name in the log; nobody knows it any more once the key is gone."""
    try:
        return key_vault().subject(subject.pk).audit_reference
    except KeyDestroyed:
        return ""


def _entries(request: ErasureRequest, event: Event) -> list[AuditEntry]:
    entries = AuditEntry.objects.filter(target_id=str(request.pk), target_kind=KIND, action=event)
    return list(entries.order_by("at", "pk"))


def _note(event: Event, request: ErasureRequest, *, subject_ref: str = "", **facts: Any) -> None:
    trail.note(event, scope=SCOPE, kind=KIND, target=request.pk, subject_ref=subject_ref, **facts)


@contextmanager
def _locked(request_id: UUID) -> Iterator[tuple[ErasureRequest, Subject]]:
    """A transaction with the subject and its request locked, in the order that all decisions keep."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        request = ErasureRequest.objects.filter(pk=request_id).first()
        if request is None:
            raise NotFound
        subject = Subject.objects.select_for_update().get(pk=request.subject_id)
        yield ErasureRequest.objects.select_for_update().get(pk=request_id), subject
