"""Whether a question names what it is about, or takes a noun up that was said before. Pure.

Nothing here knows a verb from a noun. A noun is seen by what stands before it (an article, "my") and, in German, by its
capital; one word alone that nothing shows to be a noun ("who isn't allowed?") names nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vault.sessions.tongue import is_little, spread, tongue_of
from vault.sessions.wording import bare, form_of, is_content, names_in, sections_of, stem_of, words_of

_FILE = Path(__file__).with_name("subject_words.txt")
# So many words of content name a matter, whatever they are.
NAMED_BY = 2
# "By the way," says nothing yet.
MIN_CLAUSE_WORDS = 4


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question, folded, with what its place says of it."""

    form: str
    is_content: bool
    is_noun: bool


def names_its_matter(question: str) -> bool:
    """Whether a question can be searched for by what it says: two words of content, or a whole question about a noun.

    What it asks for ("which hall", "at what time") is not what it is about, and a price or a date is always one of
    something.
    """
    words = _read(question)
    asked = _asked_for(words)
    matter = [
        word
        for place, word in enumerate(words)
        if word.is_content and place not in asked and word.form not in _list("lacking")
    ]
    if len(matter) >= NAMED_BY:
        return True
    return any(word.is_noun for word in matter) and is_whole(question)


def tells_of_something(clause: str) -> bool:
    """Whether a clause that is no question says what is spoken of, and does not only lead over to it."""
    words = _read(clause)
    return len(words) >= MIN_CLAUSE_WORDS and any(
        word.is_content and word.form not in _list("lacking") for word in words
    )


def is_whole(question: str) -> bool:
    """Whether it is a question, and not a part of one."""
    words = _read(question)
    return words[:1] != [] and (
        words[0].form in _list("opening") or any(word.form in _list("asking") for word in words)
    )


def names_another(question: str, said: Iterable[str]) -> bool:
    """Whether a noun stands in it with its article that was not said before: "and the boiler?"."""
    known = _stems_of(said)
    return any(
        word.is_noun and word.form not in _list("lacking") and stem_of(word.form) not in known
        for word in _read(question)
    )


def asked_of(question: str) -> list[str]:
    """What a question asks of its matter, without the matter: what is left of it is content and no noun."""
    names = {form_of(word) for name, _ in names_in(question, in_question=True) for word in name.split()}
    return [
        word.form
        for word in _read(question)
        if word.is_content
        and (not word.is_noun or word.form in _list("lacking"))
        and (word.form not in names or word.form in _list("lacking"))
    ]


def takes_up(question: str, said: Iterable[str]) -> bool:
    """Whether a question points at a noun ("this printer"), or speaks of one that was said as of a known one.

    One that says itself which is meant ("the printer on floor 3") does not.
    """
    known = _stems_of(said)
    words = _read(question)
    return any(
        _points(words, place) or _is_known_again(words, place, known)
        for place, word in enumerate(words)
        if word.is_content
    )


def _stems_of(said: Iterable[str]) -> set[str]:
    return {
        stem_of(form_of(bare(word))) for text in said for word in words_of(spread(text)) if is_content(word)
    }


def follows_its_noun(before: str) -> bool:
    """Whether a noun with its article, and then another clause, stand before a pronoun that may mean it."""
    words = _read(before)
    nouns = [place for place, word in enumerate(words) if word.is_noun]
    return bool(nouns) and any(word.form in _list("clause") for word in words[nouns[0] + 1 :])


def has_noun(text: str) -> bool:
    return any(word.is_noun for word in _read(text))


def _read(question: str) -> list[Word]:
    is_german = tongue_of(question) == "de"
    words = words_of(spread(question))
    forms = [form_of(bare(word)) for word in words]
    return [
        Word(form, (is_named := is_content(word) and not is_little(form)), is_named and (
            (is_german and place > 0 and word[:1].isupper())
            or _has_article(forms, place)
            or _is_asked_about(forms, place)
        ))
        for place, (word, form) in enumerate(zip(words, forms, strict=True))
    ]  # fmt: skip


def _has_article(forms: Sequence[str], place: int) -> bool:
    before = _before(forms, place)
    return before in _list("definite") or before in _list("determined")


def _is_asked_about(forms: Sequence[str], place: int) -> bool:
    """Where, when or why and a verb stand before what does or suffers it: "where should parcels be left"."""
    return place > 1 and forms[place - 1] in _list("opening") and forms[place - 2] in _list("circumstance")


def _before(forms: Sequence[str], place: int) -> str:
    """The word before one, without the adjectives that may stand between a noun and its article."""
    place -= 1
    while place > 0 and forms[place] in _list("between"):
        place -= 1
    return forms[place] if place >= 0 else ""


def _asked_for(words: Sequence[Word]) -> set[int]:
    """The places of words right behind one that asks for them; of two nouns in one ("which internet problems") none."""
    return {
        place + 1
        for place, word in enumerate(words)
        if word.form in _list("asked")
        and not all(each.is_content for each in (words[place + 1 : place + 3] or [word]))
    }


def _points(words: Sequence[Word], place: int) -> bool:
    return (
        place > 0 and words[place - 1].form in _list("pointing") and words[place].form not in _list("lacking")
    )


def _is_known_again(words: Sequence[Word], place: int, known: Set[str]) -> bool:
    is_definite = _before([word.form for word in words], place) in _list("definite")
    behind = words[place + 1].form if place + 1 < len(words) else ""
    return is_definite and stem_of(words[place].form) in known and behind not in _list("which")


def _list(section: str) -> frozenset[str]:
    return _lists()[section]


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return sections_of(_FILE)
