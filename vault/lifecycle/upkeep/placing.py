"""Putting a whole in the place of its parts: under the subject's lock, of the parts as they were read, and only where
it is found as well as they were."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import StaleVersion, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.retention import lock_unheld
from vault.lifecycle.upkeep.merged import merged_content, merged_row
from vault.lifecycle.upkeep.proposing import Parent, Proposal, eligible
from vault.lifecycle.upkeep.ready import Ready
from vault.lifecycle.upkeep.rehearsing import found_before, is_found_as_well
from vault.models import Memory
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground, move_status
from vault.writing.store import has_twin, store_memory
from vault.writing.withdrawal import CONSOLIDATED

FOUND_WORSE = "found_worse"


class _FoundWorse(Exception):
    """Rolls back what was stored to see how it is found."""


def put_in_place(ready: Ready, *, subject_id: UUID, scope: Scope, reason: str = CONSOLIDATED) -> UUID | None:
    """Store the whole and archive its parts; None where they are to be left as they are.

    That is under a hold or a restriction, after an erasure, when another memory says the same, and when the whole is
    not found where a part was (an entry tells of that). Raises StaleVersion when a part is not what was read.
    """
    try:
        before = found_before(ready.reworded.proposal, subject_id=subject_id)
        with transaction.atomic(durable=True):
            subject = lock_unheld(subject_id)
            if subject is None or subject.restricted_at is not None:
                return None
            ground = Ground(subject, key_vault().subject(subject.pk), scope, timezone.now())
            return _put(ready, before, ground, reason)
    except SubjectErased:
        return None
    except _FoundWorse:
        trail.note_refusal(
            Event.CONSOLIDATION_DONE, scope=scope, kind="subject", outcome=Outcome.SKIPPED, reason=FOUND_WORSE,
            subject_ref=ground.keys.audit_reference, parents=len(ready.reworded.proposal.parents),
        )  # fmt: skip
        return None


def _put(ready: Ready, before: Sequence[Parent], ground: Ground, reason: str) -> UUID | None:
    proposal = ready.reworded.proposal
    rows = _unchanged(proposal, ground)
    memory = merged_row(proposal, rows, subject=ground.subject, now=ground.now)
    if has_twin(memory, ground.keys.fingerprint(same_statement_form(ready.draft.text))):
        return None
    _store(ready, memory, rows, ground, reason)
    if not is_found_as_well(before, memory.pk, namespace=proposal.namespace, ground=ground):
        raise _FoundWorse
    return memory.pk


def _unchanged(proposal: Proposal, ground: Ground) -> list[Memory]:
    """The parents as they stand under the lock. Raises StaleVersion when any of them is not what was read."""
    seen = {parent.row.pk: parent.row.version for parent in proposal.parents}
    rows = eligible(ground.now).filter(pk__in=seen, subject=ground.subject).order_by("created_at", "pk")
    found = [row for row in rows if row.version == seen[row.pk]]
    if len(found) < len(seen):
        raise StaleVersion
    return found


def _store(ready: Ready, memory: Memory, rows: list[Memory], ground: Ground, reason: str) -> None:
    proposal, words = ready.reworded.proposal, ready.reworded
    sealed = proposal.namespace.sealed
    move_status(
        rows, Status.ARCHIVED, event=Event.MEMORY_ARCHIVED, reason=CONSOLIDATED, ground=ground, sealed=sealed,
        into=str(memory.pk),
    )  # fmt: skip
    content = merged_content(proposal, ready.draft, findings=ready.findings, vector=ready.vector)
    store_memory(
        memory, content, subject=ground.subject, author=ground.scope.author, reason_code=reason, now=ground.now,
        sealed=sealed, keys=ground.keys,
    )  # fmt: skip
    ground.note(
        Event.CONSOLIDATION_DONE, memory, reason=reason, parents=len(rows), trust=memory.trust, by=words.by,
        fallback=words.fallback,
    )  # fmt: skip
