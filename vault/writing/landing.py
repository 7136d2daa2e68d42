"""The transaction of a write: reconcile with what is there, seal, store, record.

Used by the pipeline for a draft that passed, and by review for one that a person let through.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
from django.db.models import F, Q
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.keys import key_vault
from vault.models import Memory, Namespace, isolation
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.opening import name_memories, open_memories
from vault.retrieval.records import Content
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.types import Finding, MemoryDraft, Resolution, SourceType, Status, Trust, Verdict
from vault.writing.cap import make_room
from vault.writing.changeable import is_volatile
from vault.writing.contested import inherit_conflicts, open_conflicts
from vault.writing.echo import find_echo
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground, move_status
from vault.writing.lives import life_of, renew, renewed_end
from vault.writing.locks import lock_or_create_subject
from vault.writing.neighbours import find_neighbours
from vault.writing.patterns import count_hits
from vault.writing.reconcile import Reconciliation, reconcile
from vault.writing.reconciling.opinion import NO_OPINIONS, Opinions
from vault.writing.results import WriteResult
from vault.writing.rules import follow_rules
from vault.writing.settle import retire
from vault.writing.store import store_memory
from vault.writing.upkeep_policy import upkeep_in

ECHO = "echo"


@dataclass(frozen=True, slots=True)
class Landing:
    """A draft that may be stored: masked, embedded, its trust settled."""

    draft: MemoryDraft
    findings: tuple[Finding, ...]
    vector: NDArray[np.float32] | None
    trust: Trust
    namespace: GrantedNamespace
    opinions: Opinions = NO_OPINIONS


def land(landing: Landing, *, verdict: Verdict, scope: Scope, now: datetime) -> WriteResult:
    """Store a draft in the caller's transaction.

    Raises SubjectErased, InvalidField, CapReached, and NotWorthKeeping for an echo of what was given up.
    """
    keys = key_vault()
    subject = lock_or_create_subject(landing.draft.subject, keys=keys)
    isolation.open_subject(subject.pk, namespaces=[landing.namespace.id])
    ground = Ground(subject, keys.subject(subject.pk), scope, now)
    _settle_expired(landing, ground)
    draft = follow_rules(landing.draft, verdict, namespace_id=landing.namespace.id, ground=ground)
    landing = replace(landing, draft=draft)
    echo = find_echo(draft, namespace_id=landing.namespace.id, ground=ground)
    if echo is not None:
        return _merge_echo(echo, ground, verdict)
    neighbours = find_neighbours(
        draft, landing.vector, subject=subject, namespace_id=landing.namespace.id,
        sealed=landing.namespace.sealed, now=now, keys=ground.keys,
    )  # fmt: skip
    from_agent = draft.source.type is SourceType.AGENT
    decided = reconcile(
        draft.text, landing.trust, neighbours, kind=draft.kind, occurred_at=draft.occurred_at,
        from_agent=from_agent, opinions=landing.opinions,
    )  # fmt: skip
    result = _carry_out(decided, landing, ground, verdict)
    return replace(result, reconciled_by=landing.opinions.by, fallback=landing.opinions.fallback)


def _carry_out(decided: Reconciliation, landing: Landing, ground: Ground, verdict: Verdict) -> WriteResult:
    if decided.merged is None:
        return _store(landing, decided, ground, verdict)
    known = Memory.objects.get(pk=decided.merged)
    if landing.draft.source.type is SourceType.AGENT and known.last_used_at is not None:
        return _merge_echo(known, ground, verdict)
    return _merge(known, landing, ground, verdict)


def _merge_echo(known: Memory, ground: Ground, verdict: Verdict) -> WriteResult:
    """What the vault served came back: nothing moves, for nobody has said it again."""
    _note(Event.MEMORY_MERGED, known, ground, verdict, resolution=Resolution.MERGE, reason=ECHO)
    return WriteResult("merged", verdict, memory=open_memories([known], subject=ground.subject)[0])


def _merge(memory: Memory, landing: Landing, ground: Ground, verdict: Verdict) -> WriteResult:
    """The statement is known: its dates and its count move, and with them the end of a life that policy gave."""
    end = None if landing.draft.expires_at else renewed_end(memory, ground.now)
    if end is not None:
        renew(memory, end, ground=ground, sealed=landing.namespace.sealed)
    known = Memory.objects.filter(pk=memory.pk)
    known.update(seen_count=F("seen_count") + 1, updated_at=ground.now)
    memory = known.get()
    _note(Event.MEMORY_MERGED, memory, ground, verdict, resolution=Resolution.MERGE)
    return WriteResult("merged", verdict, memory=open_memories([memory], subject=ground.subject)[0])


def _store(landing: Landing, decided: Reconciliation, ground: Ground, verdict: Verdict) -> WriteResult:
    draft, sealed = landing.draft, landing.namespace.sealed
    memory = _row(landing, ground)
    content = Content(
        draft.text, draft.attribute, draft.source.ref, draft.metadata, landing.findings, landing.vector
    )
    replaced = retire(decided.superseded, ground=ground, sealed=sealed)
    # The policy that stands, not the one that the credential was read with: a cap must hold at once.
    place = Namespace.objects.get(pk=landing.namespace.id)
    archived = make_room(namespace=place, ground=ground)
    store_memory(
        memory, content, subject=ground.subject, author=ground.scope.author, reason_code="created",
        now=ground.now, sealed=sealed, keys=ground.keys,
    )  # fmt: skip
    Memory.objects.filter(pk__in=replaced).update(superseded_by=memory)
    conflicts = open_conflicts(memory, decided.conflicts, ground=ground)
    inherited = inherit_conflicts(memory, content, replaced, ground=ground)
    conflicts = tuple(dict.fromkeys((*conflicts, *inherited)))
    _note(
        Event.MEMORY_WRITTEN, memory, ground, verdict, resolution=decided.resolution,
        superseded=len(replaced), conflicts=len(conflicts), archived=len(archived),
    )  # fmt: skip
    named = name_memories([(memory, content)], subject=ground.subject)[0]
    return WriteResult(
        "created", verdict, memory=replace(named, supersedes=decided.superseded),
        superseded=decided.superseded, conflicts=conflicts, archived=archived,
    )  # fmt: skip


def _row(landing: Landing, ground: Ground) -> Memory:
    draft = landing.draft
    life = life_of(draft, upkeep_in(landing.namespace))
    return Memory(
        id=new_id(),
        subject=ground.subject,
        namespace_id=landing.namespace.id,
        kind=draft.kind.value,
        source_type=draft.source.type.value,
        agent_id=ground.scope.agent_id,
        trust=landing.trust.value,
        status=Status.ACTIVE.value,
        importance=draft.importance,
        volatile=is_volatile(draft),
        occurred_at=draft.occurred_at,
        expires_at=draft.expires_at if life is None else ground.now + timedelta(days=life.days),
        created_at=draft.created_at or ground.now,
        session_id=draft.session,
        life_days=None if life is None else life.days,
        life_extends=life is not None and life.extend_on_use,
    )


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
    move_status(
        rows, Status.EXPIRED, event=Event.MEMORY_EXPIRED, reason="expired", ground=ground,
        sealed=landing.namespace.sealed,
    )  # fmt: skip


def _note(
    event: Event,
    memory: Memory,
    ground: Ground,
    verdict: Verdict,
    *,
    resolution: Resolution,
    reason: str = "",
    superseded: int = 0,
    conflicts: int = 0,
    archived: int = 0,
) -> None:
    trail.note(
        event,
        scope=ground.scope,
        kind="memory",
        target=memory.pk,
        subject_ref=ground.keys.audit_reference,
        reason=reason,
        version=memory.version,
        findings=len(verdict.findings),
        policy_version=verdict.policy_version,
        resolution=resolution.value,
        superseded=superseded,
        conflicts=conflicts,
        archived=archived,
        **count_hits(verdict),
    )
