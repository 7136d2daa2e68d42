"""Starting a session, for a subject that the calling application vouches for, for a visitor, or for somebody new.

A visitor is known by the value of a cookie alone: it stands nowhere, and its keyed hash is the visitor's own subject.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import InvalidField, NotFound, SubjectErased
from vault.keys import key_vault
from vault.models import Session, isolation
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import find_subject
from vault.sessions.records import SessionView
from vault.sessions.retrieval_moments import START
from vault.writing.locks import lock_or_create_subject

VISITOR_PREFIX = "visitor:"
VISITOR_BYTES = 24


def visitor_reference(visitor: str) -> str:
    """The id of a visitor's own subject: a keyed hash of the cookie's value, which cannot be turned back."""
    return VISITOR_PREFIX + key_vault().visitor_hash(visitor).hex()


def start_session(
    *, subject: str = "", visitor: str = "", namespace: str, scope: Scope,
    remember: Callable[[SessionView], None] | None = None,
) -> SessionView:  # fmt: skip
    """Begin a session. Without a subject or a visitor, a new visitor is made and its cookie's value returned.

    Raises NotFound, SubjectErased, and InvalidField when both are given: a visitor becomes a subject by a link only.
    """
    if subject and visitor:
        raise InvalidField("Give a subject or a visitor; a link joins the two.", pointer="/visitor")
    place = scope.namespace(namespace, Right.SESSION_WRITE)
    fresh = "" if subject or visitor else secrets.token_urlsafe(VISITOR_BYTES)
    reference = subject or visitor_reference(visitor or fresh)
    _check_subject(reference, scope=scope)
    now = timezone.now()
    keys = key_vault()
    with transaction.atomic(durable=True):
        owner = lock_or_create_subject(reference, keys=keys)
        isolation.open_subject(owner.pk, namespaces=[place.id])
        row = Session.objects.create(
            id=new_id(), subject=owner, namespace_id=place.id, agent_id=scope.agent_id, started_at=now,
            last_turn_at=now, idle_until=now + settings.SESSION_IDLE, ends_at=now + settings.SESSION_LIFE,
            retrieve_why=START,
        )  # fmt: skip
        trail.note(
            Event.SESSION_STARTED, scope=scope, kind="session", target=row.pk,
            subject_ref=keys.subject(owner.pk).audit_reference,
        )  # fmt: skip
        view = SessionView(row, reference, place.name, fresh)
        if remember is not None:
            remember(view)
    return view


def _check_subject(reference: str, *, scope: Scope) -> UUID | None:
    """A subject token reaches its own subject only; an erased subject stays erased. Refusals are recorded."""
    found = find_subject(reference)
    if scope.subject_id is not None and (found is None or not scope.allows_subject(found.pk)):
        trail.note_refusal(
            Event.ACCESS_DENIED, scope=scope, kind="subject", outcome=Outcome.DENIED, reason=NotFound.code
        )
        raise NotFound
    if found is not None and found.erased_at is not None:
        trail.note_refusal(Event.SESSION_STARTED, scope=scope, kind="subject", reason=SubjectErased.code)
        raise SubjectErased
    return found.pk if found else None
