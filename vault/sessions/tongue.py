"""The language of a few words, by the little words that every sentence has. Pure.

What identifies languages elsewhere needs a sentence; a question may have three words, and here a doubt costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from vault.sessions.wording import form_of, sections_of, words_of

_FILE = Path(__file__).with_name("tongues.txt")
_ELIDED = re.compile(r"(?i)\b(qu|[ldjscnmt])['’](?=\w\w)")
_INVERTED = re.compile(r"(?i)(?<=\w)-(?:t-)?(?=(?:il|elle|ils|elles|ce|lui|leur|vous|nous|je|tu)\b)")
# Scripts that tell the language, or at least that it is none of those with spaces and Latin letters.
_SCRIPTS = {
    "cjk": re.compile("[\u3040-\u30ff\u3400-\u9fff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "el": re.compile("[\u0370-\u03ff]"),
}


def spread(text: str) -> str:
    """A text with the words apart that French writes as one: "qu'elle", "ferme-t-elle"."""
    return _INVERTED.sub(" ", _ELIDED.sub(r"\1e ", text))


def tongue_of(text: str) -> str:
    """The language (ISO 639-1, or a script's name) that most of the little words are of; empty where two are."""
    for name, letters in _SCRIPTS.items():
        if letters.search(text):
            return name
    if _INVERTED.search(text):
        return "fr"
    forms = {form_of(word) for word in words_of(spread(text))}
    hits = sorted(((len(forms & words), name) for name, words in _tongues().items()), reverse=True)
    (most, name), (second, _) = hits[:2]
    return name if most > second else ""


def is_of_another_tongue(text: str, others: Iterable[str]) -> bool:
    """Whether a text is in a language that none of the others is in; not where either's is not known."""
    own = tongue_of(text)
    known = {tongue_of(other) for other in others} - {""}
    return bool(own) and bool(known) and own not in known


def is_little(form: str) -> bool:
    """Whether a word, folded, names nothing in any of the languages."""
    return form in _little_words()


@lru_cache(maxsize=1)
def _tongues() -> dict[str, frozenset[str]]:
    return sections_of(_FILE)


@lru_cache(maxsize=1)
def _little_words() -> frozenset[str]:
    return frozenset().union(*_tongues().values())
