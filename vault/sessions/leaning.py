"""Whether a question leans on what was said before: by a pronoun without its noun, by ellipsis, by pointing. Pure.

One that names what it is about is left alone, even if something was said that would go with it: words of another matter
find the wrong memories, and nobody sees why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from vault.sessions.people import PERSON_NOUN, is_of_a_person, may_mean
from vault.sessions.subject_matter import (
    follows_its_noun,
    has_noun,
    is_whole,
    names_its_matter,
    takes_up,
    tells_of_something,
)
from vault.sessions.tongue import is_little, is_of_another_tongue, spread, tongue_of
from vault.sessions.wording import TOKEN, UNSPACED, form_of, is_content, names_in, word_list, words_of

_NEW_TOPIC = re.compile(
    r"(?i)\b(?:(?:different|another|new) (?:topic|question|subject|matter)|something else|change of (?:topic|subject)"
    r"|unrelated|by the way|btw|anderes thema|autre sujet|otro tema)\b"
)
_POINTING = re.compile(
    r"(?i)\b(?:the (?:ones?|others?|two|three|same)"
    # "The last train" names its noun.
    r"|the (?:first|second|third|last|latter|former)(?=\s*(?:[?.,!]|$|(?:is|was|are|were|of|one)\b))"
    r"|that (?:one|thing|guy|time|day)|this (?:one|thing|time)|which one"
    r"|the (?:day|week|month|year|time|one) (?:after|before)"
    r"|of (?:them|those|these|the two)|(?:what|how) about|since when|(?:was|is|do|does|did) that|were those"
    r"|(?:to|of|for|about|like|after|before|than) that|that too|and then|was ist mit|et pour|y para|to phir)\b"
    r"|\b(?:that|this)\s*[?.,!]|\bdas\s*(?:[?.,!]|$)"
)
# An it that stands for nothing: "what was it that", "is it true".
_EMPTY_IT = re.compile(
    r"(?i)\b(?:(?:was|is|were) it (?:that|who|true|possible|ok|okay|allowed|worth|the)"
    r"|it (?:is|was|seems?|seemed|appears?|happens?|happened|turns out|turned out) (?:that|who)"
    r"|it rains?|is it (?:\w+ing|cold|hot|late|early|necessary|safe)|what time is it"
    r"|(?:does|did|will) it (?:take|cost) to"
    r"|gibt es|es gibt|es (?:schneit|regnet)|(?:schneit|regnet) es|geht es (?:um|ihnen|dir|euch)|(?:spät|uhr) ist es"
    r"|ist es (?:wahr|möglich|erlaubt|nötig|verboten)|il y (?:a|avait|aura)|y (?:a|avait|aura) (?:t )?il"
    r"|il (?:faut|pleut|neige)|faut il|est il (?:vrai|possible|permis|interdit))\b"
)
# In German a capital makes an address of "they": "Haben Sie Parkplätze?"
_ADDRESS = frozenset({"Sie", "Ihnen", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "Ihres"})
_ONLY_DEGREE = re.compile(
    r"\s+(?:much|many|few|little|long|late|early|hot|cold|big|small|old|high|low|far|often)\b"
)
# "there is" points nowhere.
_EMPTY_THERE_BEFORE = re.compile(r"(?i)\b(?:is|are|was|were|will)\s+$")
_EMPTY_THERE_AFTER = re.compile(r"(?i)\s+(?:is|are|was|were|a|any|be|still)\b")
_TIME_WORD = (
    r"(?:on|in|at|by|from|until|till|since|after|before|around|about|the|of|to|and|next|last|this|every|early|late|mid|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|noon|afternoons?|evenings?|nights?|midnight|days?|weeks?|"
    r"weekends?|months?|years?|hours?|minutes?|today|tomorrow|yesterday|o'clock|am|pm|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|past|quarter|\d[\d:.]*(?:st|nd|rd|th|am|pm)?)"
)
_DAYS = frozenset(
    {f"{day}day{s}" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun") for s in ("", "s")}
)
_ONLY_A_TIME = re.compile(rf"(?i)(?:{_TIME_WORD}(?:[\s,.!;-]+|$))+")
_COMPARING = frozenset({"too", "instead", "else"})


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of the conversation, the oldest first in a sequence."""

    role: str
    text: str = field(repr=False)


def leans(question: str, turns: Sequence[Said]) -> bool:
    """Whether a question cannot be understood, or not searched for, without the turns before it."""
    if _NEW_TOPIC.search(question):
        return False
    if UNSPACED.search(question):
        return _leans_unspaced(question)
    bare_question = without_chatter(question)
    words = words_of(bare_question)
    if not words:
        return False
    said = [turn.text for turn in turns]
    if means_the_subject(bare_question, said):
        # "What plan is she on?" names whom it is about: the person whose memories these are.
        return takes_up(question, said) or _points_back(bare_question, words)
    if _refers_back(bare_question, words) or goes_on(question) or not _has_content(words):
        return True
    if _own_matter_is_named(question) or is_of_another_tongue(question, said):
        return False
    return takes_up(question, said) or not names_its_matter(bare_question)


