"""Names of countries, in any case: the model misses them in lower and in upper case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from vault.screening.credentials.scan import Hit, Scanned

_FILE = Path(__file__).with_name("countries.txt")
_WORD = re.compile(r"[a-z]+")


@lru_cache(maxsize=1)
def _countries() -> frozenset[str]:
    return frozenset(name.replace("_", " ") for name in _FILE.read_text(encoding="utf-8").split())


def find_countries(scanned: Scanned) -> Iterator[Hit]:
    """One to three words looked up as they stand; ambiguous first names are not in the list."""
    words = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(scanned.lowered)]
    for index, (start, end, word) in enumerate(words):
        if word in _countries():
            yield Hit("LOCATION", start, end, 0.7, "country")
        for length in (2, 3):
            last = words[index + length - 1] if index + length <= len(words) else None
            if last is not None and scanned.lowered[start : last[1]] in _countries():
                yield Hit("LOCATION", start, last[1], 0.7, "country")
