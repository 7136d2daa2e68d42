"""Links of proof: sent to every verified contact by a worker, or handed out by a member of staff.

The token is made just before it is sent and stands nowhere but in the mail; what a crash or a mail server loses is
sent again with another one. Without a mail server the request waits as received, for staff to hand out the link.
"""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPException
from uuid import UUID

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import InvalidTransition, SubjectErased, VaultError
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.subject_rights import contacts, moves, proofs
from vault.lifecycle.subject_rights.inquiries import SCOPE
from vault.lifecycle.subject_rights.vouching import require_not_passed_on
from vault.mail import NO_MAIL
from vault.models import ProofMethod, RequestStatus, SubjectContact, SubjectRequest, isolation
from vault.retrieval.scope import Scope
from vault.writing.locks import lock_subject

MAX_ATTEMPTS = 8
BACKOFF = timedelta(minutes=1)

logger = structlog.get_logger(__name__)


def can_send() -> bool:
    """Whether a mail server is set."""
    return bool(settings.EMAIL_BACKEND != NO_MAIL)


def send_due_links(*, limit: int) -> int:
    """Send the links of up to `limit` requests that wait for one; returns how many were tried."""
    if not can_send():
        return 0
    with transaction.atomic(durable=True):
        isolation.open_everything()
        waiting = SubjectRequest.objects.filter(
            status=RequestStatus.RECEIVED, link_sent_at=None, link_attempts__lt=MAX_ATTEMPTS,
            link_next_at__lte=timezone.now(),
        )  # fmt: skip
        found = list(waiting.order_by("link_next_at").values_list("pk", flat=True)[:limit])
    for request_id in found:
        try:
            _send(request_id)
        except VaultError as fault:
            # A contact that does not open, say: the others must not wait for it.
            logger.warning("a link was not made", request=str(request_id), code=fault.code)
            _postpone(request_id)
    return len(found)


def hand_out_link(*, request_id: UUID, scope: Scope) -> str:
    """The address of a new link for an unproved request, for somebody whose identity staff have checked.

    Shown here and nowhere again. Raises NotFound, InvalidTransition when the request is no longer unproved,
    SameApprover for who passed an open access request of the subject on.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.SUBJECT_REQUEST_DENIED, scope=scope, kind=moves.KIND, target=request_id),
        transaction.atomic(durable=True),
    ):
        request, subject = moves.lock_request(request_id)
        if request.status != RequestStatus.RECEIVED or subject.erased_at is not None:
            raise InvalidTransition
        require_not_passed_on(subject.pk, scope=scope)
        # It stands in for the mail: none goes out behind it that would end it.
        request.link_sent_at = timezone.now()
        request.save(update_fields=["link_sent_at"])
        link = _address(proofs.issue_link(request, ProofMethod.HANDED_OUT))
        moves.note(Event.SUBJECT_REQUEST_LINK_HANDED_OUT, request, scope=scope, subject=subject)
    return link


def _send(request_id: UUID) -> None:
    prepared = _prepare(request_id)
    if prepared is None:
        return
    message, attempt = prepared
    try:
        message.send()
    except (SMTPException, OSError) as error:
        # The type only: a mail server's answer repeats the address.
        logger.warning("a link was not sent", request=str(request_id), error=type(error).__name__)
        return
    with transaction.atomic(durable=True):
        request, subject = moves.lock_request(request_id)
        # A new inquiry may have come in meanwhile; its link is another one.
        if request.link_attempts == attempt and subject.erased_at is None:
            request.link_sent_at = timezone.now()
            request.save(update_fields=["link_sent_at"])
            moves.note(Event.SUBJECT_REQUEST_LINK_SENT, request, scope=SCOPE, subject=subject)


def _postpone(request_id: UUID) -> None:
    with transaction.atomic(durable=True):
        request, _ = moves.lock_request(request_id)
        _count_attempt(request)


def _count_attempt(request: SubjectRequest) -> None:
    request.link_attempts += 1
    request.link_next_at = timezone.now() + BACKOFF * 2 ** (request.link_attempts - 1)
    request.save(update_fields=["link_attempts", "link_next_at"])


def _prepare(request_id: UUID) -> tuple[EmailMessage, int] | None:
    """The message with a fresh token, and which attempt it is; None when nothing is to be sent any more.

    The next attempt is set before this one is made, so that a worker that dies in it is followed by another.
    """
    with transaction.atomic(durable=True):
        isolation.open_everything()
        row = SubjectRequest.objects.get(pk=request_id)
        try:
            subject = lock_subject(row.subject_id)
        except SubjectErased:
            return None
        request = SubjectRequest.objects.select_for_update().get(pk=request_id)
        if (
            request.status != RequestStatus.RECEIVED
            or request.link_sent_at is not None
            or request.link_next_at is None
            or request.link_next_at > timezone.now()
        ):
            return None
        _count_attempt(request)
        rows = list(SubjectContact.objects.filter(subject_id=subject.pk))
        if not rows:
            moves.note(
                Event.SUBJECT_REQUEST_LINK_SENT, request, scope=SCOPE, subject=subject, reason="no_contact",
                outcome=Outcome.SKIPPED,
            )  # fmt: skip
            return None
        keys = key_vault().subject(subject.pk)
        to = [contacts.open_address(each, keys=keys) for each in rows]
        return _message(to, request, proofs.issue_link(request, ProofMethod.MAIL)), request.link_attempts


def _message(to: list[str], request: SubjectRequest, token: str) -> EmailMessage:
    facts = {
        "link": _address(token),
        "kind": request.kind,
        "hours": int(proofs.LINK_VALID.total_seconds() // 3600),
    }
    return EmailMessage(
        subject="Confirm your request about your personal data",
        body=render_to_string("privacy/link_mail.txt", facts),
        # Blind: one contact does not learn of the others.
        bcc=to,
    )


def _address(token: str) -> str:
    return str(settings.BASE_URL).rstrip("/") + reverse("privacy:link", args=[token])
