"""How a text is written, whatever it says: hidden carriers, what was not read, scripts nobody covers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from vault.screening.detection import Screening, is_prose
from vault.screening.languages import is_known
from vault.screening.verdict import LANGUAGE_TYPE
from vault.types import Action, Category, Finding, is_of_nobodys_word

# Scripts in which at least the lexicons and labels of the detectors have words.
COVERED_SCRIPTS = frozenset(
    {
        "LATIN",
        "CYRILLIC",
        "GREEK",
        "HEBREW",
        "ARABIC",
        "DEVANAGARI",
        "THAI",
        "CJK",
        "HIRAGANA",
        "KATAKANA",
        "HANGUL",
        "FULLWIDTH",
        "HALFWIDTH",
        "IDEOGRAPHIC",
    }
)
UNCOVERED_SHARE = 0.3
# Odd capitals hide nothing from a reader, and tables and product names have them.
ONLY_LABELLED = frozenset({"mixed_case"})


@lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split(" ")[0]


def is_covered(text: str) -> bool:
    """Whether all but a small share of the letters belong to scripts that the detectors have words in."""
    if text.isascii():
        return True
    scripts = Counter(script_of(c) for c in text if c.isalpha())
    foreign = sum(count for script, count in scripts.items() if script not in COVERED_SCRIPTS)
    return foreign <= UNCOVERED_SHARE * sum(scripts.values())


def is_in_a_known_language(screening: Screening, pointer: str, text: str) -> bool:
    """By its script, and where there are words enough by its words."""
    also = frozenset(screening.policy.languages)
    return is_covered(text) and (not is_prose(pointer, text) or is_known(text, also=also))


def is_distrusted(screening: Screening) -> bool:
    return is_of_nobodys_word(screening.trust, screening.source_type)


def find_forms(screening: Screening) -> Sequence[Finding]:
    """A hidden carrier is a finding by itself; so is text beyond what the normaliser could read."""
    found: list[Finding] = []
    for pointer, form in screening.normalised.items():
        whole = (0, len(form.original), 1.0, Action.QUARANTINE, pointer)
        found += [_carrier(name, pointer, len(form.original)) for name in form.carriers]
        if form.truncated:
            found.append(Finding(Category.FAILURE, "NOT_READ_TO_THE_END", *whole, detector="normaliser"))
        if is_distrusted(screening) and not is_in_a_known_language(screening, pointer, form.folded):
            found.append(Finding(Category.FAILURE, LANGUAGE_TYPE, *whole, detector="languages"))
    return found


def _carrier(name: str, pointer: str, length: int) -> Finding:
    action = Action.ALLOW if name in ONLY_LABELLED else Action.QUARANTINE
    return Finding(Category.CARRIER, name, 0, length, 1.0, action, pointer, "normaliser")
