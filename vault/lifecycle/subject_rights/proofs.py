"""Proofs of identity: a single-use right to speak for one subject, and what becomes of a request with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import Actor
from vault.crypto.assertion import AssertionRefused
from vault.errors import InvalidField, NotFound, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.subject_rights import moves, numbers, wording
from vault.lifecycle.subject_rights.due import due_of
from vault.models import (
    ProofMethod,
    RequestKind,
    RequestStatus,
    Subject,
    SubjectProof,
    SubjectRequest,
    isolation,
)
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.asserted import Asserted, assertion_refusals_noted, audience_of, read_assertion
from vault.retrieval.scope import Scope
from vault.retrieval.subjects import find_subject
from vault.writing.locks import lock_subject

LINK_VALID = timedelta(hours=24)
# After an assertion the subject is at the page already.
ASSERTION_VALID = timedelta(minutes=30)
AUDIENCE_PATH = "/privacy/"


@dataclass(frozen=True, slots=True)
class OpenProof:
    """What a proof that still stands lets its holder do; `kind` is None where they may choose."""

    kind: RequestKind | None
    method: ProofMethod


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the subject is told once: the number to follow the request by."""

    number: str = field(repr=False)
    kind: RequestKind
    due_at: datetime
    request_id: UUID


def public_scope(request_id: str = "") -> Scope:
    """The scope of somebody at the public page: nobody that we know, and no right."""
    return Scope(actor=Actor("anonymous", ""), namespaces=(), request_id=request_id)


def issue_link(request: SubjectRequest, method: ProofMethod) -> str:
    """The token of a new link for a request; earlier ones that were not used end. Needs open rows."""
    SubjectProof.objects.filter(request=request, used_at=None).delete()
    return _issue(request.subject_id, method, LINK_VALID, request=request)


def accept_assertion(*, token: str, scope: Scope) -> str | None:
    """The token of a proof for the subject that an application names; None when nothing is kept on them.

    Raises AssertionRefused, recorded, the same for everything that is wrong with it.
    """
    with assertion_refusals_noted(scope):
        return _accept(read_assertion(token, audience=audience()), scope)


def audience() -> str:
    """What an assertion for this vault names as its audience."""
    return audience_of(AUDIENCE_PATH)


def find_proof(*, token: str) -> OpenProof:
    """What a token lets its holder do, without using it up. Raises NotFound for any that does not stand."""
    with transaction.atomic():
        isolation.open_directory()
        proof = _standing(token)
        kind = RequestKind(proof.request.kind) if proof.request else None
    return OpenProof(kind, ProofMethod(proof.method))


def prove(*, token: str, kind: RequestKind | None = None, text: str = "", scope: Scope) -> Receipt:
    """Use a proof up: its request is verified, with what the subject wrote sealed beside it.

    `kind` counts where the proof leaves the choice. Raises NotFound for a token that does not stand,
    SecretDetected and ScreeningUnfinished for the text (the token still stands then), InvalidField.
    """
    opened = find_proof(token=token)
    wanted = opened.kind or kind
    if wanted is None:
        raise InvalidField("Choose what you ask for.", pointer="/kind")
    if wanted is RequestKind.CORRECTION and not text.strip():
        raise InvalidField("Say what is wrong.", pointer="/text")
    with refusals_noted(Event.SUBJECT_REQUEST_DENIED, scope=scope, kind=moves.KIND):
        wording.check_words(text)
        with transaction.atomic(durable=True):
            isolation.open_directory()
            subject = _lock(_standing(token).subject_id)
            proof = _standing(token, lock=True)
            proof.used_at = timezone.now()
            proof.save(update_fields=["used_at"])
            request = _request_of(proof, wanted)
            return verify(request, subject, ProofMethod(proof.method), text=text, scope=scope)


