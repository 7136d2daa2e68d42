"""Where a statement's subject ends and what is said of it begins, found by common verbs and not by a parser."""

from __future__ import annotations

from collections.abc import Sequence

from vault.writing.reconciling.stemming import stem
from vault.writing.reconciling.vocabulary import words as words_of

AUXILIARIES = words_of("auxiliaries")
VERBS = frozenset(stem(verb) for verb in words_of("verbs"))
_BEFORE_NOUNS = words_of("before_nouns")
_REPORTING = frozenset(stem(verb) for verb in words_of("reporting"))
_CLAUSE_OPENERS = words_of("clause_openers")
_NOW, PAST_FORMS, _DONE = words_of("now"), words_of("past"), words_of("done")
PARTICIPLES = words_of("participles")
_LONG_WORD = 4


def head_of(words: Sequence[str], *, begins_with_a_noun: bool) -> int | None:
    """The place of the first finite verb of a clause, 0 where it begins with one; None where none is found.

    `words` are folded; names, codes and values stand as empty strings.
    """
    for place, word in enumerate(words):
        if place == 0 and begins_with_a_noun:
            continue
        if word and _is_verb(word, first=place == 0) and not _is_noun(words, place):
            # "The form says that ...": what is reported has a subject of its own.
            return 0 if stem(word) in _REPORTING else place
    # A verb that the list lacks: the third person shows it, unless it is a plural.
    for place in range(2, len(words) - 1):
        word, after = words[place], words[place + 1]
        if (
            len(word) > _LONG_WORD
            and word.endswith("s")
            and not word.endswith("ss")
            and after in _CLAUSE_OPENERS
        ):
            return place
    return None


def _is_noun(words: Sequence[str], place: int) -> bool:
    """Whether the words beside one of a verb's form make it a noun: "at work", "the order is"."""
    if place and words[place - 1] in _BEFORE_NOUNS:
        return True
    # "A" is French for "has", and far more often an article.
    followed = place + 1 < len(words) and words[place + 1] in AUXILIARIES - {"a"}
    return followed and words[place] not in AUXILIARIES and not words[place].endswith("ed")


def _is_verb(word: str, *, first: bool) -> bool:
    if word in AUXILIARIES:
        return True
    if word.endswith("ing"):
        return False
    return stem(word) in VERBS or (word.endswith("ed") and len(word) > _LONG_WORD and not first)


def tells_of_the_past(words: Sequence[str]) -> bool:
    """Whether what is said, from the verb on, was done once, and so has no later value."""
    if any(word in _DONE or word.endswith(("ました", "った")) for word in words[-4:]):
        return True
    if not words or words[0] in _NOW:
        return False
    first = words[0]
    return first in PAST_FORMS or (first.endswith("ed") and len(first) > _LONG_WORD)
