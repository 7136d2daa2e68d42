"""Screening what is to be put together: side by side, statements may say what none of them says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vault.errors import CategoryNotAllowed, SecretDetected
from vault.language_model import NOT_CLEAN
from vault.lifecycle.upkeep.merged import merged_draft
from vault.lifecycle.upkeep.rewording import RULES, Reworded
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.screening import redact
from vault.types import Action, Finding, MemoryDraft, Trust
from vault.writing.judge import embed_or_none, judge


@dataclass(frozen=True, slots=True)
class Ready:
    """A text that may be stored, with what screening found in it."""

    reworded: Reworded
    draft: MemoryDraft
    findings: tuple[Finding, ...]
    vector: NDArray[np.float32]


def make_ready(reworded: Reworded, scope: Scope) -> Ready | None:
    """Screened and embedded, before any transaction; None when screening would not let it pass as it is.

    Where that is so of a model's words that nobody has agreed to, the originals' own are looked at in their place.
    """
    ready = _screened(reworded, scope)
    if ready is not None or reworded.by == RULES or reworded.is_agreed:
        return ready
    return _screened(Reworded(reworded.quoted, reworded.quoted, fallback=NOT_CLEAN), scope)


def _screened(reworded: Reworded, scope: Scope) -> Ready | None:
    draft = merged_draft(reworded.proposal)
    place = reworded.proposal.namespace
    namespace = GrantedNamespace(
        place.pk, place.name, frozenset(), Trust.VERIFIED, place.sealed, place.policy, place.policy_version
    )
    try:
        verdict = judge(draft, trust=reworded.proposal.trust, namespace=namespace, scope=scope)
    except (SecretDetected, CategoryNotAllowed):
        return None
    masked, findings = redact(draft, verdict.findings)
    vector = embed_or_none(masked.text)
    # What screening would mask now was let pass then; the originals stay as they are.
    if verdict.action is Action.QUARANTINE or masked.text != draft.text or vector is None:
        return None
    return Ready(reworded, draft, tuple(findings), vector)