def verify(
    request: SubjectRequest, subject: Subject, method: ProofMethod, *, text: str = "", scope: Scope
) -> Receipt:
    """Mark a locked, unproved request as the subject's own; a second one for the same thing joins the first."""
    number = numbers.new_number()
    request.status, request.proved_by, request.verified_at = RequestStatus.VERIFIED, method, timezone.now()
    request.reference_hash = numbers.number_hash(number)
    request.sealed_text = wording.seal_words(request, text, keys=key_vault().subject(subject.pk))
    first = moves.earlier_open(request)
    if first is not None:
        moves.join(request, first)
    request.save()
    moves.note(
        Event.SUBJECT_REQUEST_VERIFIED, request, scope=scope, subject=subject, reason=method,
        duplicate=first is not None,
    )  # fmt: skip
    return Receipt(number, RequestKind(request.kind), request.due_at, request.pk)


def file_received(subject_id: UUID, kind: RequestKind, received_at: datetime) -> tuple[SubjectRequest, bool]:
    """The subject's unproved request of a kind, made if there is none, locked; and whether it is new."""
    isolation.open_whole_subject(subject_id)
    rows = SubjectRequest.objects.select_for_update()
    found = rows.filter(subject_id=subject_id, kind=kind, status=RequestStatus.RECEIVED).first()
    if found is not None:
        return found, False
    made = SubjectRequest(
        id=new_id(), subject_id=subject_id, kind=kind, received_at=received_at, due_at=due_of(received_at)
    )
    made.save(force_insert=True)
    return made, True


def drop_old_proofs(*, now: datetime, limit: int) -> int:
    """Delete proofs whose time was up a day ago; until then an assertion's number is known as used."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        due = SubjectProof.objects.filter(expires_at__lte=now - timedelta(days=1))
        return SubjectProof.objects.filter(pk__in=list(due.values_list("pk", flat=True)[:limit])).delete()[0]


def _accept(asserted: Asserted, scope: Scope) -> str | None:
    subject = find_subject(asserted.subject)
    if subject is None or subject.erased_at is not None:
        return None
    try:
        with transaction.atomic(durable=True):
            isolation.open_whole_subject(subject.pk)
            lock_subject(subject.pk)
            token = _issue(subject.pk, ProofMethod.APPLICATION, ASSERTION_VALID, nonce=asserted.number_hash)
            trail.note(
                Event.ASSERTION_ACCEPTED, scope=scope, kind="assertion_key", target=asserted.key_id,
                subject_ref=moves.subject_ref(subject),
            )  # fmt: skip
    except IntegrityError:
        raise AssertionRefused(reason="replayed") from None
    except SubjectErased:
        return None
    return token


def _issue(
    subject_id: UUID, method: ProofMethod, valid: timedelta, *, request: SubjectRequest | None = None,
    nonce: bytes | None = None,
) -> str:  # fmt: skip
    token, now = numbers.new_token(), timezone.now()
    SubjectProof.objects.create(
        subject_id=subject_id, request=request, method=method, token_hash=numbers.token_hash(token),
        nonce_hash=nonce, created_at=now, expires_at=now + valid,
    )  # fmt: skip
    return token


def _standing(token: str, *, lock: bool = False) -> SubjectProof:
    rows = SubjectProof.objects.select_related("request")
    if lock:
        rows = rows.select_for_update(of=("self",))
    proof = rows.filter(
        token_hash=numbers.token_hash(token), used_at=None, expires_at__gt=timezone.now()
    ).first()
    if proof is None or (proof.request and proof.request.status != RequestStatus.RECEIVED):
        raise NotFound
    return proof


def _lock(subject_id: UUID) -> Subject:
    isolation.open_whole_subject(subject_id)
    try:
        return lock_subject(subject_id)
    except SubjectErased:
        raise NotFound from None


def _request_of(proof: SubjectProof, kind: RequestKind) -> SubjectRequest:
    if proof.request_id is None:
        return file_received(proof.subject_id, kind, timezone.now())[0]
    return SubjectRequest.objects.select_for_update().get(pk=proof.request_id)
