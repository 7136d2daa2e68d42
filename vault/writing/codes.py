"""Names of findings that may stand in clear. Pure.

Two names, because they go to two places: beside a subject's write stands which detector spoke, and not what a
sensitive statement is about; an allowed pattern belongs to an agent and has to name exactly what it covers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from vault.screening.verdict import HIGH_IMPACT_PREFIX
from vault.types import Action, Category, Finding

MAX_CODE = 128
BANDS = 10
LONGEST_BAND = len("/0.0")
# How a text is written says nothing of whom it is about.
ABOUT_THE_TEXT = frozenset({Category.INJECTION, Category.CARRIER})
COVERABLE = ABOUT_THE_TEXT | {Category.SENSITIVE}


def detector_codes(findings: Iterable[Finding]) -> list[str]:
    """The detectors that spoke, without repeats, in order of their names."""
    return sorted({_detector_code(finding) for finding in findings})


def pattern_code(finding: Finding) -> str:
    """What an allowed pattern calls a finding: its detector, its exact type and, where a score decided, a band of it.

    Without the band, one doubtful text that a person let pass would open the door to the plainest order.
    """
    return f"{_name(finding)}{_up_to(_band(finding.score))}" if _is_scored(finding) else _name(finding)


def covering_codes(finding: Finding) -> list[str]:
    """The codes of patterns that let a finding pass: its own, and those of higher bands."""
    if not _is_scored(finding):
        return [_name(finding)]
    own = _band(finding.score)
    return [f"{_name(finding)}{_up_to(band)}" for band in range(own, BANDS + 1)]


def is_coverable(finding: Finding) -> bool:
    """Whether a person may let later findings of its kind pass: never a secret, a failure, a high-impact claim."""
    return finding.category in COVERABLE and not finding.type.startswith(HIGH_IMPACT_PREFIX)


def stopping(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that set a write aside."""
    return tuple(finding for finding in findings if finding.action is Action.QUARANTINE)


def _detector_code(finding: Finding) -> str:
    return _name(finding) if finding.category in ABOUT_THE_TEXT else _detector(finding)[:MAX_CODE]


def _name(finding: Finding) -> str:
    return f"{_detector(finding)}/{finding.type}"[: MAX_CODE - LONGEST_BAND]


def _is_scored(finding: Finding) -> bool:
    """Orders are told by a score; a hidden carrier is there or not, and a sensitive statement is of its category."""
    return finding.category is Category.INJECTION


def _band(score: float) -> int:
    """Which tenth a score ends in, 1..10."""
    return min(max(math.ceil(round(score * BANDS, 6)), 1), BANDS)


def _up_to(band: int) -> str:
    return f"/{band / BANDS:.1f}"


def _detector(finding: Finding) -> str:
    return finding.detector or finding.category.value
