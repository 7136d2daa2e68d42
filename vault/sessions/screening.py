"""Screening turns: like writes, except that a run goes on whatever is found.

A credential is replaced by a placeholder before anything is stored, and so is what a policy or a rule of staff refuses;
personal data as the policy says. What would be set aside as a write (an order, a hidden carrier, by a rule) makes the
turn untrusted and is labelled. A turn that could not be searched for credentials to the end is stored without its
words: nothing unscreened is ever kept. Its calls wait for their answers all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings

from vault.retrieval.records import Content
from vault.retrieval.scope import GrantedNamespace
from vault.retrieval.turns import CONCLUSION, SPEAKER, TOOL_CALL, TOOL_CALLS
from vault.screening import redact, screen
from vault.sessions.records import TurnDraft, source_of
from vault.sessions.suspicion import is_distrusted
from vault.sessions.withheld import WITHHELD, withheld_metadata
from vault.types import Action, Category, Finding, MemoryDraft, Source, Trust, Verdict
from vault.writing.judge import embed_or_none, policy_of
from vault.writing.rules import count_hits
from vault.writing.trust import effective_trust

# Without these nothing may be stored as it came.
INDISPENSABLE = frozenset({"secrets", "hidden_secrets"})
_ID_OF_A_CALL = re.compile(rf"/metadata/(?:{TOOL_CALL}|{TOOL_CALLS}/\d+/id)")


@dataclass(frozen=True, slots=True)
class ScreenedTurn:
    """A turn that may be stored: masked, its trust settled, embedded."""

    draft: TurnDraft
    content: Content
    trust: Trust
    findings: tuple[Finding, ...]


def screen_turn(draft: TurnDraft, *, namespace: GrantedNamespace) -> ScreenedTurn:
    """Search every string of a turn; never refuses. Slow, so before any transaction."""
    source = source_of(draft.role, is_outside=draft.is_outside)
    trust = effective_trust(source, claimed=None, ceiling=namespace.max_trust)
    memory = _as_memory(draft, namespace)
    masked, findings, anchored = _masked(memory, trust=trust, namespace=namespace)
    if masked is None:
        text = WITHHELD if draft.text else ""
        masked = MemoryDraft(
            subject="", namespace=namespace.name, text=text, source=memory.source,
            metadata=withheld_metadata(draft),
        )  # fmt: skip
        trust = Trust.UNTRUSTED
    if any(_is_distrusted(finding) for finding in findings):
        trust = Trust.UNTRUSTED
    return ScreenedTurn(draft, _content(masked, anchored), trust, tuple(_public(f) for f in findings))


def _as_memory(draft: TurnDraft, namespace: GrantedNamespace) -> MemoryDraft:
    """A turn in the shape that the detectors read; its parts beside the text stand in the metadata."""
    parts: dict[str, Any] = {
        TOOL_CALLS: [dict(call) for call in draft.tool_calls],
        TOOL_CALL: draft.tool_call,
        CONCLUSION: draft.conclusion,
        SPEAKER: draft.speaker,
    }
    source = Source(source_of(draft.role, is_outside=draft.is_outside))
    metadata = {name: value for name, value in parts.items() if value}
    return MemoryDraft(
        subject="", namespace=namespace.name, text=draft.text, source=source, metadata=metadata
    )


def _masked(
    memory: MemoryDraft, *, trust: Trust, namespace: GrantedNamespace
) -> tuple[MemoryDraft | None, tuple[Finding, ...], tuple[Finding, ...]]:
    """The masked turn, what was found in it as it came, and the same anchored to what is kept.

    None in the place of the turn when its words must not be kept.
    """
    verdict = _verdict(memory, trust=trust, namespace=namespace)
    count_hits(verdict)
    findings = tuple(_to_mask(f) for f in verdict.findings)
    if _is_unsearched(verdict):
        return None, findings, findings
    masked, anchored = redact(memory, findings)
    if any(f.category is Category.SECRET for f in findings):
        # A mask may leave a part of what was found in another reading of the text.
        again = _verdict(masked, trust=trust, namespace=namespace)
        if _is_unsearched(again) or any(f.category is Category.SECRET for f in again.findings):
            return None, findings, findings
    return masked, findings, anchored


def _verdict(memory: MemoryDraft, *, trust: Trust, namespace: GrantedNamespace) -> Verdict:
    return screen(
        memory, trust=trust, policy=policy_of(namespace), budget_seconds=settings.SCREENING_BUDGET_SECONDS
    )


def _to_mask(finding: Finding) -> Finding:
    """What a write would be refused for, is taken out of a turn."""
    if finding.category is Category.PII and _ID_OF_A_CALL.fullmatch(finding.pointer):
        # A machine's number: digits in it are nobody's telephone, and a mask would part a call from its answer.
        return replace(finding, action=Action.ALLOW)
    is_refused = finding.category is Category.SECRET or finding.action is Action.REFUSE
    return replace(finding, action=Action.REDACT) if is_refused else finding


def _is_distrusted(finding: Finding) -> bool:
    """An order or a hidden carrier, and what a rule of staff would have a person look at."""
    if finding.category is Category.RULE:
        return finding.action is Action.QUARANTINE
    return is_distrusted(finding)


def _is_unsearched(verdict: Verdict) -> bool:
    return any(f.category is Category.FAILURE and f.detector in INDISPENSABLE for f in verdict.findings)


def _content(masked: MemoryDraft, findings: tuple[Finding, ...]) -> Content:
    said = masked.text or str(masked.metadata.get(CONCLUSION, ""))
    vector = embed_or_none(said) if said else None
    return Content(masked.text, metadata=dict(masked.metadata), findings=findings, vector=vector)


def _public(finding: Finding) -> Finding:
    """A finding under the pointer that the caller knows."""
    return replace(finding, pointer=finding.pointer.removeprefix("/metadata"))
