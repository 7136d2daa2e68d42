"""Fold a text to the letters that a reader sees, keeping track of where each came from."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from vault.screening.normalise.confusables import fold_confusables
from vault.screening.normalise.invisible import is_invisible

# Legitimate writing stacks at most a few marks on a letter; more only hide it.
MAX_MARKS = 3
# Strokes and lines through or under letters: decoration that splits every word for a matcher.
OVERLAYS = frozenset("\u0305\u0332\u0333\u0334\u0335\u0336\u0337\u0338\u20e0\u20e5\u20eb")


def fold(text: str) -> tuple[str, tuple[int, ...], int]:
    """Return the folded text, the offset of each of its characters, and the number of mixed-script words.

    Compatibility forms become plain (NFKC), invisible characters go, look-alikes in mixed words become
    Latin. The offsets are empty when nothing moved.
    """
    if text.isascii() and (text.isprintable() or not _has_controls(text)):
        return text, (), 0
    pieces: list[str] = []
    offsets: list[int] = []
    at, length = 0, len(text)
    while at < length:
        end = at + 1
        while end < length and _extends(text[end]):
            end += 1
        piece = _plain(text[at : min(end, at + 1 + MAX_MARKS)])
        pieces.append(piece)
        offsets.extend([at] * len(piece))
        at = end
    folded, mixed_words = fold_confusables("".join(pieces))
    aligned = len(offsets) == length and offsets[-1:] == [length - 1]
    return folded, () if aligned else tuple(offsets), mixed_words


def _has_controls(text: str) -> bool:
    return any((each < " " and each not in "\t\n\r") or each == "\x7f" for each in text)


@lru_cache(maxsize=65_536)
def _extends(character: str) -> bool:
    """Whether it belongs to the character before: marks, and the vowels and finals of spelled-out Hangul."""
    return unicodedata.category(character) == "Mn" or "\u1161" <= character <= "\u11ff"


@lru_cache(maxsize=65_536)
def _plain(cluster: str) -> str:
    kept = "".join(each for each in cluster if each not in OVERLAYS and not is_invisible(each))
    return unicodedata.normalize("NFKC", kept) if not kept.isascii() else kept
