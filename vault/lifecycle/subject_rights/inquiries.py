"""What comes in at the public page: written down alike for every address, looked at later by a worker."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.celery import app
from vault.errors import VaultError
from vault.lifecycle.desk import system_scope
from vault.lifecycle.subject_rights import addresses, moves, proofs
from vault.models import (
    PrivacyInquiry,
    ProofMethod,
    RequestKind,
    SubjectContact,
    SubjectProof,
    SubjectRequest,
    isolation,
)
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.writing.locks import lock_subject

KIND = "inquiry"
TASK = "vault.tasks.answer_privacy_inquiries"
SCOPE = system_scope("privacy")
# One link of a kind in this time, however often somebody types in the address.
REST = timedelta(minutes=15)

logger = structlog.get_logger(__name__)


def inquire(*, kind: RequestKind, email: str, scope: Scope) -> None:
    """Take an inquiry from anybody. Nothing is looked up, so nothing can be told from the answer or its time.

    Raises InvalidField for what is no address.
    """
    digest = addresses.lookup_hash(addresses.checked(email))
    with transaction.atomic(durable=True):
        inquiry = PrivacyInquiry.objects.create(
            id=new_id(), kind=kind, lookup_hash=digest, received_at=timezone.now()
        )
        trail.note(Event.SUBJECT_REQUEST_ASKED, scope=scope, kind=KIND, target=inquiry.pk, right=kind)
        transaction.on_commit(_nudge)


def answer_inquiries(*, limit: int) -> int:
    """Turn up to `limit` inquiries into unproved requests, one for each subject with that contact; returns how many.

    An inquiry about nobody is dropped. Mail goes out in a step of its own: see `links`.
    """
    answered = 0
    while answered < limit and _answer_next():
        answered += 1
    return answered


def _answer_next() -> bool:
    with transaction.atomic(durable=True):
        inquiry = PrivacyInquiry.objects.select_for_update(skip_locked=True).order_by("received_at").first()
        if inquiry is None:
            return False
        isolation.open_directory()
        contacts = SubjectContact.objects.filter(lookup_hash=inquiry.lookup_hash)
        # In the order of ids, as every transaction that locks several subjects.
        subjects = sorted(set(contacts.values_list("subject_id", flat=True)))
        for subject_id in subjects:
            try:
                with transaction.atomic():
                    _file(inquiry, subject_id)
            except VaultError as fault:
                # A subject without its key, say: the inquiries behind it must not wait for it.
                logger.warning("an inquiry was not filed", inquiry=str(inquiry.pk), code=fault.code)
        inquiry.delete()
    return True


def _file(inquiry: PrivacyInquiry, subject_id: UUID) -> None:
    isolation.open_everything()
    subject = lock_subject(subject_id)
    request, is_new = proofs.file_received(subject.pk, RequestKind(inquiry.kind), inquiry.received_at)
    if not is_new and (_is_resting(request.link_sent_at, inquiry.received_at) or _is_in_hand(request)):
        outcome, reason = Outcome.SKIPPED, "link_just_sent"
    else:
        outcome, reason = Outcome.OK, "new" if is_new else "asked_again"
        request.link_sent_at, request.link_attempts = None, 0
        request.link_next_at = inquiry.received_at
        request.save(update_fields=["link_sent_at", "link_attempts", "link_next_at"])
    trail.note(
        Event.SUBJECT_REQUEST_RECEIVED, scope=SCOPE, kind=moves.KIND, target=request.pk,
        subject_ref=moves.subject_ref(subject), outcome=outcome, reason=reason, right=request.kind,
    )  # fmt: skip


def _is_resting(sent_at: datetime | None, now: datetime) -> bool:
    """Whether a link went out so shortly before that another would only fill the subject's mailbox."""
    return sent_at is not None and now - sent_at < REST


def _is_in_hand(request: SubjectRequest) -> bool:
    """Whether a link that staff handed out still works: nobody who types in an address may end it."""
    standing = SubjectProof.objects.filter(request=request, used_at=None, expires_at__gt=timezone.now())
    return standing.filter(method=ProofMethod.HANDED_OUT).exists()


def _nudge() -> None:
    """Tell a worker. The row stands already and the beat looks for it, so a broker that is down is no fault."""
    try:
        app.send_task(TASK)
    except (OperationalError, OSError) as error:
        logger.warning("the broker did not take a nudge", task=TASK, error=type(error).__name__)
