"""What changed between two texts, word by word. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

PART = re.compile(r"\w+|\s+|[^\w\s]")
# Equal words on both sides make work for the matcher; beyond this many pairs a text of one repeated word
# would take seconds, and the two texts are shown as a whole instead.
MAX_PAIRS = 200_000

Change = Literal["same", "removed", "added"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stayed, went or came."""

    change: Change
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """The pieces in reading order, what went before what came.

    The same and removed pieces joined give `old`, the same and added ones give `new`.
    """
    before, after = PART.findall(old), PART.findall(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    return _joined(
        [
            Piece("same", "".join(before[:head])),
            *_middle(before[head : len(before) - tail], after[head : len(after) - tail]),
            Piece("same", "".join(before[len(before) - tail :])),
        ]
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _middle(before: Sequence[str], after: Sequence[str]) -> list[Piece]:
    if _pairs(before, after) > MAX_PAIRS:
        return [Piece("removed", "".join(before)), Piece("added", "".join(after))]
    matcher = SequenceMatcher(str.isspace, before, after, autojunk=False)
    pieces = []
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        removed, added = "".join(before[start:end]), "".join(after[new_start:new_end])
        if removed == added:
            pieces.append(Piece("same", removed))
        else:
            pieces += [Piece("removed", removed), Piece("added", added)]
    return pieces


def _pairs(before: Sequence[str], after: Sequence[str]) -> int:
    one = Counter(part for part in before if not part.isspace())
    other = Counter(part for part in after if not part.isspace())
    return sum(count * other[part] for part, count in one.items())


def _joined(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Without empty pieces, and neighbours of one kind as one."""
    result: list[Piece] = []
    for piece in pieces:
        if not piece.text:
            continue
        if result and result[-1].change == piece.change:
            result[-1] = Piece(piece.change, result[-1].text + piece.text)
        else:
            result.append(piece)
    return tuple(result)
