"""What would be put together, for a person to see first, in the words of the originals or of a model."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from vault.language_model import ILL
from vault.lifecycle.desk import require_staff
from vault.lifecycle.upkeep.clustering import RELATED_MATTER
from vault.lifecycle.upkeep.proposing import Proposal, propose
from vault.lifecycle.upkeep.rewording import Reworded, quote, reword
from vault.retrieval.scope import Scope

# A person waits for them, and each may take all of the time that the model has.
MOST_REWORDED = 8


def preview(*, subject_id: UUID, in_models_words: bool = False, scope: Scope) -> tuple[Reworded, ...]:
    """What is related among a subject's memories; nothing is changed. Raises as `propose`, and ScopeMissing."""
    require_staff(scope)
    proposals = propose(
        subject_id=subject_id, scope=scope, settled_by=timezone.now(), same_matter=RELATED_MATTER
    )
    return _reworded(proposals) if in_models_words else tuple(quote(proposal) for proposal in proposals)


def _reworded(proposals: Sequence[Proposal]) -> tuple[Reworded, ...]:
    """The first few in the model's words; once the endpoint is ill, it is not asked for the rest."""
    shown: list[Reworded] = []
    for number, proposal in enumerate(proposals):
        ill = next((known.fallback for known in shown if known.fallback in ILL), "")
        ask = number < MOST_REWORDED and not ill
        shown.append(reword(proposal) if ask else Reworded(proposal, proposal, fallback=ill))
    return tuple(shown)
