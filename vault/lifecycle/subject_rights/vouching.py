"""Four eyes for a subject's own file: who vouches for whose request it is does not also pass it on.

An access request needs no third person because the subject asks for it. Where a member of staff says that it is the
subject (in person, with a link handed out, by a contact they registered), that same person could otherwise ask,
approve and fetch everything about anybody. The log says who vouched; rows that say so can be gone by then.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.models import AuditEntry
from vault.errors import SameApprover
from vault.lifecycle.subject_rights.moves import subject_ref
from vault.models import PROVED_AND_OPEN, RequestKind, RequestStatus, Subject, SubjectRequest
from vault.retrieval.scope import Scope

VOUCHES = (Event.SUBJECT_REQUEST_VERIFIED, Event.SUBJECT_REQUEST_LINK_HANDED_OUT)
UNANSWERED = (RequestStatus.RECEIVED.value, *PROVED_AND_OPEN)


def require_not_vouched(subject: Subject, *, scope: Scope) -> None:
    """Raise SameApprover for whoever vouched for an access request of the subject; needs open, locked rows."""
    if has_vouched(subject, scope=scope):
        raise SameApprover


def has_vouched(subject: Subject, *, scope: Scope) -> bool:
    """Whether the caller vouched for an access request of the subject; needs open rows."""
    open_requests = _access(subject.pk).filter(status__in=UNANSWERED).values_list("pk", flat=True)
    own = AuditEntry.objects.filter(
        actor_kind=scope.actor.kind, actor_id=scope.actor.id, outcome=Outcome.OK.value
    )
    vouched = own.filter(action__in=VOUCHES, target_id__in=[str(pk) for pk in open_requests])
    registered = own.filter(action=Event.CONTACT_REGISTERED, subject_ref=subject_ref(subject))
    return vouched.exists() or registered.exists()


def require_not_passed_on(subject_id: UUID, *, scope: Scope) -> None:
    """Raise SameApprover for whoever passed an open access request on: its file waits for whoever proves next."""
    if has_passed_on(subject_id, scope=scope):
        raise SameApprover


def has_passed_on(subject_id: UUID, *, scope: Scope) -> bool:
    """Whether the caller passed an open access request of the subject on; needs open rows."""
    return _access(subject_id).filter(status__in=PROVED_AND_OPEN, decided_by=scope.author).exists()


def _access(subject_id: UUID) -> QuerySet[SubjectRequest]:
    return SubjectRequest.objects.filter(subject_id=subject_id, kind=RequestKind.ACCESS)
