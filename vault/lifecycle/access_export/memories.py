"""Memories with their whole history, told from their immutable versions as they stood at the file's moment."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from vault.errors import IntegrityFault
from vault.lifecycle.access_export.collecting import (
    UNREADABLE,
    Collector,
    Look,
    Page,
    Place,
    Record,
    ids,
    instant,
    next_rows,
    told,
)
from vault.models import Memory, MemoryVersion
from vault.retrieval.opening import open_version
from vault.types import Status


def served(look: Look, after: Place | None) -> Page:
    """What is in use: active, and its time not up."""
    return _page(look, after, wanted=True)


def not_served(look: Look, after: Place | None) -> Page:
    """What is kept and in no answer: superseded, expired, forgotten, archived; each says which."""
    return _page(look, after, wanted=False)


def status_of(version: MemoryVersion, look: Look) -> Status:
    """The status at the file's moment: a memory whose time is up has expired, whether or not a job has met it."""
    due = version.expires_at is not None and version.expires_at <= look.as_of
    return Status.EXPIRED if due and version.status == Status.ACTIVE else Status(version.status)


def _page(look: Look, after: Place | None, *, wanted: bool) -> Page:
    memories, place = next_rows(Memory.objects.filter(look.covered()), after)
    history = _versions(memories, look)
    records = tuple(
        _record(memory, history[memory.pk], look)
        for memory in memories
        if history[memory.pk] and (status_of(history[memory.pk][-1], look) is Status.ACTIVE) is wanted
    )
    return Page(records, place, sum(UNREADABLE in version for r in records for version in r["versions"]))


def _versions(memories: list[Memory], look: Look) -> dict[UUID, list[MemoryVersion]]:
    found: dict[UUID, list[MemoryVersion]] = {memory.pk: [] for memory in memories}
    rows = MemoryVersion.objects.filter(memory_id__in=found, written_at__lte=look.as_of)
    for row in rows.order_by("memory_id", "number"):
        found[row.memory_id].append(row)
    return found


def _record(memory: Memory, history: list[MemoryVersion], look: Look) -> Record:
    versions = [_version(row, look) for row in history]
    last, row = versions[-1], history[-1]
    return {
        "id": str(memory.pk),
        "namespace": look.names.namespace(memory.namespace_id),
        "status": status_of(row, look).value,
        **{name: last.get(name) for name in ("text", "attribute", "kind", "importance", "trust", "source")},
        "volatile": row.volatile,
        "occurred_at": instant(row.occurred_at),
        "created_at": instant(row.created_at),
        "expires_at": instant(row.expires_at),
        "metadata": last.get("metadata"),
        "findings": last.get("findings"),
        "session": str(memory.session_id) if memory.session_id else None,
        "superseded_by": str(memory.superseded_by_id) if memory.superseded_by_id else None,
        "derived_from": ids(memory.derived_from),
        "seen_count": memory.seen_count,
        "use_count": memory.use_count,
        "last_used_at": instant(memory.last_used_at),
        "versions": versions,
    }


def _version(row: MemoryVersion, look: Look) -> dict[str, Any]:
    """One version with who wrote it, why and when; one that was altered, or destroyed by policy, says so."""
    facts = {
        "version": row.number,
        "author": look.names.author(row.author),
        "reason": row.reason_code,
        "written_at": instant(row.written_at),
    }
    if not row.ciphertext:
        return {**facts, "destroyed": True}
    try:
        content = open_version(row, keys=look.keys).content
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}
    return {
        **facts,
        "text": content.text,
        "attribute": content.attribute or None,
        "kind": row.kind,
        "importance": row.importance,
        "trust": row.trust,
        "status": row.status,
        "source": {
            "type": row.source_type,
            "ref": content.source_ref,
            "agent": look.names.agent(row.agent_id),
        },
        "metadata": dict(content.metadata),
        "findings": told(content.findings),
    }


STORES = ("memories", "versions")
SERVED = Collector(
    "memories", "Memories in use", "What the vault may give to an agent about you.", STORES, served
)
NOT_SERVED = Collector(
    "not_served",
    "Memories that are kept and not used",
    "Replaced, expired, forgotten or merged: kept for the history, and in no answer to an agent.",
    STORES,
    not_served,
)
