"""Weighs terms against closeness to the examples, and against what shows that nobody is spoken of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from vault.screening.credentials.scan import Scanned
from vault.screening.sensitive.lexicon import Term, find_terms
from vault.screening.sensitive.markup import Span, markup_in, without

_FILE = Path(__file__).with_name("prototypes.txt")
NONE = "none"
NEAREST = 3

# How much closer to a category's examples than to the ordinary ones a text must lie, by what its words say.
MARGIN_MARKED = -0.1
MARGIN_PLAIN = 0.16
MARGIN_PLAIN_TWICE = 0.05
# Questions and orders to a model speak of a topic, hardly ever of the person whose memory this is.
MARGIN_REQUEST = 0.2
# A manual, a page or a form speaks of a topic; somebody's memory names or points at somebody.
MARGIN_NOBODY = 0.12
# In a longer text only the sentences around terms are looked at, and no more of them than this.
LONG_CHARACTERS = 300
MAX_SENTENCES = 4

Vector = Any
Embed = Callable[[Sequence[str]], Vector]


@dataclass(frozen=True, slots=True)
class SensitiveHit:
    category: str
    start: int
    end: int
    score: float
    detector: str


@dataclass(frozen=True, slots=True)
class _Manner:
    """How a text speaks: in English, as a request to somebody, of somebody."""

    is_english: bool
    is_request: bool
    # A short memory often leaves out whom it is about ("Off sick until May"): it needs to name nobody.
    names_somebody: bool = True


def _manner_of(scanned: Scanned) -> _Manner:
    return _Manner(is_english=_is_english(scanned), is_request=bool(_REQUEST.search(scanned.text)))


def _manner_within(scanned: Scanned, whole: _Manner) -> _Manner:
    """The manner of a sentence in a longer text, which says what kind of text it stands in."""
    names_somebody = bool(_SOMEBODY.search(scanned.text) or _NAME.search(scanned.text))
    is_request = whole.is_request or bool(_REQUEST.search(scanned.text))
    return _Manner(whole.is_english, is_request, names_somebody)


@lru_cache(maxsize=4)
def load_examples(embed: Embed) -> dict[str, Vector]:
    """The vectors of the examples, by category, made once with the embedding in use."""
    sentences: dict[str, list[str]] = {}
    category = NONE
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            category = line.strip("[]")
        elif line and not line.startswith("#"):
            sentences.setdefault(category, []).append(line)
    return {name: embed(lines) for name, lines in sentences.items()}


@lru_cache(maxsize=4)
def _stacked(embed: Embed) -> tuple[Vector, dict[str, slice]]:
    """All examples in one matrix, and which rows are whose: one product instead of ten."""
    examples = load_examples(embed)
    places: dict[str, slice] = {}
    first = 0
    for name, rows in examples.items():
        places[name] = slice(first, first + len(rows))
        first += len(rows)
    return np.concatenate(list(examples.values())), places


def margins(vector: Vector, embed: Embed) -> dict[str, float]:
    """For each category: mean similarity to its nearest examples, less that to the ordinary ones."""
    matrix, places = _stacked(embed)
    similarities = matrix @ vector
    near = {name: _near(similarities[place]) for name, place in places.items()}
    return {name: value - near[NONE] for name, value in near.items() if name != NONE}


def _near(similarities: Vector) -> float:
    return float(np.partition(similarities, -NEAREST)[-NEAREST:].mean())


def find_sensitive(text: str, *, embed: Embed | None) -> list[SensitiveHit]:
    """What the text says of a person, at most one finding a category. Without `embed`, marked terms decide.

    Terms propose and closeness to the examples decides, so a text without any term is never embedded: on the
    development half no text was found by closeness alone, and nine texts in ten have no term.
    """
    if embed is not None and len(text) > LONG_CHARACTERS:
        return _in_sentences(text, embed)
    return _in_statement(text, embed)


def _in_sentences(text: str, embed: Embed) -> list[SensitiveHit]:
    marked = sorted(term.start for term in find_terms(Scanned(text)) if term.is_marked)
    best: dict[str, SensitiveHit] = {}
    whole = _manner_of(Scanned(text))
    for start, end in _sentences(text, marked)[:MAX_SENTENCES]:
        sentence = text[start:end]
        for hit in _in_statement(sentence, embed, whole):
            placed = replace(hit, start=start + hit.start, end=start + hit.end)
            if hit.category not in best or best[hit.category].score < hit.score:
                best[hit.category] = placed
    return [best[category] for category in sorted(best)]


def _sentences(text: str, offsets: Sequence[int]) -> list[tuple[int, int]]:
    """The sentences that hold the offsets, in order and without repeats."""
    edges = [0, *(m.end() for m in _SENTENCE_END.finditer(text)), len(text)]
    found = {index: None for offset in offsets for index in [bisect_right(edges, offset) - 1]}
    return [(edges[i], min(edges[i + 1], edges[i] + LONG_CHARACTERS)) for i in found if i + 1 < len(edges)]


def _in_statement(text: str, embed: Embed | None, whole: _Manner | None = None) -> list[SensitiveHit]:
    scanned = Scanned(text)
    manner = _manner_of(scanned) if whole is None else _manner_within(scanned, whole)
    markup = markup_in(text)
    terms: dict[str, list[Term]] = {}
    for term in find_terms(scanned):
        # A plain word in a tag or an address ("class", "/white") names a thing.
        if term.is_marked or not _holds(markup, term):
            terms.setdefault(term.category, []).append(term)
    by_category: dict[str, float] = {}
    if terms and embed and manner.is_english:
        by_category = margins(embed([_spoken(text, markup, terms)])[0], embed)
    hits = []
    for category in sorted(terms):
        hit = _judge(scanned, category, terms[category], by_category.get(category), manner)
        if hit is not None:
            hits.append(hit)
    return hits


def _spoken(text: str, markup: Sequence[Span], terms: dict[str, list[Term]]) -> str:
    """The text without the tags and addresses that hold no term."""
    return without(
        text, [span for span in markup if not any(_holds([span], t) for t in chain(*terms.values()))]
    )


def _holds(spans: Sequence[Span], term: Term) -> bool:
    return any(start <= term.start < end for start, end in spans)


def _judge(
    scanned: Scanned, category: str, terms: list[Term], margin: float | None, manner: _Manner
) -> SensitiveHit | None:
    marked = [term for term in terms if term.is_marked]
    spoken = (marked or terms)[0]
    if margin is None:
        return SensitiveHit(category, spoken.start, spoken.end, 0.7, "lexicon") if marked else None
    need = MARGIN_MARKED if marked else MARGIN_PLAIN
    if len(terms) > 1 and not marked:
        need = MARGIN_PLAIN_TWICE
    if manner.is_request:
        need = max(need, MARGIN_REQUEST)
    if not manner.names_somebody:
        need = max(need, MARGIN_NOBODY)
    if margin < need:
        return None
    score = round(min(0.99, 0.7 + margin), 2)
    return SensitiveHit(category, spoken.start, spoken.end, score, "lexicon-and-examples")


_SENTENCE_END = re.compile(r"[.!?。！？]\s+|\n+")
_REQUEST = re.compile(
    r"(?i)\?\s*$|^\W*(?:please|can|could|would|will) (?:you|i|we)\b|^\W*(?:please|write|design|develop|imagine|"
    r"explain|provide|describe|create|generate|compose|draft|list|give|tell|show|suggest|discuss|analy[sz]e|compare|"
    r"summari[sz]e|translate|how|what|where|why|which|when|who|is it|are there|do you|does|you are|you're|act as|"
    r"pretend|let's|as an? [a-z ]+,|in an? |in the (?:role|\w+ universe)|assume|suppose|consider|try to|picture|act|"
    r"take on|"
    r"play|your task|you will|you need|you must)\b"
)
# Who a statement can be about: people by pronoun, by what they are to somebody, by name.
_SOMEBODY = re.compile(
    r"(?i)\b(?:i|i'm|i've|my|me|mine|we|our|us|he|she|his|her|him|hers|they|their|them|theirs|who|"
    r"mr|mrs|ms|mx|dr|mum|mom|dad|mother|father|parents?|sons?|daughters?|wife|husband|spouse|partner|girlfriend|"
    r"boyfriend|fianc[eé]e?|brothers?|sisters?|siblings?|aunt|uncle|cousin|nephew|niece|grand\w+|kids?|child(?:ren)?|boys?|girls?|"
    r"baby|twins?|man|woman|men|women|guy|friends?|neighbou?rs?|colleagues?|boss|manager|employee|staff|team|worker|"
    r"tenant|guest|users?|customers?|clients?|patients?|callers?|members?|students?|pupils?|candidate|applicant|driver|supplier|"
    r"applicants?|owner|speaker|person|claimant|defendant|subject|contact)\b"
)
# A capital in the middle of a sentence, or at its start before a verb.
_NAME = re.compile(
    r"(?<=[a-z,;:] )[A-Z][a-z]+\b|^\W*[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)*(?:'s|’s)? (?:\w+(?:s|ed)|had|went|got|ate)\b"
)
_ENGLISH = re.compile(
    r"\b(?:the|and|is|was|are|he|she|his|her|they|their|of|to|in|on|for|with|has|have|at|by|from|not|a|an|that|it|my|i|who|as)\b"
)


def _is_english(scanned: Scanned) -> bool:
    """Latin letters only, and some of the small words of English; short texts get the benefit of the doubt."""
    letters = [c for c in scanned.lowered if c.isalpha()]
    if not letters or sum(c.isascii() for c in letters) < 0.97 * len(letters):
        return False
    words = scanned.lowered.split()
    return len(_ENGLISH.findall(scanned.lowered)) >= len(words) / 8