def _refers_back(question: str, words: Sequence[str]) -> bool:
    """Whether a question points back plainly, whatever was said and in whatever language."""
    return _points_back(question, words) or _has_open_pronoun(question)


def _points_back(question: str, words: Sequence[str]) -> bool:
    first = form_of(words[0])
    is_going_on = first in _links(question) or first in word_list("same")
    return is_going_on or _POINTING.search(question) is not None


def goes_on(question: str) -> bool:
    """Whether it is a part of a question that goes on from the last one: "and the windows?"."""
    words = [form_of(word) for word in words_of(question)]
    opener = next((word for word in words if word not in word_list("chatter")), "")
    return opener in _links(question) and not is_whole(question)


def _has_content(words: Sequence[str]) -> bool:
    return any(is_content(word) and not is_little(form_of(word)) for word in words)


def _own_matter_is_named(question: str) -> bool:
    """Whether a name or a code stands in it. In German every noun has a capital, so only a code is one for sure."""
    names = [name for name in own_names(question) if form_of(name) not in _DAYS]
    if tongue_of(question) == "de":
        return any(" " in name or any(c.isdigit() for c in name) for name in names)
    return bool(names)


def leans_alone(statement: str) -> bool:
    """Whether a statement holds a pronoun that nothing in it explains; said without its turn, nobody knows of whom.

    One tells what it is about before it goes on with another clause: "the heating stays cold, it happens often".
    """
    words = words_of(statement)
    return bool(words) and (
        form_of(words[0]) in word_list("link") or _has_open_pronoun(statement, is_statement=True)
    )


def is_only_a_time(statement: str) -> bool:
    """Whether a statement is nothing but a day or an hour: the answer to a question, and to no other."""
    return _ONLY_A_TIME.fullmatch(statement.strip()) is not None


def _leans_unspaced(question: str) -> bool:
    return any(
        word in question
        for name in ("person", "thing", "place")
        for word in word_list(name)
        if UNSPACED.search(word)
    )


def _has_open_pronoun(question: str, *, is_statement: bool = False) -> bool:
    """A pronoun with nothing before it that it could stand for, in the question or the statement."""
    shown = _EMPTY_IT.sub(" ", spread(question))
    tongue = tongue_of(question)
    return any(
        _is_open(found.group(), tongue, before=shown[: found.start()], after=shown[found.end() :])
        and not (is_statement and _is_told(found.group(), shown[: found.start()]))
        for found in TOKEN.finditer(shown)
    )


def _is_open(token: str, tongue: str, *, before: str, after: str) -> bool:
    word = form_of(token)
    if word in _COMPARING:
        return not (_ONLY_DEGREE.match(after) or after.startswith(" of "))
    if tongue == "de" and before.strip() and token in _ADDRESS:
        return False
    if word in word_list(f"not {tongue}"):
        return False
    if word in word_list("person") or word in word_list(f"person {tongue}"):
        return not (own_names(before) or PERSON_NOUN.search(before) or _is_doubled(tongue, before))
    if word in word_list("thing"):
        has_noun_before = follows_its_noun(before) or _is_doubled(tongue, before)
        is_person = word.startswith("the") and PERSON_NOUN.search(before)
        return not (own_names(before) or has_noun_before or is_person)
    if word in word_list("place"):
        is_empty = _EMPTY_THERE_BEFORE.search(before) or _EMPTY_THERE_AFTER.match(after)
        return not (own_names(before) or is_empty)
    return False


def means_the_subject(question: str, said: Sequence[str]) -> bool:
    """Whether the pronouns of a question are of a person, and nobody whom they could mean was spoken of."""
    shown = _EMPTY_IT.sub(" ", spread(question))
    tongue = tongue_of(question)
    open_words = [
        form_of(found.group())
        for found in TOKEN.finditer(shown)
        if _is_open(found.group(), tongue, before=shown[: found.start()], after=shown[found.end() :])
    ]
    return bool(open_words) and all(is_of_a_person(word) and not may_mean(word, said) for word in open_words)


def _is_told(token: str, before: str) -> bool:
    """Whether a clause before a pronoun of things says what is spoken of."""
    clause, comma, _ = before.rpartition(",")
    return bool(comma) and form_of(token) in word_list("thing") and tells_of_something(clause)


def _is_doubled(tongue: str, before: str) -> bool:
    """French says the noun and its pronoun: "le magasin ferme-t-il"."""
    return tongue == "fr" and has_noun(before)


def own_names(text: str) -> list[str]:
    """Names and identifiers in a question: capitals inside it, digits and signs that make a code."""
    names = [name for name, _ in names_in(text, in_question=True)]
    return [name for name in names if not all(is_little(form_of(word)) for word in name.split())]


def without_chatter(question: str) -> str:
    """The question without what opens it only for politeness."""
    parts = question.split()
    while len(parts) > 1 and form_of(parts[0].strip(".,!…")) in word_list("chatter"):
        parts = parts[1:]
    links = _links(question)
    while len(parts) > 2 and form_of(parts[0].strip(".,!…")) in links:
        parts = parts[1:]
    return " ".join(parts)


def _links(question: str) -> frozenset[str]:
    return word_list("link") - word_list(f"not {tongue_of(question)}")
