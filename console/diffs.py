"""A word-level difference for two columns. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vault.lifecycle.diff import Piece
from vault.screening.normalise import reveal


@dataclass(frozen=True, slots=True)
class SideBySide:
    """What stood before with what went marked, and what stands after with what came marked."""

    before: tuple[tuple[str, str], ...]
    after: tuple[tuple[str, str], ...]


def side_by_side(pieces: Sequence[Piece]) -> SideBySide:
    """Each side as (change, text as a reviewer must see it), in reading order."""
    return SideBySide(
        tuple((p.change, reveal(p.text)) for p in pieces if p.change != "added"),
        tuple((p.change, reveal(p.text)) for p in pieces if p.change != "removed"),
    )
