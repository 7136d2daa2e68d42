"""Consolidation: many small memories become fewer, extractive, screened, linked to their originals, undoable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.errors import CategoryNotAllowed, InvalidTransition, SecretDetected, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.retention import lock_unheld
from vault.lifecycle.upkeep.clustering import RELATED_MATTER, SAME_MATTER
from vault.lifecycle.upkeep.merged import merged_content, merged_draft, merged_row
from vault.lifecycle.upkeep.proposing import Proposal, eligible, propose
from vault.models import Memory
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.screening import redact
from vault.types import Action, Finding, MemoryDraft, Status, Trust
from vault.writing.cap import require_room
from vault.writing.change import lock_memory
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground, move_status
from vault.writing.judge import embed_or_none, judge
from vault.writing.store import has_twin, store_memory
from vault.writing.withdrawal import CONSOLIDATED, bring_back, parents_of


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of a run: the memories it made, and how many proposals were left alone."""

    made: tuple[UUID, ...]
    left: int


@dataclass(frozen=True, slots=True)
class _Ready:
    proposal: Proposal
    draft: MemoryDraft
    findings: tuple[Finding, ...]
    vector: NDArray[np.float32]


def consolidate_subject(
    *,
    subject_id: UUID,
    scope: Scope,
    settled_by: datetime,
    same_matter: float = SAME_MATTER,
    namespaces: Sequence[int] | None = None,
) -> Consolidated:
    """Put together what `propose` finds; each proposal commits by itself, so that a second run goes on.

    Raises as `propose`. A proposal whose text screening would not let pass, or whose memories changed meanwhile,
    is left alone.
    """
    proposals = propose(
        subject_id=subject_id, scope=scope, settled_by=settled_by, same_matter=same_matter,
        namespaces=namespaces,
    )  # fmt: skip
    made = []
    for proposal in proposals:
        ready = _make_ready(proposal, scope)
        stored = _put_together(ready, subject_id, scope) if ready else None
        if stored is not None:
            made.append(stored)
    return Consolidated(tuple(made), len(proposals) - len(made))


def consolidate_now(*, subject_id: UUID, scope: Scope) -> Consolidated:
    """Put together what is related on the word of staff, who have seen which. Raises as `consolidate_subject`."""
    require_staff(scope)
    with refusals_noted(Event.CONSOLIDATION_DONE, scope=scope, kind="subject"):
        return consolidate_subject(
            subject_id=subject_id, scope=scope, settled_by=timezone.now(), same_matter=RELATED_MATTER
        )


def undo_consolidation(*, memory_id: UUID, expected_version: int, reason: str, scope: Scope) -> int:
    """Make the originals active again and forget what was put together; returns how many came back. Staff only.

    Raises NotFound, StaleVersion, CapReached, and InvalidTransition when it is not a standing consolidation.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.CONSOLIDATION_UNDONE, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        if not memory.consolidated or memory.status != Status.ACTIVE:
            raise InvalidTransition
        ground = Ground(subject, key_vault().subject(subject.pk), scope, timezone.now())
        require_room(namespace=memory.namespace, ground=ground, coming=len(parents_of(memory)) - 1)
        return len(bring_back(memory, ground=ground, reason=reason))


def _make_ready(proposal: Proposal, scope: Scope) -> _Ready | None:
    """Screen and embed, before any transaction: side by side, statements may say what none of them says."""
    draft = merged_draft(proposal)
    place = proposal.namespace
    namespace = GrantedNamespace(
        place.pk, place.name, frozenset(), Trust.VERIFIED, place.sealed, place.policy, place.policy_version
    )
    try:
        verdict = judge(draft, trust=proposal.trust, namespace=namespace, scope=scope)
    except (SecretDetected, CategoryNotAllowed):
        return None
    masked, findings = redact(draft, verdict.findings)
    vector = embed_or_none(masked.text)
    # What screening would mask now was let pass then; the originals stay as they are.
    if verdict.action is Action.QUARANTINE or masked.text != draft.text or vector is None:
        return None
    return _Ready(proposal, draft, tuple(findings), vector)


def _put_together(ready: _Ready, subject_id: UUID, scope: Scope) -> UUID | None:
    proposal = ready.proposal
    with transaction.atomic(durable=True):
        try:
            subject = lock_unheld(subject_id)
        except SubjectErased:
            return None
        if subject is None or subject.restricted_at is not None:
            return None
        ground = Ground(subject, key_vault().subject(subject.pk), scope, timezone.now())
        rows = _unchanged(proposal, ground)
        memory = merged_row(proposal, rows, subject=subject, now=ground.now)
        if not rows or has_twin(memory, ground.keys.fingerprint(same_statement_form(ready.draft.text))):
            return None
        return _store(ready, memory, rows, ground)


def _unchanged(proposal: Proposal, ground: Ground) -> list[Memory]:
    """The parents as they stand under the lock; empty when any of them is not what was read."""
    seen = {parent.row.pk: parent.row.version for parent in proposal.parents}
    rows = eligible(ground.now).filter(pk__in=seen, subject=ground.subject).order_by("created_at", "pk")
    found = [row for row in rows if row.version == seen[row.pk]]
    return found if len(found) == len(seen) else []


def _store(ready: _Ready, memory: Memory, rows: list[Memory], ground: Ground) -> UUID:
    sealed = ready.proposal.namespace.sealed
    move_status(
        rows, Status.ARCHIVED, event=Event.MEMORY_ARCHIVED, reason=CONSOLIDATED, ground=ground, sealed=sealed,
        into=str(memory.pk),
    )  # fmt: skip
    content = merged_content(ready.proposal, ready.draft, findings=ready.findings, vector=ready.vector)
    store_memory(
        memory, content, subject=ground.subject, author=ground.scope.author, reason_code=CONSOLIDATED,
        now=ground.now, sealed=sealed, keys=ground.keys,
    )  # fmt: skip
    ground.note(Event.CONSOLIDATION_DONE, memory, parents=len(rows), trust=memory.trust)
    return memory.pk
