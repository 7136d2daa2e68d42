"""What somebody does by a sentence rather than says with it: greets, acknowledges, promises, offers, asks to remember.

Pure; several languages by their commonest words. The patterns run on a linear-time engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import re2

_FILE = Path(__file__).with_name("speech_acts.txt")
# Scripts without spaces between words.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_PUNCTUATION = re.compile(r"^[\W_]+|[\W_]+$")
MAX_OPENERS = 3
# Of itself an assistant speaks in its first words, or after them in the future.
_SELF = re2.compile(
    r"(?i)^(?:\pL+[ ,]+){0,3}(?:i|i'm|i've|i'd)(?:[^\pL\pM\pN]|$)"
    r"|(?:^|[^\pL\pM\pN])(?:ich|je|j'\pL+|मैं)(?:[^\pL\pM\pN]|$)|私"
)
_CONJUNCTION = re.compile(r"(?i)(?:that|que|che|ki|कि|أن|[:,])\s*$")
_SUBJECT = re.compile(r"(?i)(?:i|i'm|i've|my|we|we're|we've|our|the|he|she|they|his|her|their|there)\b")
# In German the verb of what is to be remembered stands last: "merk dir, dass ich in Graz wohne".
_VERB_LAST = re.compile(r"(?i)^(?:[\wäöüß]+[ ,]+){1,6}?dass? (?P<clause>.+)$")
# One clause, without another inside, of which the subject is a pronoun or a noun with one word before it.
_SIMPLE_CLAUSE = re.compile(
    r"(?P<who>(?i:ich|wir|du|er|sie|es|man)|(?i:mein|meine|unser|unsere|der|die|das) [A-ZÄÖÜ][\wäöüß-]+)"
    r" (?P<rest>(?:(?!\b(?:und|oder|aber|sowie)\b)[^,;:])+) (?P<verb>[\wäöüß]+)(?P<end>[.!]*)"
)
_SEPARABLE = re.compile(
    r"(?i)(?:ab|an|auf|aus|bei|ein|fest|fort|her|hin|los|mit|nach|teil|um|vor|weg|weiter|zu|zurück|zusammen)\w{3,}"
)
_ADDRESSED = re2.compile(
    r"(?i)(?:^|[^\pL\pM\pN])(?:you|your|you're|du|dir|dein\w*|sie|ihnen|ihr\w*|usted|su|tu|tus|vous|votre|vos"
    r"|आप|आपको|आपका|आपकी|aap|aapko|aapka|aapki)(?:[^\pL\pM\pN]|$)"
)


@dataclass(frozen=True, slots=True)
class ToKeep:
    """A statement that the speaker asked to keep; of the sentence beside it when it has none of its own."""

    text: str = field(repr=False)


def is_courtesy(sentence: str) -> bool:
    """Whether nothing but politeness or a call for attention is left of a sentence."""
    rest = sentence
    for _ in range(MAX_OPENERS):
        if any(_is_whole(act, rest) for act in ("courtesy", "opening", "agreement")):
            return True
        shorter = without_opener(rest)
        if shorter == rest:
            return False
        rest = shorter
    return not _PUNCTUATION.sub("", rest)


def without_opener(sentence: str) -> str:
    """A sentence without the agreement or greeting that opens it."""
    return sentence[_opener("agreement", sentence) :].lstrip(" ,.!;:–—-、。！")


def without_reminder(sentence: str) -> str:
    """A sentence without what says that it was said before."""
    return sentence[_opener("again", sentence) :].lstrip(" ,.!;:–—-、。！")


def is_receipt(sentence: str) -> bool:
    """Whether a sentence says that something was heard."""
    return any(_opener("receipt", each) > 0 for each in (sentence, without_opener(sentence)))


def is_about_the_assistant(sentence: str) -> bool:
    """Whether an assistant tells here what it does, will do or offers: nothing of anybody else."""
    rest = without_opener(sentence)
    return any(_holds(act, rest) for act in ("promise", "offer")) or speaks_of_itself(rest)


def speaks_of_itself(sentence: str) -> bool:
    return _SELF.search(sentence) is not None


def addresses(sentence: str) -> bool:
    """Whether a sentence speaks to somebody."""
    return _ADDRESSED.search(sentence) is not None


def asked_to_keep(sentence: str) -> ToKeep | None:
    """What a speaker asks to remember by this sentence; an empty text when it is about the sentence beside it."""
    if _is_whole("remember_this", sentence):
        return ToKeep("")
    clause = _VERB_LAST.match(sentence)
    if clause and _is_whole("remember_whole", sentence):
        return ToKeep(_verb_second(clause["clause"]))
    if _is_whole("remember_whole", sentence):
        return ToKeep(sentence)
    found = [pattern.search(sentence) for pattern in _patterns("remember", r"(?i)^[\s\pP]*(?:{})")]
    end = max((each.end() for each in found if each), default=0)
    request, text = sentence[:end], sentence[end:].strip()
    # "Remember to call" is an order; "remember I am left-handed" is none.
    if not request or not (_CONJUNCTION.search(request) or _SUBJECT.match(text)):
        return None
    return ToKeep(text)


def _verb_second(clause: str) -> str:
    """A German clause behind "dass" as a sentence; as it was said where its verb cannot be moved for sure."""
    found = _SIMPLE_CLAUSE.fullmatch(clause)
    if found is None or _SEPARABLE.match(found["verb"]):
        return f"Dass {clause}"
    return f"{found['who']} {found['verb']} {found['rest']}{found['end']}"


def _is_whole(section: str, sentence: str) -> bool:
    """Whether a sentence is nothing else."""
    return any(pattern.search(sentence) for pattern in _patterns(section, r"(?i)^[\s\pP]*(?:{})[\s\pP]*$"))


def _opener(section: str, sentence: str) -> int:
    """Where the rest of a sentence begins that opens so; 0 when it does not."""
    found = [
        pattern.search(sentence) for pattern in _patterns(section, r"(?i)^[\s\pP]*(?:{})(?:[^\pL\pM\pN]|$)")
    ]
    return max((each.end() for each in found if each), default=0)


def _holds(section: str, sentence: str) -> bool:
    """Whether the words stand anywhere in a sentence: whole words, except in scripts without spaces."""
    return any(
        pattern.search(sentence)
        for pattern in _patterns(section, r"(?i)(?:^|[^\pL\pM\pN])(?:{})(?:[^\pL\pM\pN]|$)")
    )


@lru_cache(maxsize=32)
def _patterns(section: str, frame: str) -> tuple[Any, ...]:
    """One pattern a language: all in one would not fit the engine's memory."""
    return tuple(
        re2.compile(f"(?i){line}" if "^|" in frame and _UNSPACED.search(line) else frame.replace("{}", line))
        for line in _sections()[section]
    )


@lru_cache(maxsize=1)
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    section = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            found.setdefault(section, []).append(line.strip())
    return found
