"""The transaction of a write: reconcile with what is there, seal, store, record.

Used by the pipeline for a draft that passed, and by review for one that a person let through.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import F, Q
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.keys import key_vault
from vault.models import Conflict, Memory, Subject, isolation
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.opening import current_versions, name_memories, open_content, open_memories
from vault.retrieval.records import Content
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.types import Finding, MemoryDraft, Resolution, Status, Trust, Verdict
from vault.writing.fingerprint import same_statement_form
from vault.writing.locks import lock_or_create_subject
from vault.writing.neighbours import find_neighbours
from vault.writing.patterns import count_hits
from vault.writing.reconcile import Reconciliation, reconcile
from vault.writing.results import WriteResult
from vault.writing.store import store_memory, write_version


@dataclass(frozen=True, slots=True)
class Landing:
    """A draft that may be stored: masked, embedded, its trust settled."""

    draft: MemoryDraft
    findings: tuple[Finding, ...]
    vector: NDArray[np.float32] | None
    trust: Trust
    namespace: GrantedNamespace


@dataclass(frozen=True, slots=True)
class Ground:
    """The locked subject that a landing comes down on."""

    subject: Subject
    keys: SubjectKeys
    scope: Scope
    now: datetime


def land(landing: Landing, *, verdict: Verdict, scope: Scope, now: datetime) -> WriteResult:
    """Store a draft in the caller's transaction. Raises SubjectErased, InvalidField."""
    keys = key_vault()
    subject = lock_or_create_subject(landing.draft.subject, keys=keys)
    isolation.open_subject(subject.pk, namespaces=[landing.namespace.id])
    ground = Ground(subject, keys.subject(subject.pk), scope, now)
    _settle_expired(landing, ground)
    neighbours = find_neighbours(
        landing.draft, landing.vector, subject=subject, namespace_id=landing.namespace.id,
        sealed=landing.namespace.sealed, now=now, keys=ground.keys,
    )  # fmt: skip
    draft = landing.draft
    decided = reconcile(draft.text, landing.trust, neighbours, kind=draft.kind, occurred_at=draft.occurred_at)
    if decided.merged is not None:
        return _merge(decided.merged, ground, verdict)
    return _store(landing, decided, ground, verdict)


def _merge(merged: UUID, ground: Ground, verdict: Verdict) -> WriteResult:
    """The statement is known: its dates and its count move, nothing else."""
    known = Memory.objects.filter(pk=merged)
    known.update(seen_count=F("seen_count") + 1, updated_at=ground.now)
    memory = known.get()
    _note(Event.MEMORY_MERGED, memory, ground, verdict, resolution=Resolution.MERGE)
    return WriteResult("merged", verdict, memory=open_memories([memory], subject=ground.subject)[0])


def _store(landing: Landing, decided: Reconciliation, ground: Ground, verdict: Verdict) -> WriteResult:
    draft = landing.draft
    memory = Memory(
        id=new_id(),
        subject=ground.subject,
        namespace_id=landing.namespace.id,
        kind=draft.kind.value,
        source_type=draft.source.type.value,
        agent_id=ground.scope.agent_id,
        trust=landing.trust.value,
        status=Status.ACTIVE.value,
        importance=draft.importance,
        volatile=bool(draft.volatile),
        occurred_at=draft.occurred_at,
        expires_at=draft.expires_at,
        created_at=draft.created_at or ground.now,
        session_id=draft.session,
    )
    content = Content(
        draft.text, draft.attribute, draft.source.ref, draft.metadata, landing.findings, landing.vector
    )
    replaced = _retire(decided, landing, ground)
    store_memory(
        memory, content, subject=ground.subject, author=ground.scope.author, reason_code="created",
        now=ground.now, sealed=landing.namespace.sealed, keys=ground.keys,
    )  # fmt: skip
    Memory.objects.filter(pk__in=replaced).update(superseded_by=memory)
    conflicts = [
        Conflict(
            id=new_id(),
            subject=ground.subject,
            namespace_id=landing.namespace.id,
            standing_id=standing,
            challenger=memory,
        )
        for standing in decided.conflicts
    ]
    Conflict.objects.bulk_create(conflicts)
    _note(
        Event.MEMORY_WRITTEN, memory, ground, verdict, resolution=decided.resolution,
        superseded=len(replaced), conflicts=len(conflicts),
    )  # fmt: skip
    named = name_memories([(memory, content)], subject=ground.subject)[0]
    return WriteResult(
        "created", verdict, memory=replace(named, supersedes=decided.superseded),
        superseded=decided.superseded, conflicts=tuple(c.pk for c in conflicts),
    )  # fmt: skip


def _retire(decided: Reconciliation, landing: Landing, ground: Ground) -> list[UUID]:
    """Give each superseded memory a last version of that status; it leaves every search."""
    rows = list(Memory.objects.filter(pk__in=decided.superseded))
    _write_status(rows, Status.SUPERSEDED, "superseded", landing, ground)
    return [row.pk for row in rows]


def _settle_expired(landing: Landing, ground: Ground) -> None:
    """Memories whose time is up but that no job has met yet must not stand in a new statement's way."""
    fingerprint = ground.keys.fingerprint(same_statement_form(landing.draft.text))
    rows = list(
        Memory.objects.filter(
            Q(fingerprint=fingerprint),
            subject=ground.subject,
            namespace_id=landing.namespace.id,
            status=Status.ACTIVE,
            expires_at__lte=ground.now,
        )
    )
    _write_status(rows, Status.EXPIRED, "expired", landing, ground)


def _write_status(rows: list[Memory], status: Status, reason: str, landing: Landing, ground: Ground) -> None:
    versions = current_versions(rows)
    for row in rows:
        content = open_content(row, versions[row.pk], keys=ground.keys)
        row.status = status.value
        write_version(
            row, content, subject=ground.subject, author=ground.scope.author, reason_code=reason,
            now=ground.now, sealed=landing.namespace.sealed, keys=ground.keys,
        )  # fmt: skip
        event = Event.MEMORY_SUPERSEDED if status is Status.SUPERSEDED else Event.MEMORY_EXPIRED
        trail.note(
            event, scope=ground.scope, kind="memory", target=row.pk, subject_ref=ground.keys.audit_reference
        )


def _note(
    event: Event,
    memory: Memory,
    ground: Ground,
    verdict: Verdict,
    *,
    resolution: Resolution,
    superseded: int = 0,
    conflicts: int = 0,
) -> None:
    trail.note(
        event,
        scope=ground.scope,
        kind="memory",
        target=memory.pk,
        subject_ref=ground.keys.audit_reference,
        version=memory.version,
        findings=len(verdict.findings),
        policy_version=verdict.policy_version,
        resolution=resolution.value,
        superseded=superseded,
        conflicts=conflicts,
        **count_hits(verdict),
    )
