"""From a question within a conversation to a search query. Pure, deterministic, several languages.

A question that stands alone is left exactly as it is. One that leans on what was said gets what it lacks: the names and
identifiers of the recent turns, then their content words, the newest first, up to a length at which a search still
knows what is asked. Nothing is resolved that is not written there: two names are both better than the wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from vault.sessions.leaning import Said, goes_on, leans, without_chatter
from vault.sessions.subject_matter import asked_of, names_another
from vault.sessions.wording import UNSPACED, bare, form_of, is_content, names_in, stem_of, word_list, words_of
from vault.writing.worth.cues import is_question

# A query is not filled up beyond this many words, except that names always get in.
MAX_WORDS = 12
MIN_ADDED, MIN_ADDED_TO_NAMES = 4, 2
MAX_NAMES = 6
# So far back names are looked for; content words come from the nearest turns.
TURNS_LOOKED_AT = 8
TURNS_OF_WORDS = 4

# What screening left in the place of a value names nothing: <TOKEN>, <EMAIL_ADDRESS>.
_MASKED = re.compile(r"<[A-Z_]+>")
_IDEOGRAPHS = re.compile(r"[\u4e00-\u9fff\u30a0-\u30ff]{2,}")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_AFTER = re.compile(r"(?i)\b(?:the )?(?:day after|next day|following day)\b")
_DAY_BEFORE = re.compile(r"(?i)\b(?:the )?(?:day before|previous day)\b")


def transform(question: str, turns: Sequence[Said]) -> str:
    """The search query; exactly the question when it stands alone or nothing was said before."""
    recent = [Said(turn.role, _MASKED.sub(" ", turn.text)) for turn in list(turns)[-TURNS_LOOKED_AT:]]
    if not recent or not leans(question, recent):
        return question
    core = without_chatter(question)
    known = {form_of(word) for word in words_of(core)}
    names = [name for name in _names(recent) if not _all_known(name, known)][:MAX_NAMES]
    known |= {form_of(word) for name in names for word in name.split()}
    length = len(words_of(core)) + sum(len(name.split()) for name in names)
    if goes_on(question) and names_another(core, [turn.text for turn in recent]):
        asked = [form for form in _asked_before(recent) if form not in known]
        return " ".join([core, *asked]) if asked else question
    room = max(MAX_WORDS - length, MIN_ADDED_TO_NAMES if names else MIN_ADDED)
    filled = [*names, *_day(question, recent), *_content(recent, core, known)[:room]]
    return " ".join([core, *filled]) if filled else question


def _asked_before(turns: Sequence[Said]) -> list[str]:
    """What the user's last question asked of its matter; a part of a question about another asks the same of that."""
    asked = (turn.text for turn in reversed(turns) if turn.role == "user" and is_question(turn.text))
    return asked_of(next(asked, ""))


def _names(turns: Sequence[Said]) -> list[str]:
    """Names and identifiers of the turns, the newest turn first, without repeats; sure ones before likely ones."""
    sure: dict[str, str] = {}
    likely: dict[str, str] = {}
    lower = {form_of(w) for turn in turns for w in words_of(turn.text) if w[:1].islower()}
    for turn in reversed(turns):
        for name, is_sure in names_in(turn.text):
            form = form_of(name)
            is_talk = not is_sure and (form in word_list("talk") or form in word_list("light"))
            if (
                form not in lower
                and not is_talk
                and not any(form in known.split() for known in (*sure, *likely))
            ):
                (sure if is_sure else likely).setdefault(form, name)
    return [*sure.values(), *(name for form, name in likely.items() if form not in sure)]


def _content(turns: Sequence[Said], core: str, known: set[str]) -> list[str]:
    """Content words of the nearest turns, what the newest says first; each once."""
    found: dict[str, str] = {}
    stems = {stem_of(form) for form in known}
    for turn in list(reversed(turns))[:TURNS_OF_WORDS]:
        words = _IDEOGRAPHS.findall(turn.text) if UNSPACED.search(turn.text) else _nouns(turn.text)
        for word in words:
            form = form_of(word)
            if stem_of(form) not in stems:
                stems.add(stem_of(form))
                found[form] = word
    return list(found.values())


def _nouns(text: str) -> list[str]:
    """Content words but for those that stand where a verb does: behind its subject or its auxiliary, or in a list."""
    words = words_of(text)
    return [
        bare(word)
        for before, word in zip(["", *words], words, strict=False)
        if is_content(word)
        and form_of(word) not in word_list("talk")
        and form_of(before) not in word_list("before verb")
    ]


def _day(question: str, turns: Sequence[Said]) -> list[str]:
    """The weekday that "the day after" is, where one was named."""
    step = 1 if _DAY_AFTER.search(question) else -1 if _DAY_BEFORE.search(question) else 0
    if not step:
        return []
    for turn in reversed(turns):
        for word in words_of(turn.text):
            form = form_of(word).rstrip("s")
            if form in _WEEKDAYS:
                return [_WEEKDAYS[(_WEEKDAYS.index(form) + step) % 7].capitalize()]
    return []


def _all_known(name: str, known: set[str]) -> bool:
    return all(form_of(word) in known for word in name.split())
