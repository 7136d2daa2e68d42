"""Words beside a number that say what it is: whole words, before it or shortly after."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

BEFORE_CHARACTERS = 60
AFTER_CHARACTERS = 28

# Too common to mean anything beside a number.
_TOO_COMMON_LIST = """
us id number call check save in address pass united states travel ort pi cf account# registration
association individual beneficiary cms provider certificate medical plate vehicle fin book place
"""
TOO_COMMON = frozenset(_TOO_COMMON_LIST.split())


@lru_cache(maxsize=4096)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str] | None:
    kept = sorted(
        {unicodedata.normalize("NFKC", word.strip().lower()) for word in words} - TOO_COMMON - {""},
        key=len,
        reverse=True,
    )
    if not kept:
        return None
    parts = [rf"(?<!\w){re.escape(w)}(?!\w)" if w.isascii() else re.escape(w) for w in kept]
    return re.compile("|".join(parts))


def has_context(lowered: str, start: int, end: int, words: Iterable[str], label: str = "") -> bool:
    """Whether one of the words stands near the span, or in the name of the field."""
    pattern = _pattern(tuple(words))
    if pattern is None:
        return False
    near = f"{lowered[max(start - BEFORE_CHARACTERS, 0) : start]} \n {lowered[end : end + AFTER_CHARACTERS]}"
    return bool(pattern.search(near) or (label and pattern.search(_spelled(label))))


def _spelled(label: str) -> str:
    return re.sub(r"[_\-.]+|(?<=[a-z])(?=[A-Z])", " ", label).lower()
