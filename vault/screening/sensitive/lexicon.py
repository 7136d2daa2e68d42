"""Terms of each category, looked up in linear time: marked ones weigh more than plain ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import re2

from vault.screening.credentials.scan import Scanned
from vault.screening.sensitive.word_edges import is_whole_word

_FILE = Path(__file__).with_name("lexicon.txt")


@dataclass(frozen=True, slots=True)
class Term:
    category: str
    is_marked: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Machine:
    category: str
    is_marked: bool
    is_stem: bool
    pattern: Any


@lru_cache(maxsize=1)
def _machines() -> tuple[_Machine, ...]:
    """One machine for each category, weight and kind of ending; the longest term wins."""
    terms: dict[tuple[str, bool, bool], list[str]] = {}
    category = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            category = line.strip("[]")
        elif line and not line.startswith("#"):
            for word in line.split():
                kind = (category, word.startswith("!"), word.endswith("*"))
                terms.setdefault(kind, []).append(_expression(word.strip("!*")))
    options = re2.Options()
    options.longest_match = True
    options.case_sensitive = False
    options.log_errors = False
    return tuple(
        _Machine(*kind, re2.compile("|".join(words).encode(), options)) for kind, words in terms.items()
    )


def _expression(term: str) -> str:
    """A tilde is a space; a star inside is the rest of a word."""
    spaced = term.replace("~", r"[ \-]").replace("*", r"[^ ]{0,8}")
    return f"(?:{spaced})"


def find_terms(scanned: Scanned) -> Iterator[Term]:
    for machine in _machines():
        for match in machine.pattern.finditer(scanned.utf8):
            start, end = (scanned.offset(edge) for edge in match.span())
            if start < end and is_whole_word(scanned.text, start, end, is_stem=machine.is_stem):
                yield Term(machine.category, machine.is_marked, start, end)
