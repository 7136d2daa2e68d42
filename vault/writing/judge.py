"""What screening and policy say of a draft, before any transaction opens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.embedding import EmbeddingFailed, embed
from vault.errors import CategoryNotAllowed, SecretDetected
from vault.retrieval import trail
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.retrieval.subjects import audit_reference_of
from vault.screening import screen
from vault.screening.policy import ScreeningPolicy
from vault.types import Action, MemoryDraft, Trust, Verdict
from vault.writing.patterns import let_pass
from vault.writing.rules import count_hits, live_rules

SECRET = "secret_detected"  # noqa: S105 - the name of a reason


def policy_of(namespace: GrantedNamespace) -> ScreeningPolicy:
    """The namespace's screening policy: its own overrides over the default, and the rules in force."""
    own = ScreeningPolicy.from_json(
        {**namespace.policy.get("screening", {}), "version": namespace.policy_version}
    )
    return replace(own, rules=live_rules(namespace.id))


def judge(draft: MemoryDraft, *, trust: Trust, namespace: GrantedNamespace, scope: Scope) -> Verdict:
    """Screen every field; what a reviewer allowed the calling agent passes, under a label.

    Raises SecretDetected or CategoryNotAllowed, recorded, when the policy refuses.
    """
    verdict = screen(
        draft, trust=trust, policy=policy_of(namespace), budget_seconds=settings.SCREENING_BUDGET_SECONDS
    )
    count_hits(verdict)
    if verdict.action is not Action.REFUSE:
        return let_pass(verdict, agent_id=scope.agent_id, namespace_id=namespace.id)
    reason = verdict.reasons[0]
    trail.note_refusal(
        Event.MEMORY_REFUSED, scope=scope, kind="namespace", target=str(namespace.id), reason=reason,
        subject_ref=audit_reference_of(draft.subject), findings=len(verdict.findings),
        policy_version=verdict.policy_version,
    )  # fmt: skip
    error = SecretDetected if reason == SECRET else CategoryNotAllowed
    raise error(
        findings=tuple(f for f in verdict.findings if f.action is Action.REFUSE), reasons=verdict.reasons
    )


def embed_or_none(text: str) -> NDArray[np.float32] | None:
    """The vector of a text; None when the model fails, so that the memory is still found by its words."""
    try:
        return np.asarray(embed([text])[0])
    except EmbeddingFailed:
        return None
