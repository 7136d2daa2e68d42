"""From a validated body to the values that the services take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vault.retrieval.candidates import Window
from vault.retrieval.scope import Right, Scope
from vault.retrieval.score import Weights
from vault.retrieval.search import SearchQuery
from vault.types import Kind, MemoryDraft, Source, SourceType

DEFAULT_NAMESPACE = "default"


def draft_from(body: Mapping[str, Any], *, scope: Scope) -> MemoryDraft:
    """One draft. Without a source it is the agent's own statement, so it is trusted as an inference."""
    source = body.get("source") or {"type": SourceType.AGENT, "ref": ""}
    return MemoryDraft(
        subject=body["subject"],
        namespace=body.get("namespace") or default_namespace(scope),
        text=body["text"],
        source=Source(source["type"], source["ref"], scope.agent_name),
        kind=body["kind"],
        attribute=body.get("attribute") or "",
        importance=body["importance"],
        trust=body.get("trust"),
        volatile=body.get("volatile"),
        occurred_at=body.get("occurred_at"),
        expires_at=body.get("expires_at"),
        created_at=body.get("created_at"),
        supersedes=tuple(dict.fromkeys(body.get("supersedes", ()))),
        metadata=body.get("metadata", {}),
        session=body.get("session"),
    )


def default_namespace(scope: Scope, right: Right = Right.MEMORY_WRITE) -> str:
    """The only namespace in which the credential has this right; `default` when there are several."""
    writable = scope.require(right)
    return writable[0].name if len(writable) == 1 else DEFAULT_NAMESPACE


def changes_from(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to replace; a null attribute is an empty one."""
    changes = {name: value for name, value in body.items() if name != "reason"}
    if "attribute" in changes:
        changes["attribute"] = changes["attribute"] or ""
    return changes


def query_from(body: Mapping[str, Any]) -> SearchQuery:
    """One search. Raises InvalidField when all weights are zero."""
    return SearchQuery(
        subject=body["subject"],
        query=body["query"],
        k=body.get("k"),
        namespaces=tuple(body["namespaces"]) if "namespaces" in body else None,
        kinds=tuple(body["kinds"]) if "kinds" in body else None,
        min_trust=body.get("min_trust"),
        min_similarity=body.get("min_similarity"),
        attribute=body.get("attribute"),
        created=Window(body.get("created_after"), body.get("created_before")),
        occurred=Window(body.get("occurred_after"), body.get("occurred_before")),
        mode=body.get("mode"),
        weights=Weights(**body["weights"]) if "weights" in body else None,
        half_life_days=body.get("half_life_days"),
        decay=body.get("decay"),
        as_of=body.get("as_of"),
        transform=body["transform"],
        session=body.get("session"),
    )


def per_kind_from(body: Mapping[str, Any]) -> dict[Kind, int] | None:
    """How many memories of each kind a context block takes at most; None when the body does not say."""
    return {Kind(name): count for name, count in body["per_kind"].items()} if "per_kind" in body else None
