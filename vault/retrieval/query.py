"""Light analysis of a query: whom it names, which date it speaks of, and what is left as its topic.

No model and no list of names: a person is recognised only as a speaker of memories that the caller may
read anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from vault.retrieval.tokens import STOPWORDS, QueryTokens, normalise, query_tokens, stems

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = "|".join(f"{name}|{name[:4]}|{name[:3]}" for name in MONTHS)
_DAY_AND_MONTH = re.compile(
    rf"(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<month>{_MONTH})\b\.?(?:\s+(?P<after>\d{{1,2}})(?!\d))?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_ISO_DATE = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
_WORD = re.compile(r"[^\W_]+")
# A near date is often the right one: memories are written down some days after what they tell of.
DAYS_APART_SCALE = 3.0


@dataclass(frozen=True, slots=True)
class TimeHint:
    """The months, days of the month and years that a query names; empty sets when it names none."""

    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    years: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class QueryHints:
    """What a query says besides its topic.

    `named` are speakers as given; `topic` is the query without their names (the whole query when nothing
    would be left), and `name_tokens` the keyword tokens that only name them.
    """

    topic: str
    tokens: QueryTokens
    named: frozenset[str] = frozenset()
    name_tokens: frozenset[str] = frozenset()
    time: TimeHint = TimeHint()


def analyse(query: str, *, speakers: Iterable[str] = ()) -> QueryHints:
    """Read a query against the speakers of the memories it may be answered from."""
    named = {speaker: _mentions(query, speaker) for speaker in sorted(set(speakers)) if speaker}
    named = {speaker: words for speaker, words in named.items() if words}
    words = frozenset().union(*named.values())
    topic = _without(query, words)
    return QueryHints(
        topic=topic if _WORD.search(topic) else query,
        tokens=query_tokens(query),
        named=frozenset(named),
        name_tokens=frozenset(f"s:{stem}" for word in words for stem in stems(word)),
        time=time_hint(query),
    )


def time_hint(query: str) -> TimeHint:
    """Months, days and years that a query names in English or as an ISO date; `may` only as a month."""
    months: set[int] = set()
    days: set[int] = set()
    for found in _DAY_AND_MONTH.finditer(query):
        day = found["before"] or found["after"]
        if found["month"].islower() and not day:
            continue  # "may", "march", "mar" as ordinary words; months are capitalised
        months.add(1 + [name[:3] for name in MONTHS].index(found["month"][:3].lower()))
        if day:
            days.add(int(day))
    for _, month, day in _ISO_DATE.findall(query):
        months.add(int(month))
        days.update([int(day)] if day else [])
    return TimeHint(frozenset(months), frozenset(days), frozenset(int(y) for y in _YEAR.findall(query)))


def date_match(hint: TimeHint, day: date) -> tuple[bool, float]:
    """Whether a memory's day falls into a month that the query names, and how near to a named day, 0..1."""
    in_month = day.month in hint.months and (not hint.years or day.year in hint.years)
    if not (in_month and hint.days):
        return in_month, 0.0
    apart = min(abs(day.day - named) for named in hint.days)
    return in_month, float(2.0 ** (-apart / DAYS_APART_SCALE))


def _mentions(query: str, speaker: str) -> frozenset[str]:
    """The words of the query that name the speaker, casefolded."""
    wanted = {normalise(word) for word in _WORD.findall(speaker) if len(word) > 1}
    return frozenset(
        normalise(word) for word in _WORD.findall(query) if normalise(word) in wanted and _can_be_a_name(word)
    )


def _can_be_a_name(word: str) -> bool:
    """An ordinary word (will, may) is a name only with a capital letter."""
    return word[:1].isupper() or normalise(word) not in STOPWORDS | set(MONTHS)


def _without(query: str, words: frozenset[str]) -> str:
    """The query without the given words and their possessive ending, spaces closed up."""

    def blank(found: re.Match[str]) -> str:
        return "" if normalise(found[1]) in words and _can_be_a_name(found[1]) else found[0]

    return " ".join(re.sub(r"([^\W_]+)(?:['’]s)?", blank, query).split())
