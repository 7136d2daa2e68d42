"""Turns for tests of pure functions: opened rows that no database knows."""

from __future__ import annotations

from typing import Any

from vault.models import Turn
from vault.retrieval.records import Content
from vault.retrieval.turns import OpenedTurn
from vault.sessions.weigh import weigh


def turn(
    number: int, role: str, text: str, *, trust: str = "stated", findings: tuple = (), **parts: Any
) -> OpenedTurn:
    """One opened turn; `parts` are what stands beside its text."""
    row = Turn(
        number=number, role=role, trust=trust, importance=weigh(role, text), tokens=len(text.split()) + 4
    )
    return OpenedTurn(row, Content(text, metadata=parts, findings=findings))


def talk(*lines: tuple[str, str]) -> list[OpenedTurn]:
    return [turn(number, role, text) for number, (role, text) in enumerate(lines, 1)]
