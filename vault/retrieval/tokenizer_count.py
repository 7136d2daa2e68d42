"""How many tokens a text costs a model, counted on the safe side.

No tokenizer suits every model and none is bundled. The count is built for byte-level BPE with about
100,000 tokens (cl100k and its like), which parts text into words, numbers of up to three digits and runs
of marks before it merges, and never makes more tokens of a character than it has UTF-8 bytes. Everything
outside ASCII is counted by that bound, and so are marks: there the count cannot be too low. Common words of
ASCII letters count one token, longer ones and letters that are no words count more; that is an estimate.
"""

from __future__ import annotations

import re

# Stands in answers, so that a caller knows what the figure means.
METHOD = "upper estimate for byte-level BPE with 100k tokens"

DIGITS_PER_TOKEN = 3
# A word of prose up to this length is nearly always one token; a longer one may be parted every four letters.
WHOLE_WORD_LETTERS = 6
LETTERS_PER_TOKEN = 4

_PIECES = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<space> +)|(?P<blank>\s)"
    r"|(?P<mark>[!-/:-@\[-`{-~]+)|(?P<other>[^\x00-\x7f]+)|(?P<rest>.)",
    re.DOTALL,
)
# Letters that prose rarely puts side by side: five consonants, capitals inside, one letter three times.
_UNLIKE_PROSE = re.compile(r"[^AEIOUYaeiouy]{5}|[a-z][A-Z]|[A-Z]{2}|[jqxzJQXZ][^aeiouAEIOUyY]|(.)\1\1")


def count_tokens(text: str) -> int:
    """The tokens a model is charged for the text, rather too many than too few; 0 for the empty text."""
    return sum(_piece_tokens(found.lastgroup or "", found.group()) for found in _PIECES.finditer(text))


def _piece_tokens(kind: str, piece: str) -> int:
    if kind == "word":
        return _word_tokens(piece)
    if kind == "digits":
        return -(-len(piece) // DIGITS_PER_TOKEN)
    if kind == "space":
        # One space melts into the word behind it; a run of them is one token more for each 16.
        return 0 if len(piece) == 1 else 1 + len(piece) // 16
    if kind == "mark":
        return len(piece)
    if kind == "other":
        return len(piece.encode("utf-8", "surrogatepass"))
    return 1


def _word_tokens(word: str) -> int:
    if _UNLIKE_PROSE.search(word):
        return -(-len(word) * 2 // 3)
    return 1 + max(0, -(-(len(word) - WHOLE_WORD_LETTERS) // LETTERS_PER_TOKEN))
