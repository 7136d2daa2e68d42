"""From a credential to its scope, once per call; nothing in the request can widen it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from audit.log import Actor
from vault.models import AgentToken, Grant, SubjectToken
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.types import Trust

KNOWN_RIGHTS = frozenset(right.value for right in Right)


def scope_of_agent_token(token: AgentToken, *, now: datetime, request_id: str) -> Scope:
    """All live grants of the agent."""
    return Scope(
        actor=Actor("agent", str(token.agent_id)),
        namespaces=tuple(_live_grants(token.agent_id, now)),
        agent_id=token.agent_id,
        agent_name=token.agent.name,
        request_id=request_id,
    )


def scope_of_subject_token(token: SubjectToken, *, now: datetime, request_id: str) -> Scope:
    """The live grants of the agent that issued it, cut down to the token's own rights and its one subject."""
    own = _rights(token.scopes)
    return Scope(
        actor=Actor("subject_token", str(token.pk)),
        namespaces=tuple(replace(n, rights=n.rights & own) for n in _live_grants(token.agent_id, now)),
        agent_id=token.agent_id,
        agent_name=token.agent.name,
        subject_id=token.subject_id,
        request_id=request_id,
    )


def _live_grants(agent_id: UUID, now: datetime) -> Iterable[GrantedNamespace]:
    live = Q(suspended_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    for grant in (
        Grant.objects.filter(live, agent_id=agent_id).select_related("namespace").order_by("namespace_id")
    ):
        namespace = grant.namespace
        yield GrantedNamespace(
            id=namespace.pk,
            name=namespace.name,
            rights=_rights(grant.scopes),
            max_trust=Trust(grant.max_trust),
            sealed=namespace.sealed,
            policy=namespace.policy,
            policy_version=namespace.policy_version,
        )


def _rights(words: Iterable[str]) -> frozenset[Right]:
    return frozenset(Right(word) for word in words if word in KNOWN_RIGHTS)
