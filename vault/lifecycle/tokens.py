"""Agents, their grants and their credentials. A credential is shown once; only its keyed digest is kept."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action
from audit.log import Actor, Target, record
from vault.errors import InvalidField, ScopeMissing
from vault.keys import key_vault
from vault.models import Agent, AgentToken, Grant, Namespace, Subject, SubjectToken
from vault.retrieval import trail
from vault.retrieval.scope import Right, Scope
from vault.types import Trust
from vault.writing.locks import lock_or_create_subject

AGENT_PREFIX = "mv_"
SUBJECT_PREFIX = "mvs_"
TOKEN_BYTES = 32
# What reaches beyond one subject is never carried by a token that is bound to one.
NOT_FOR_SUBJECTS = frozenset({Right.TOKEN_ISSUE, Right.AUDIT_READ, Right.MEMORY_IMPORT})


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A subject token as its issuer gets it, the only time that it is seen."""

    token: str
    subject: str
    subject_id: UUID
    scopes: tuple[Right, ...]
    expires_at: datetime


def create_agent(*, name: str, actor: Actor) -> Agent:
    """The agent of this name, made if it is new."""
    with transaction.atomic(durable=True):
        agent, created = Agent.objects.get_or_create(name=name)
        if created:
            record(Action.AGENT_CREATED, actor=actor, target=Target("agent", str(agent.pk)))
    return agent


def grant(*, agent: Agent, namespace: str, scopes: Iterable[Right], max_trust: Trust, actor: Actor) -> Grant:
    """Give an agent these rights on a namespace, in the place of those it had; makes the namespace if new."""
    rights = sorted(set(scopes))
    with transaction.atomic(durable=True):
        place, created = Namespace.objects.get_or_create(name=namespace)
        if created:
            record(Action.NAMESPACE_CREATED, actor=actor, target=Target("namespace", str(place.pk)))
        given, _ = Grant.objects.update_or_create(
            agent=agent,
            namespace=place,
            defaults={"scopes": rights, "max_trust": max_trust.value, "suspended_at": None},
        )
        record(
            Action.GRANT_CHANGED, actor=actor, target=Target("grant", str(given.pk)),
            reason=max_trust.value, scopes=len(rights),
        )  # fmt: skip
    return given


def issue_agent_token(
    *, agent: Agent, namespace: str, scopes: Iterable[Right], max_trust: Trust, actor: Actor
) -> str:
    """Grant the rights on the namespace and make a credential that carries all grants of the agent."""
    grant(agent=agent, namespace=namespace, scopes=scopes, max_trust=max_trust, actor=actor)
    token = AGENT_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic(durable=True):
        row = AgentToken.objects.create(agent=agent, token_hash=key_vault().token_hash(token))
        record(Action.AGENT_TOKEN_CREATED, actor=actor, target=Target("agent_token", str(row.pk)))
    return token


def issue_subject_token(
    *, subject: str, scopes: Iterable[Right], ttl_seconds: int, scope: Scope
) -> IssuedToken:
    """Make a short-lived credential for one subject, never wider than its issuer.

    A subject that is new gets its row and key. Raises ScopeMissing when the issuer lacks `token:issue` or a
    right that it would hand on, InvalidField for a right that no subject token can carry, SubjectErased.
    """
    rights = tuple(sorted(set(scopes)))
    issuer = _issuer(rights, scope)
    token = SUBJECT_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    expires_at = timezone.now() + timedelta(seconds=ttl_seconds)
    keys = key_vault()
    with transaction.atomic(durable=True):
        found = lock_or_create_subject(subject, keys=keys)
        row = _store(token, found, rights, expires_at, issuer)
        trail.note(
            Action.SUBJECT_TOKEN_ISSUED, scope=scope, kind="subject_token", target=row.pk,
            subject_ref=keys.subject(found.pk).audit_reference, ttl_seconds=ttl_seconds, scopes=len(rights),
        )  # fmt: skip
    return IssuedToken(token, subject, found.pk, rights, expires_at)


def _issuer(rights: tuple[Right, ...], scope: Scope) -> UUID:
    """The agent that may issue: it holds every right it hands on, and is not bound to a subject itself."""
    scope.require(Right.TOKEN_ISSUE)
    if scope.subject_id is not None or scope.agent_id is None:
        raise ScopeMissing
    if NOT_FOR_SUBJECTS & set(rights):
        raise InvalidField("A subject token cannot carry this scope.", pointer="/scopes")
    for right in rights:
        scope.require(right)
    return scope.agent_id


def _store(
    token: str, subject: Subject, rights: tuple[Right, ...], expires_at: datetime, issuer: UUID
) -> SubjectToken:
    return SubjectToken.objects.create(
        agent_id=issuer,
        subject_id=subject.pk,
        token_hash=key_vault().token_hash(token),
        scopes=list(rights),
        expires_at=expires_at,
    )
