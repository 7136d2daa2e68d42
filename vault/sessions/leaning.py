"""Whether a question leans on what was said before: by a pronoun without its noun, by ellipsis, by pointing. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from vault.sessions.wording import (
    TOKEN,
    UNSPACED,
    form_of,
    is_content,
    names_in,
    stem_of,
    word_list,
    words_of,
)

# A question with so few words of content that names nothing is an ellipsis.
ELLIPSIS_WORDS = 2

_NEW_TOPIC = re.compile(
    r"(?i)\b(?:(?:different|another|new) (?:topic|question|subject|matter)|something else|change of (?:topic|subject)"
    r"|unrelated|by the way|btw|anderes thema|autre sujet|otro tema)\b"
)
_POINTING = re.compile(
    r"(?i)\b(?:the (?:ones?|others?|two|three|first|second|third|last|latter|former|same)"
    r"|that (?:one|thing|guy|time|day)|this (?:one|thing|time)|which one"
    r"|the (?:day|week|month|year|time|one) (?:after|before)"
    r"|of (?:them|those|these|the two)|(?:what|how) about|since when|(?:was|is|do|does|did) that|were those"
    r"|(?:to|of|for|about|like|after|before|than) that|that too|and then|was ist mit|et pour|y para|to phir)\b"
    r"|\b(?:that|this)\s*[?.,!]"
)
# An it that stands for nothing: "what was it that", "is it true".
_EMPTY_IT = re.compile(
    r"(?i)\b(?:(?:was|is|were) it (?:that|who|true|possible|ok|okay|allowed|worth|the)"
    r"|it (?:is|was|seems?|seemed|appears?|happens?|happened|turns out|turned out) (?:that|who)"
    r"|it rains?|is it (?:\w+ing|cold|hot|late|early))\b"
)
_PERSON_NOUN = re.compile(
    r"(?i)\b(?:grand(?:ma|pa|mother|father|son|daughter)|mother|father|mum|mom|dad|sister|brother|wife|husband|son|daughter"
    r"|aunt|uncle|cousin|child|kid|boy|girl|man|woman|baby|neighbou?r|doctor|dentist|nurse|teacher|driver|boss|manager"
    r"|customer|client|tenant|patient|colleague|friend|person|people|owner|cleaner|caretaker|trainer|therapist|guest|visitor"
    r"|student|pupil|landlord|supplier|plumber|accountant|lawyer|dog|cat)s?\b"
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
_ONLY_A_TIME = re.compile(rf"(?i)(?:{_TIME_WORD}(?:[\s,.!;-]+|$))+")
_COMPARING = frozenset({"too", "instead", "else", "latter", "former"})


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
    words = words_of(without_chatter(question))
    if not words:
        return False
    if (
        form_of(words[0]) in word_list("link")
        or form_of(words[0]) in word_list("same")
        or _POINTING.search(question)
    ):
        return True
    if _has_open_pronoun(question):
        return True
    if own_names(question):
        return False
    content = [word for word in words if is_content(word)]
    said = {stem_of(form_of(word)) for turn in turns for word in words_of(turn.text) if is_content(word)}
    return len(content) <= ELLIPSIS_WORDS or any(stem_of(form_of(word)) in said for word in content)


def leans_alone(statement: str) -> bool:
    """Whether a statement holds a pronoun that nothing in it explains; said without its turn, nobody knows of whom."""
    words = words_of(statement)
    return bool(words) and (form_of(words[0]) in word_list("link") or _has_open_pronoun(statement))


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


def _has_open_pronoun(question: str) -> bool:
    """A pronoun with nothing before it in the question that it could stand for."""
    shown = _EMPTY_IT.sub(" ", question)
    return any(
        _is_open(form_of(found.group()), before=shown[: found.start()], after=shown[found.end() :])
        for found in TOKEN.finditer(shown)
    )


def _is_open(word: str, *, before: str, after: str) -> bool:
    if word in _COMPARING:
        return True
    if word in word_list("person"):
        return not (own_names(before) or _PERSON_NOUN.search(before))
    if word in word_list("thing"):
        return not (own_names(before) or (word.startswith("the") and _PERSON_NOUN.search(before)))
    if word in word_list("place"):
        is_empty = _EMPTY_THERE_BEFORE.search(before) or _EMPTY_THERE_AFTER.match(after)
        return not (own_names(before) or is_empty)
    return False


def own_names(text: str) -> list[str]:
    """Names and identifiers in a question: capitals inside it, digits and signs that make a code."""
    return [name for name, _ in names_in(text, in_question=True)]


def without_chatter(question: str) -> str:
    """The question without what opens it only for politeness."""
    parts = question.split()
    while len(parts) > 1 and form_of(parts[0].strip(".,!…")) in word_list("chatter"):
        parts = parts[1:]
    while len(parts) > 2 and form_of(parts[0].strip(".,!…")) in word_list("link"):
        parts = parts[1:]
    return " ".join(parts)
