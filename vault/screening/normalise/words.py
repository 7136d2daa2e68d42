"""A list of common words, by which to tell a reading that makes sense from one that does not."""

from __future__ import annotations

import math
from importlib.resources import files

# One word a line, the most frequent first; made by vault.screening.injection.word_list.
_LIST = files(__package__).joinpath("words.txt").read_text(encoding="utf-8").split()
_RANK = {word: rank for rank, word in enumerate(_LIST)}
WORDS = frozenset(word for word in _LIST if len(word) >= 3)
LONGEST_WORD = 24
_UNKNOWN_COST = 12.0


def is_word(word: str) -> bool:
    return word in _RANK


def segment(letters: str) -> list[str]:
    """Split letters without spaces into the likeliest words; linear, as no word is longer than 24."""
    lowered = letters.lower()
    best = [0.0]
    back = [0]
    for end in range(1, len(lowered) + 1):
        cost, start = min(
            (best[begin] + _cost(lowered[begin:end]), begin)
            for begin in range(max(0, end - LONGEST_WORD), end)
        )
        best.append(cost)
        back.append(start)
    words = []
    end = len(lowered)
    while end:
        words.append(letters[back[end] : end])
        end = back[end]
    return words[::-1]


def _cost(word: str) -> float:
    rank = _RANK.get(word)
    if rank is None:
        return _UNKNOWN_COST * len(word) / 2 + 2
    return math.log(rank + 2) + (3.0 if len(word) == 1 else 0.0)
