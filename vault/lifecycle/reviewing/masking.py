"""Masking beyond the policy: what identifies or exposes a person, for the eyes of a reviewer or for a release. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vault.screening import redact, string_fields
from vault.screening.pointers import by_key
from vault.types import Action, Category, Finding, MemoryDraft

# What tells of a person, or would open something. An instruction is what a reviewer has to see.
MASKED = frozenset({Category.PII, Category.SENSITIVE, Category.SECRET})


def masking_all(findings: Iterable[Finding], draft: MemoryDraft) -> tuple[Finding, ...]:
    """The findings with every personal, sensitive or secret one set to be masked.

    One that points at no stretch of its field speaks of the whole field, and masks it whole.
    """
    fields = string_fields(draft)
    return tuple(_masking(finding, fields) if finding.category in MASKED else finding for finding in findings)


def masked_view(draft: MemoryDraft, findings: Iterable[Finding]) -> tuple[MemoryDraft, tuple[Finding, ...]]:
    """A draft as a reviewer first sees it: the values of findings hidden, the findings moved along.

    What the policy decided on each of them stands there as it was.
    """
    fields = string_fields(draft)
    # Field by field, the order in which they come back.
    ordered = sorted(findings, key=lambda finding: by_key(finding.pointer, fields))
    masked, moved = redact(draft, masking_all(ordered, draft))
    return masked, tuple(replace(m, action=o.action) for m, o in zip(moved, ordered, strict=True))


def _masking(finding: Finding, fields: Mapping[str, str]) -> Finding:
    start, end = finding.start, finding.end
    if end <= start:
        start, end = 0, len(fields.get(by_key(finding.pointer, fields), ""))
    return replace(finding, action=Action.REDACT, start=start, end=end)
