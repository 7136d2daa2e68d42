"""Consolidation: many small memories become fewer, screened, linked to their originals, undoable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition, StaleVersion
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.upkeep.clustering import RELATED_MATTER, SAME_MATTER
from vault.lifecycle.upkeep.placing import put_in_place
from vault.lifecycle.upkeep.proposing import Proposal, propose
from vault.lifecycle.upkeep.ready import make_ready
from vault.lifecycle.upkeep.rewording import Reworded, quote, reword
from vault.lifecycle.upkeep.seen import Seen
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.cap import require_room
from vault.writing.change import lock_memory
from vault.writing.ground import Ground
from vault.writing.withdrawal import CONSOLIDATED, bring_back, parents_of

# The words of a proposal; None when it is not to be put together.
Wording = Callable[[Proposal], Reworded | None]


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of a run: the memories it made, and how many proposals were left alone.

    `changed` of these were not any more what had been read.
    `fallbacks` are the codes of why a model that may be asked did not write them, one for each that it did not.
    """

    made: tuple[UUID, ...]
    left: int
    fallbacks: tuple[str, ...] = ()
    changed: int = 0


def consolidate_subject(
    *,
    subject_id: UUID,
    scope: Scope,
    settled_by: datetime,
    same_matter: float = SAME_MATTER,
    namespaces: Sequence[int] | None = None,
    word: Wording = reword,
) -> Consolidated:
    """Put together what `propose` finds; each proposal commits by itself, so that a second run goes on.

    Raises as `propose`. `word` finds the words of each. A proposal whose text screening would not let pass, or whose
    memories changed meanwhile, is left alone.
    """
    proposals = propose(
        subject_id=subject_id, scope=scope, settled_by=settled_by, same_matter=same_matter,
        namespaces=namespaces,
    )  # fmt: skip
    return carry_out(proposals, subject_id=subject_id, scope=scope, word=word)


def carry_out(
    proposals: Sequence[Proposal],
    *,
    subject_id: UUID,
    scope: Scope,
    reason: str = CONSOLIDATED,
    word: Wording = reword,
) -> Consolidated:
    """Put each proposal in the place of its parts, in the words that `word` finds; `reason` is a code."""
    made: list[UUID] = []
    fallbacks: list[str] = []
    changed = 0
    for proposal in proposals:
        reworded = word(proposal)
        ready = make_ready(reworded, scope) if reworded is not None else None
        try:
            stored = put_in_place(ready, subject_id=subject_id, scope=scope, reason=reason) if ready else None
        except StaleVersion:
            changed += 1
            continue
        if ready is not None and stored is not None:
            made.append(stored)
            fallbacks += [ready.reworded.fallback] if ready.reworded.fallback else []
    return Consolidated(tuple(made), len(proposals) - len(made), tuple(fallbacks), changed)


def consolidate_now(*, subject_id: UUID, seen: Seen | None = None, scope: Scope) -> Consolidated:
    """Put together, on the word of staff, what they have `seen`: these memories, in these words.

    Without it, what is related, in the words of the originals. Raises as `consolidate_subject`.
    """
    require_staff(scope)
    with refusals_noted(Event.CONSOLIDATION_DONE, scope=scope, kind="subject"):
        return consolidate_subject(
            subject_id=subject_id, scope=scope, settled_by=timezone.now(), same_matter=RELATED_MATTER,
            word=seen.worded if seen else quote,
        )  # fmt: skip


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
