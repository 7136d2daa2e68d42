"""Putting together again what is left of a whole that was withdrawn because one of its parts is no longer what it was.

From the parts that came back and that nobody has touched since, each with its own text: of the part that is gone
nothing is read. Where the namespace wants consolidation, or where a person had put the whole together.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import NotFound, StaleVersion
from vault.keys import key_vault
from vault.lifecycle.upkeep.clustering import RELATED_MATTER, SAME_MATTER
from vault.lifecycle.upkeep.consolidation import Consolidated, carry_out
from vault.lifecycle.upkeep.proposing import Proposal, eligible, proposals_of, small, workable
from vault.models import Memory, MemoryVersion, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.withdrawal import CONSOLIDATED, rest_of

# The first version of a whole that was made anew because a person had put the one before it together.
AGAIN = "consolidated_again"
# So often the rest is read anew when it changed while it was being put together.
TRIES = 5


@dataclass(frozen=True, slots=True)
class _Rest:
    subject_id: UUID
    proposals: tuple[Proposal, ...] = ()
    reason: str = CONSOLIDATED


def redo(*, whole_id: UUID, scope: Scope, willing: Collection[int]) -> Consolidated:
    """Put the rest of a withdrawn whole together; `willing` are the namespaces (ids) that want it in any case.

    Raises NotFound when there is no such whole, SubjectErased, InvalidTransition for a subject that is restricted or
    under a hold, and StaleVersion when the rest never stood still.
    """
    for _ in range(TRIES):
        rest = _rest(whole_id, scope=scope, willing=willing)
        done = carry_out(rest.proposals, subject_id=rest.subject_id, scope=scope, reason=rest.reason)
        if not done.changed:
            return done
    raise StaleVersion


def _rest(whole_id: UUID, *, scope: Scope, willing: Collection[int]) -> _Rest:
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        whole = Memory.objects.filter(pk=whole_id, consolidated=True).first()
        if whole is None:
            raise NotFound
        isolation.open_whole_subject(whole.subject_id)
        subject = workable(whole.subject_id)
        by_person = _was_made_by_a_person(whole)
        if whole.status != Status.FORGOTTEN or not (by_person or whole.namespace_id in willing):
            return _Rest(subject.pk)
        keys = key_vault().subject(subject.pk)
        rest = rest_of(whole)
        free = set(
            eligible(timezone.now()).filter(pk__in=[row.pk for row in rest]).values_list("pk", flat=True)
        )
        parents = small([row for row in rest if row.pk in free], keys=keys)
        trail.note(
            Event.MEMORY_LISTED, scope=scope, kind="subject", subject_ref=keys.audit_reference,
            reason="consolidation", count=len(parents),
        )  # fmt: skip
        same_matter, reason = (RELATED_MATTER, AGAIN) if by_person else (SAME_MATTER, CONSOLIDATED)
        return _Rest(subject.pk, tuple(proposals_of(parents, same_matter)), reason)


def _was_made_by_a_person(whole: Memory) -> bool:
    first = MemoryVersion.objects.get(memory=whole, number=1)
    return first.author.startswith("staff:") or first.reason_code == AGAIN
