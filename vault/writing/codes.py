"""Names of findings that may stand in clear. Pure.

Two names, because they go to two places: beside a subject's write stands which detector spoke, and not what a
sensitive statement is about; an allowed pattern belongs to an agent and has to name exactly what it covers.
"""

from __future__ import annotations

from collections.abc import Iterable

from vault.screening.verdict import HIGH_IMPACT_PREFIX
from vault.types import Action, Category, Finding

MAX_CODE = 128
# How a text is written says nothing of whom it is about.
ABOUT_THE_TEXT = frozenset({Category.INJECTION, Category.CARRIER})
COVERABLE = ABOUT_THE_TEXT | {Category.SENSITIVE}


def detector_codes(findings: Iterable[Finding]) -> list[str]:
    """The detectors that spoke, without repeats, in order of their names."""
    return sorted({_detector_code(finding) for finding in findings})


def pattern_code(finding: Finding) -> str:
    """What an allowed pattern calls a finding: its detector and its exact type."""
    return f"{_detector(finding)}/{finding.type}"[:MAX_CODE]


def is_coverable(finding: Finding) -> bool:
    """Whether a person may let later findings of its kind pass: never a secret, a failure, a high-impact claim."""
    return finding.category in COVERABLE and not finding.type.startswith(HIGH_IMPACT_PREFIX)


def stopping(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that set a write aside."""
    return tuple(finding for finding in findings if finding.action is Action.QUARANTINE)


def _detector_code(finding: Finding) -> str:
    return pattern_code(finding) if finding.category in ABOUT_THE_TEXT else _detector(finding)[:MAX_CODE]


def _detector(finding: Finding) -> str:
    return finding.detector or finding.category.value
