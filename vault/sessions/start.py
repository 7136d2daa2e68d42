"""Starting a session: for a subject that the calling application signed for or names, a visitor, or somebody new.

A visitor is known by the value of a cookie alone: it stands nowhere, and its keyed hash is the visitor's own subject.
A signed assertion goes before a cookie, and joins nothing: that is what a link is for. One that does not hold ends the
call, whatever else was given.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import InvalidField, NotFound, SubjectErased
from vault.keys import key_vault
from vault.models import Session, Subject, isolation
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.asserted import Asserted, assertion_refusals_noted, spend
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.retrieval.subjects import find_subject
from vault.sessions.identity import (
    VISITOR_PREFIX,
    asserted_subject,
    require_assertion,
    session_audience,
)
from vault.sessions.records import SessionView
from vault.sessions.retrieval_moments import START
from vault.writing.locks import lock_or_create_subject

VISITOR_BYTES = 24


def visitor_reference(visitor: str) -> str:
    """The id of a visitor's own subject: a keyed hash of the cookie's value, which cannot be turned back."""
    return VISITOR_PREFIX + key_vault().visitor_hash(visitor).hex()


def start_session(
    *, subject: str = "", visitor: str = "", assertion: str | None = None, namespace: str, scope: Scope,
    remember: Callable[[SessionView], None] | None = None,
) -> SessionView:  # fmt: skip
    """Begin a session. Without a subject or a visitor, a new visitor is made and its cookie's value returned.

    Raises NotFound, SubjectErased, AssertionRefused, and InvalidField: when a subject is named beside a visitor (who
    becomes a subject by a link only), is not the one signed for, or is not signed for where the policy wants that.
    """
    place = scope.namespace(namespace, Right.SESSION_WRITE)
    with assertion_refusals_noted(scope):
        asserted = None
        if assertion is not None:
            asserted = asserted_subject(
                assertion, named=subject, audience=session_audience(place.name), scope=scope
            )
            subject, visitor = asserted.subject, ""
        else:
            require_assertion(place, subject=subject)
        if subject and visitor:
            raise InvalidField("Give a subject or a visitor; a link joins the two.", pointer="/visitor")
        fresh = "" if subject or visitor else secrets.token_urlsafe(VISITOR_BYTES)
        reference = subject or visitor_reference(visitor or fresh)
        _check_subject(reference, scope=scope)
        with transaction.atomic(durable=True):
            owner = lock_or_create_subject(reference, keys=key_vault())
            row = _begin(owner, place, asserted, scope=scope, now=timezone.now())
            view = SessionView(row, reference, place.name, fresh)
            if remember is not None:
                remember(view)
    return view


def _begin(
    owner: Subject, place: GrantedNamespace, asserted: Asserted | None, *, scope: Scope, now: datetime
) -> Session:
    """The session's row with its entry; an assertion is used up with it."""
    subject_ref = key_vault().subject(owner.pk).audit_reference
    if asserted is not None:
        spend(asserted, scope=scope, subject_ref=subject_ref)
    isolation.open_subject(owner.pk, namespaces=[place.id])
    row = Session.objects.create(
        id=new_id(), subject=owner, namespace_id=place.id, agent_id=scope.agent_id, started_at=now,
        last_turn_at=now, idle_until=now + settings.SESSION_IDLE, ends_at=now + settings.SESSION_LIFE,
        retrieve_why=START,
    )  # fmt: skip
    trail.note(
        Event.SESSION_STARTED, scope=scope, kind="session", target=row.pk, subject_ref=subject_ref,
        asserted=asserted is not None,
    )  # fmt: skip
    return row


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
