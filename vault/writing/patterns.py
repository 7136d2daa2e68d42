"""Patterns that a reviewer allowed one agent: what they let pass in screening, and the count of it.

The road not taken: lowering a threshold. A pattern names detectors exactly, belongs to one agent in one namespace,
ends by itself, and never covers a secret, a failed screening or a claim that only staff may settle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from audit.models import CODE_CHARACTERS
from vault.models import AllowedPattern
from vault.screening.verdict import decide
from vault.types import Action, Allowance, Finding, Verdict
from vault.writing.codes import covering_codes, is_coverable, stopping


class PatternFacts(TypedDict, total=False):
    """What the entry of a write says of the patterns that let it pass: how many kinds, and the first of them."""

    allowed: int
    allowed_code: str
    allowed_pattern: str


def let_pass(verdict: Verdict, *, agent_id: UUID | None, namespace_id: int) -> Verdict:
    """The verdict as the agent's allowed patterns leave it: unchanged unless they cover all that stops the write."""
    if verdict.action is not Action.QUARANTINE or agent_id is None:
        return verdict
    live = AllowedPattern.objects.filter(
        agent_id=agent_id, namespace_id=namespace_id, revoked_at__isnull=True, until__gt=timezone.now()
    )
    return covered(verdict, {code: row.pk for row in live.order_by("until") for code in row.codes})


def covered(verdict: Verdict, allowed: Mapping[str, UUID]) -> Verdict:
    """Decide again with the findings that `allowed` (a code to its pattern) names let through. Pure.

    All that stops the write must be covered: one finding that is not leaves the verdict as it was.
    """
    stops = stopping(verdict.findings)
    used = {finding: _covering(finding, allowed) for finding in stops}
    if not stops or not all(used.values()):
        return verdict
    findings = [replace(f, action=Action.ALLOW) if f in used else f for f in verdict.findings]
    again = decide(findings, policy_version=verdict.policy_version)
    codes = sorted({code for code in used.values() if code})
    return replace(again, allowed=tuple(Allowance(allowed[code], code) for code in codes))


def _covering(finding: Finding, allowed: Mapping[str, UUID]) -> str | None:
    """The narrowest allowed code that lets a finding pass."""
    if not is_coverable(finding):
        return None
    return next((code for code in covering_codes(finding) if code in allowed), None)


def count_hits(verdict: Verdict) -> PatternFacts:
    """Count the patterns that let a write pass, in its transaction; returns the facts for its entry."""
    if not verdict.allowed:
        return {}
    used = {allowance.pattern for allowance in verdict.allowed}
    # In one order, so that two writes never wait for each other.
    for pattern in sorted(used):
        AllowedPattern.objects.filter(pk=pattern).update(hits=F("hits") + 1, last_hit_at=timezone.now())
    first = verdict.allowed[0]
    return {
        "allowed": len(verdict.allowed),
        "allowed_code": first.code[:CODE_CHARACTERS],
        "allowed_pattern": str(first.pattern),
    }
