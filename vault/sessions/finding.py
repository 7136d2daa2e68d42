"""Finding a session: out of scope and absent look the same, and one whose time is up is over."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.crypto import SubjectKeys
from vault.errors import InvalidTransition, NotFound, VaultError
from vault.keys import key_vault
from vault.models import Session, SessionStatus, isolation
from vault.retrieval import trail
from vault.retrieval.integrity import check_manifest
from vault.retrieval.scope import Right, Scope
from vault.retrieval.session_set import check_session

OVER = "The session is over."


def find_session(*, session_id: UUID, scope: Scope, right: Right) -> Session:
    """A session's row with its subject; leaves the subject's rows open to the scope.

    Needs the caller's transaction. Raises NotFound, the same for what is absent, foreign, erased, or
    restricted and to be read.
    """
    namespaces = [namespace.id for namespace in scope.require(right)]
    isolation.open_everything()
    session = (
        Session.objects.filter(pk=session_id, namespace_id__in=namespaces)
        .select_related("subject", "namespace")
        .first()
    )
    isolation.close()
    if (
        session is None
        or not scope.allows_subject(session.subject_id)
        or session.subject.erased_at is not None
    ):
        raise NotFound
    if right is Right.SESSION_READ and session.subject.restricted_at is not None and not scope.everything:
        # Kept, and not served.
        raise NotFound
    scope.open(session.subject_id, right)
    return session


def find_whole_session(*, session_id: UUID, scope: Scope, right: Right) -> tuple[Session, SubjectKeys]:
    """The same, with the subject's keys, once turns and summaries proved to be those that were stored.

    Raises IntegrityFault when one vanished, was put back, or came from another session.
    """
    session = find_session(session_id=session_id, scope=scope, right=right)
    keys = key_vault().subject(session.subject_id)
    check_manifest(session.subject_id, keys=keys)
    check_session(session.pk, keys=keys)
    scope.open(session.subject_id, right)
    return session, keys


def is_over(session: Session, *, now: datetime) -> bool:
    """Whether nothing can be added any more, whether or not a job has met it."""
    return session.status != SessionStatus.ACTIVE or now >= min(session.idle_until, session.ends_at)


def require_active(session: Session, *, now: datetime) -> None:
    """Raises InvalidTransition for a session that was ended or has run out."""
    if is_over(session, now=now):
        raise InvalidTransition(OVER)


def note_denied(refusal: VaultError, event: Event, *, session_id: UUID, scope: Scope) -> None:
    """The entry of a refused call, in a transaction of its own."""
    denied = isinstance(refusal, NotFound)
    trail.note_refusal(
        Event.ACCESS_DENIED if denied else event, scope=scope, kind="session", target=session_id,
        outcome=Outcome.DENIED if denied else Outcome.REFUSED, reason=refusal.code,
    )  # fmt: skip
