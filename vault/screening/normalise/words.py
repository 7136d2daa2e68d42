"""A list of common words, by which to tell a reading that makes sense from one that does not."""

from __future__ import annotations

import math
from importlib.resources import files

# One word a line, the most frequent first; made by vault.screening.injection.word_list.
_LIST = files(__package__).joinpath("words.txt").read_text(encoding="utf-8").split()
_RANK = {word: rank for rank, word in enumerate(_LIST)}
WORDS = frozenset(word for word in _LIST if len(word) >= 3)
LONGEST_WORD = 24
_LONGEST_SEGMENT = 16
_STRANGE_LETTER_COST = 7.0
# Zipf's law: a word's frequency falls with its rank. A single letter is seldom a word among joined ones.
_COSTS = {word: math.log(rank + 2) + (3.0 if len(word) == 1 else 0.0) for word, rank in _RANK.items()}


def is_word(word: str) -> bool:
    return word in _RANK


def segment(letters: str) -> list[str]:
    """Split letters without spaces into the likeliest words; what is no word stays together.

    Linear in the letters: no word looked for is longer than 16.
    """
    lowered = letters.lower()
    best = [0.0]
    starts = [0]
    for end in range(1, len(lowered) + 1):
        cost, start = best[end - 1] + _STRANGE_LETTER_COST, -1
        for begin in range(max(0, end - _LONGEST_SEGMENT), end):
            word_cost = _COSTS.get(lowered[begin:end])
            if word_cost is not None and best[begin] + word_cost < cost:
                cost, start = best[begin] + word_cost, begin
        best.append(cost)
        starts.append(start)
    return _walk_back(letters, starts)


def _walk_back(letters: str, starts: list[int]) -> list[str]:
    words: list[str] = []
    end = stranger_end = len(letters)
    while end:
        start = starts[end]
        if start >= 0:
            if stranger_end > end:
                words.append(letters[end:stranger_end])
            words.append(letters[start:end])
            end = stranger_end = start
        else:
            end -= 1
    if stranger_end:
        words.append(letters[:stranger_end])
    return words[::-1]
