"""Drafts, tokens and detectors that the tests of screening share; token-shaped strings are put together here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vault.screening import DEFAULT, Detectors, screen
from vault.screening.detection import Screening
from vault.types import Action, Finding, MemoryDraft, Source, SourceType, Trust, Verdict

GITHUB_SHAPED = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"


def draft(text: str = "Prefers tea in the morning.", **changes: Any) -> MemoryDraft:
    values: dict[str, Any] = {
        "subject": "S1",
        "namespace": "default",
        "source": Source(SourceType.USER, "chat"),
        **changes,
    }
    return MemoryDraft(text=text, **values)


def verdict_on(text: str, *, trust: Trust = Trust.STATED, **changes: Any) -> Verdict:
    return screen(draft(text, **changes), trust=trust, budget_seconds=20)


def types_in(verdict: Verdict) -> set[str]:
    return {finding.type for finding in verdict.findings}


def acted_on(verdict: Verdict) -> set[str]:
    return {finding.type for finding in verdict.findings if finding.action is not Action.ALLOW}


def quiet(screening: Screening) -> Sequence[Finding]:
    del screening
    return ()


def detectors(**chosen: Any) -> Detectors:
    """Detectors that find nothing, except the chosen ones."""
    return Detectors(**{name: chosen.get(name, quiet) for name, _ in DEFAULT.named()})


def spans(verdict: Verdict, fields: Mapping[str, str], kind: str) -> list[str]:
    return [fields[f.pointer][f.start : f.end] for f in verdict.findings if f.type == kind]
