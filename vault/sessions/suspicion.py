"""Turns that looked like an order to the assistant: kept and shown under their label, and steering nothing. Pure."""

from __future__ import annotations

from vault.retrieval.turns import OpenedTurn
from vault.types import Action, Category, Finding

DISTRUSTED = frozenset({Category.INJECTION, Category.CARRIER})
# A claim that waits for staff may be an honest one ("my new number is ..."); from here it reads as an order as well.
ORDER_FROM_SCORE = 0.5


def is_suspicious(turn: OpenedTurn) -> bool:
    """Whether screening found an order, a claim of high impact or a hidden carrier: nothing is drafted from it."""
    return any(is_distrusted(finding) for finding in turn.content.findings)


def is_order(turn: OpenedTurn) -> bool:
    """Whether the turn read as an order or hid something: no search leans on it, and no summary quotes it."""
    return any(
        is_distrusted(finding) and (finding.category is Category.CARRIER or finding.score >= ORDER_FROM_SCORE)
        for finding in turn.content.findings
    )


def is_distrusted(finding: Finding) -> bool:
    return finding.category in DISTRUSTED and finding.action is not Action.ALLOW
