"""Restriction (Art. 18 GDPR): what is kept on a subject stays, and is still written to, but served to no agent.

The check stands where a scope opens a subject's rows (`vault.retrieval.scope`). Staff still see everything, for a
restriction is there to have something looked into.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import Subject, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.writing.locks import lock_subject
from vault.writing.withdrawal import ask_again, to_do_again

KIND = "subject"


def restrict_subject(*, subject_id: UUID, reason_code: str, scope: Scope) -> None:
    """Serve nothing of a subject from now on. Raises NotFound, SubjectErased, InvalidTransition if it is so already."""
    require_staff(scope)
    with refusals_noted(Event.SUBJECT_RESTRICTED, scope=scope, kind=KIND), transaction.atomic(durable=True):
        isolation.open_everything()
        subject = lock_subject(subject_id)
        if subject.restricted_at is not None:
            raise InvalidTransition
        restrict_locked(subject, reason_code=reason_code, scope=scope)


def lift_restriction(*, subject_id: UUID, reason_code: str, scope: Scope) -> None:
    """Serve the subject's memories again. Raises as above, InvalidTransition when it is not restricted."""
    require_staff(scope)
    with refusals_noted(Event.SUBJECT_UNRESTRICTED, scope=scope, kind=KIND), transaction.atomic(durable=True):
        isolation.open_everything()
        subject = lock_subject(subject_id)
        if subject.restricted_at is None:
            raise InvalidTransition
        subject.restricted_at = None
        subject.save(update_fields=["restricted_at"])
        # What was due while nothing of the subject might be touched.
        ask_again((row.pk for row in to_do_again(subject)), now=timezone.now())
        _note(Event.SUBJECT_UNRESTRICTED, subject, reason_code, scope)


def restrict_locked(subject: Subject, *, reason_code: str, scope: Scope) -> None:
    """The same in the caller's transaction, under the subject's lock; twice is once."""
    if subject.restricted_at is None:
        subject.restricted_at = timezone.now()
        subject.save(update_fields=["restricted_at"])
        _note(Event.SUBJECT_RESTRICTED, subject, reason_code, scope)


def _note(event: Event, subject: Subject, reason_code: str, scope: Scope) -> None:
    reference = key_vault().subject(subject.pk).audit_reference
    trail.note(event, scope=scope, kind=KIND, subject_ref=reference, reason=reason_code)
