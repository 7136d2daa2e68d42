"""Drafts and scopes for tests, built the way the API builds them."""

from __future__ import annotations

from typing import Any

from audit.log import Actor
from vault.models import Agent, Namespace
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.types import MemoryDraft, Source, SourceType, Trust


def make_agent_scope(
    *names: str,
    agent: str = "support-bot",
    max_trust: Trust = Trust.VERIFIED,
    rights: frozenset[Right] | None = None,
) -> Scope:
    """The scope of an agent with all rights, or the given ones, on the named namespaces (`default` when none)."""
    row, _ = Agent.objects.get_or_create(name=agent)
    given = rights if rights is not None else frozenset(Right)
    places = [Namespace.objects.get_or_create(name=name)[0] for name in names or ("default",)]
    namespaces = tuple(
        GrantedNamespace(n.pk, n.name, given, max_trust, n.sealed, n.policy, n.policy_version) for n in places
    )
    return Scope(
        Actor("agent", str(row.pk)), namespaces, agent_id=row.pk, agent_name=agent, request_id="test"
    )


def make_draft(text: str, subject: str = "S1", **fields: Any) -> MemoryDraft:
    """A draft stated by a user, unless `source` (a SourceType) or `ref` say otherwise."""
    source = Source(fields.pop("source", SourceType.USER), fields.pop("ref", ""), "support-bot")
    return MemoryDraft(
        subject=subject, namespace=fields.pop("namespace", "default"), text=text, source=source, **fields
    )
