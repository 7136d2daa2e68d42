"""Words, names and codes of a text, as far as capitals, digits and lists of ordinary words tell them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

# Stands for a full stop or a colon within a number; counts as a letter.
STOP_INSIDE = "\ua4f8"
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
TOKEN = re.compile(r"[^\W_][\w'’&./-]*[\w]|[^\W_]|&")

_FILE = Path(__file__).with_name("followup_words.txt")
_SENTENCE_END = re.compile(r"[.!?:;。！？]\s*")
# A plain number of more digits than this names something: an order, an invoice.
SHORT_NUMBER = 3


def words_of(text: str) -> list[str]:
    return [_unprotect(found.group()) for found in TOKEN.finditer(_protect(text))]


def bare(word: str) -> str:
    return re.sub(r"['’]s$|['’]$|[.,/&-]+$", "", word)


def form_of(word: str) -> str:
    return bare(word).replace("’", "'").casefold()


def stem_of(form: str) -> str:
    """Enough of a stem to see a plural as its singular."""
    return form[:-1] if form.endswith("s") and not form.endswith("ss") and len(form) > 3 else form


@lru_cache(maxsize=16)
def word_list(section: str) -> frozenset[str]:
    return _sections().get(section, frozenset())


@lru_cache(maxsize=1)
def ordinary_words() -> frozenset[str]:
    """Words that are never a name by their capital and never content."""
    parts = _sections()
    return frozenset().union(
        *(parts[name] for name in ("person", "thing", "place", "link", "same", "chatter", "function"))
    )


@lru_cache(maxsize=1)
def _sections() -> dict[str, frozenset[str]]:
    return sections_of(_FILE)


def sections_of(file: Path) -> dict[str, frozenset[str]]:
    """The words of a list by its sections, folded."""
    found: dict[str, set[str]] = {}
    section = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            found.setdefault(section, set()).update(line.casefold().split())
    return {name: frozenset(words) for name, words in found.items()}


def is_content(word: str) -> bool:
    form = form_of(bare(word))
    return len(form) > 2 and form not in ordinary_words() and form not in word_list("light")


def names_in(text: str, *, in_question: bool = False) -> list[tuple[str, bool]]:
    """Runs of capitalised words and codes, and whether each is surely a name.

    A sentence's first word has its capital anyway: alone in front of others it is only likely to be one.
    """
    names: list[tuple[str, bool]] = []
    for sentence in _SENTENCE_END.split(_protect(text)):
        words = [bare(_unprotect(found.group())) for found in TOKEN.finditer(sentence)]
        run: list[str] = []
        start = 0
        for index, word in enumerate([*words, ""]):
            if _continues(word, run, first=index == 0, in_question=in_question):
                start = start if run else index
                run.append(word)
            elif run:
                names.append((" ".join(run).strip(" &"), _is_sure(run, start, len(words))))
                run = []
    return [(name, sure) for name, sure in names if name]


def _continues(word: str, run: Sequence[str], *, first: bool, in_question: bool) -> bool:
    if word == "&" or is_number(word):
        return bool(run) or (in_question and is_number(word)) or len(word) > SHORT_NUMBER
    return _is_name(word, first=first, in_question=in_question)


def _is_sure(run: Sequence[str], start: int, words: int) -> bool:
    if all(is_number(word) for word in run):
        return False
    return start > 0 or len(run) > 1 or words <= 2 or any(_is_code(word) for word in run)


def _protect(text: str) -> str:
    """Full stops inside codes, numbers and titles do not end a sentence."""
    text = re.sub(r"(?<=\d)[.:](?=\d)", STOP_INSIDE, text)
    return re.sub(r"\b(Dr|Mr|Mrs|Ms|St|Prof|No|Nr)\.", r"\1", text)


def _unprotect(word: str) -> str:
    return word.replace(STOP_INSIDE, ".")


def _is_name(word: str, *, first: bool, in_question: bool) -> bool:
    if _is_code(word):
        return True
    if not word[:1].isupper() or len(word) < 2:
        return False
    form = form_of(word)
    if form in ordinary_words() or word.startswith(("I'", "I’")):
        return False
    # The first word of a question is its verb or its question word; of a statement, often whom it is about.
    return not (first and in_question) or not form.isascii()


def _is_code(word: str) -> bool:
    """A code or a number that identifies: 3.8, 6A, DX-5, F-118, test_total."""
    return ("_" in word and len(word) > 3) or any(c.isdigit() for c in word)


def is_number(word: str) -> bool:
    return word[:1].isdigit() and all(c.isdigit() or c in ".,:" for c in word)
