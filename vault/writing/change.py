"""Changing a memory: a change screens again and writes a version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import InvalidField, InvalidTransition, StaleVersion
from vault.keys import key_vault
from vault.models import Memory, Subject
from vault.retrieval.opening import name_memories
from vault.retrieval.read import find_memory, get_memory
from vault.retrieval.records import Content, OpenedMemory
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.screening import redact
from vault.types import Action, Kind, MemoryDraft, Resolution, Source, SourceType, Status, Trust, Verdict
from vault.writing.contested import inherit_conflicts, open_conflicts, review_conflicts
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground
from vault.writing.judge import embed_or_none, judge
from vault.writing.locks import lock_subject
from vault.writing.neighbours import find_neighbours
from vault.writing.patterns import count_hits
from vault.writing.pipeline import Remember, note_quarantine
from vault.writing.reconcile import Reconciliation, reconcile
from vault.writing.reconciling.opinion import NO_OPINIONS, Opinions
from vault.writing.results import WriteResult
from vault.writing.second_opinion import second_opinions
from vault.writing.set_aside import set_aside
from vault.writing.settle import retire
from vault.writing.store import has_twin
from vault.writing.trust import require_trust
from vault.writing.withdrawal import is_withdrawn, wholes_of, withdraw_consolidated

CHANGEABLE = frozenset(
    {"text", "importance", "attribute", "kind", "volatile", "occurred_at", "expires_at", "metadata"}
)

DESTROYED = "The content of the memory was destroyed."
PARTS_STAND = "The content of the memory was destroyed; its originals (`derived_from`) can be restored."
SAID_ALREADY = "Another active memory of the subject says the same already."


def change_memory(
    *,
    memory_id: UUID,
    changes: Mapping[str, Any],
    expected_version: int,
    reason: str,
    scope: Scope,
    remember: Remember | None = None,
) -> WriteResult:
    """Write the next version of a memory with some fields replaced; the whole of it is screened again.

    `reason` is a code; `remember` is called inside the transaction that stores. Raises NotFound, StaleVersion,
    SecretDetected, CategoryNotAllowed, and InvalidField when the text is already there as another memory.
    """
    if not set(changes) <= CHANGEABLE:
        raise InvalidField("This field cannot be changed.", pointer="/")
    before = get_memory(memory_id=memory_id, scope=scope, right=Right.MEMORY_WRITE)
    if before.row.version != expected_version:
        raise StaleVersion
    namespace = scope.namespace(before.namespace, Right.MEMORY_WRITE)
    require_trust(Trust(before.row.trust), ceiling=namespace.max_trust)
    trust = Trust(before.row.trust)
    draft = _draft_with(before, changes)
    verdict = judge(draft, trust=trust, namespace=namespace, scope=scope)
    masked, findings = redact(draft, verdict.findings)
    vector = before.content.vector
    if verdict.action is not Action.QUARANTINE and masked.text != before.content.text:
        vector = embed_or_none(masked.text)
    opinions = NO_OPINIONS
    if verdict.action is not Action.QUARANTINE and masked.text != before.content.text:
        opinions = second_opinions(
            masked, vector, trust=trust, namespace=namespace, scope=scope, leaving=memory_id
        )
    with transaction.atomic(durable=True):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        if verdict.action is Action.QUARANTINE:
            result = _set_change_aside(draft, verdict, memory, subject, trust=trust, scope=scope)
        else:
            memory.trust = trust.value
            content = Content(
                masked.text, masked.attribute, masked.source.ref, masked.metadata, tuple(findings), vector
            )
            result = _write(
                masked,
                content,
                memory,
                subject,
                reason=reason,
                verdict=verdict,
                namespace=namespace,
                scope=scope,
                opinions=opinions,
            )
        if remember is not None:
            remember(result)
    return result


def lock_memory(memory_id: UUID, *, expected_version: int, scope: Scope) -> tuple[Memory, Subject]:
    """Lock a memory's subject and read the memory again under the lock; rows stay open to the scope.

    Raises NotFound, SubjectErased, StaleVersion when somebody else was first, and InvalidTransition when its
    content was destroyed.
    """
    memory, _ = find_memory(memory_id=memory_id, scope=scope, right=Right.MEMORY_WRITE)
    subject = lock_subject(memory.subject_id)
    memory.refresh_from_db()
    if memory.version != expected_version:
        raise StaleVersion
    if memory.destroyed_at is not None:
        raise InvalidTransition(PARTS_STAND if is_withdrawn(memory) else DESTROYED)
    return memory, subject


def _draft_with(before: OpenedMemory, changes: Mapping[str, Any]) -> MemoryDraft:
    row, content = before.row, before.content
    draft = MemoryDraft(
        subject=before.subject,
        namespace=before.namespace,
        text=content.text,
        source=Source(SourceType(row.source_type), content.source_ref, before.agent),
        kind=Kind(row.kind),
        attribute=content.attribute,
        importance=row.importance,
        volatile=row.volatile,
        occurred_at=row.occurred_at,
        expires_at=row.expires_at,
        metadata=content.metadata,
    )
    return replace(draft, **changes)


def _write(
    draft: MemoryDraft,
    content: Content,
    memory: Memory,
    subject: Subject,
    *,
    reason: str,
    verdict: Verdict,
    namespace: GrantedNamespace,
    scope: Scope,
    opinions: Opinions,
) -> WriteResult:
    ground = Ground(subject, key_vault().subject(subject.pk), scope, timezone.now())
    is_another = _is_another_statement(memory, draft, keys=ground.keys)
    ends = draft.expires_at != memory.expires_at
    if is_another or ends or bool(draft.volatile) != memory.volatile:
        _stand_alone(memory, ground=ground)
    if ends:
        memory.life_days, memory.life_extends = None, False
    memory.kind = draft.kind.value
    memory.importance = draft.importance
    memory.volatile = bool(draft.volatile)
    memory.occurred_at = draft.occurred_at
    memory.expires_at = draft.expires_at
    _refuse_second_copy(memory, content, keys=ground.keys)
    decided = Reconciliation(Resolution.CREATE)
    if is_another and memory.status == Status.ACTIVE:
        decided = _reconciled(draft, content, memory, namespace=namespace, ground=ground, opinions=opinions)
    replaced = retire(decided.superseded, ground=ground, sealed=namespace.sealed)
    ground.write(memory, content, reason=reason, sealed=namespace.sealed)
    Memory.objects.filter(pk__in=replaced).update(superseded_by=memory)
    conflicts = open_conflicts(memory, decided.conflicts, ground=ground)
    inherited = inherit_conflicts(memory, content, replaced, ground=ground)
    reviewed = review_conflicts(memory, content, ground=ground) if is_another else ()
    conflicts = tuple(dict.fromkeys((*conflicts, *inherited, *reviewed)))
    ground.note(
        Event.MEMORY_CHANGED, memory, reason=reason, version=memory.version, findings=len(verdict.findings),
        superseded=len(replaced), conflicts=len(conflicts), **count_hits(verdict),
    )  # fmt: skip
    named = name_memories([(memory, content)], subject=subject)[0]
    return WriteResult(
        "changed", verdict, memory=named, superseded=decided.superseded, conflicts=conflicts,
        reconciled_by=opinions.by, fallback=opinions.fallback,
    )  # fmt: skip


def _stand_alone(memory: Memory, *, ground: Ground) -> None:
    """Take it out of what it was put together into: what it says, or for how long, is another matter now."""
    if wholes_of(memory) and memory.status == Status.ARCHIVED:
        memory.status = Status.ACTIVE.value
    withdraw_consolidated(memory, ground=ground)


def _is_another_statement(memory: Memory, draft: MemoryDraft, *, keys: SubjectKeys) -> bool:
    """Whether the draft says something else than the row: other words, another slot, kind or time."""
    slot = keys.slot_hash(draft.attribute) if draft.attribute else None
    standing = None if memory.attribute_hash is None else bytes(memory.attribute_hash)
    return keys.fingerprint(same_statement_form(draft.text)) != bytes(memory.fingerprint) or (
        slot,
        draft.kind.value,
        draft.occurred_at,
    ) != (standing, memory.kind, memory.occurred_at)


def _reconciled(
    draft: MemoryDraft, content: Content, memory: Memory, *, namespace: GrantedNamespace, ground: Ground,
    opinions: Opinions,
) -> Reconciliation:  # fmt: skip
    """What the changed statement does to the others: just what it would do if it were written now.

    Raises InvalidField when another memory says it already, in whatever words.
    """
    neighbours = find_neighbours(
        draft, content.vector, subject=ground.subject, namespace_id=namespace.id, sealed=namespace.sealed,
        now=ground.now, keys=ground.keys, leaving=memory.pk,
    )  # fmt: skip
    decided = reconcile(
        draft.text, Trust(memory.trust), neighbours, kind=draft.kind, occurred_at=draft.occurred_at,
        opinions=opinions,
    )  # fmt: skip
    if decided.merged is not None:
        raise InvalidField(SAID_ALREADY, pointer="/text")
    return decided


def _refuse_second_copy(memory: Memory, content: Content, *, keys: SubjectKeys) -> None:
    fingerprint = keys.fingerprint(same_statement_form(content.text))
    if memory.status == Status.ACTIVE and has_twin(memory, fingerprint):
        raise InvalidField(SAID_ALREADY, pointer="/text")


def _set_change_aside(
    draft: MemoryDraft, verdict: Verdict, memory: Memory, subject: Subject, *, trust: Trust, scope: Scope
) -> WriteResult:
    keys = key_vault().subject(subject.pk)
    write = set_aside(
        draft, verdict, subject=subject, namespace_id=memory.namespace_id, agent_id=scope.agent_id, trust=trust,
        now=timezone.now(), keys=keys, memory_id=memory.pk,
    )  # fmt: skip
    note_quarantine(write, verdict, scope=scope, subject_ref=keys.audit_reference)
    return WriteResult("quarantined", verdict, quarantined=write)
