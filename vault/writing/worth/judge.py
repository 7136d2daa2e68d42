"""Weighs closeness to examples and the words of a line. Pure except for the embedding."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import re2
from numpy.typing import NDArray

from vault.embedding import EmbeddingFailed, embed
from vault.types import Kind
from vault.writing.worth.cues import Cue, has

Vector = NDArray[np.float32]

_FOLDER = Path(__file__).parent
NEAREST = 3
# What one family of words moves the margin, in units of a cosine.
CUE_STEP = 0.1
# An explicit write is only refused when examples and words agree, and clearly.
REFUSAL_MARGIN = -0.15
# What is shorter says too little to be sure that it says nothing.
MIN_REFUSED_CHARACTERS = 20
# Examples this far away say nothing against words that only speak for keeping.
FAR = 0.25
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_RAW = re2.compile(
    r"(?i)^traceback\b|\bexit code \d|\bstderr\b|\bHTTP \d{3}\b|\b\d+ ms\b|\btook_ms\b|\brow \d+:"
    r"|\b\d+ rows\b|\bnull count\b|\btruncated at\b|[\w.]+(?:Error|Exception)\b.*\bline \d+"
)
_NUMBERS = re.compile(r"\d+(?:[.,:]\d+)*")
# A list of so many numbers and parts is a table's row, not a statement.
DENSE_NUMBERS, DENSE_COMMAS = 3, 3


class Reason(StrEnum):
    PREFERENCE = "preference"
    RECURRING_PROBLEM = "recurring_problem"
    DECISION = "decision"
    CONSTRAINT = "constraint"
    STABLE_FACT = "stable_fact"
    LESSON = "lesson"
    RAW_TOOL_OUTPUT = "raw_tool_output"
    ONE_OFF = "one_off"
    MOOD = "mood"
    GUESS_AS_FACT = "guess_as_fact"
    TRIVIALLY_LOOKUP = "trivially_lookup"
    CHATTER = "chatter"
    INSTRUCTION_TO_AGENT_ONLY_NOW = "instruction_to_agent_only_now"
    TOO_VAGUE = "too_vague"

    @property
    def is_worth_keeping(self) -> bool:
        return self in KEPT


KEPT = frozenset(list(Reason)[:6])
MOMENTARY = frozenset({Reason.ONE_OFF, Reason.INSTRUCTION_TO_AGENT_ONLY_NOW})
KIND_OF_REASON = {
    Reason.LESSON: Kind.LESSON,
    Reason.RECURRING_PROBLEM: Kind.EVENT,
    Reason.DECISION: Kind.EVENT,
}
IMPORTANCE = {
    Reason.PREFERENCE: 0.8,
    Reason.CONSTRAINT: 0.85,
    Reason.DECISION: 0.75,
    Reason.LESSON: 0.7,
    Reason.RECURRING_PROBLEM: 0.65,
    Reason.STABLE_FACT: 0.6,
}
# Families of words, and the reasons that they speak for.
_SPEAKS_FOR: dict[str, tuple[Reason, ...]] = {
    "recurring": (Reason.RECURRING_PROBLEM,),
    "lesson": (Reason.LESSON,),
    "lasting": (Reason.STABLE_FACT,),
    "fleeting": (Reason.ONE_OFF,),
    "order": (Reason.INSTRUCTION_TO_AGENT_ONLY_NOW,),
    "case": (Reason.INSTRUCTION_TO_AGENT_ONLY_NOW,),
    "mood": (Reason.MOOD,),
    "guess": (Reason.GUESS_AS_FACT,),
    "vague": (Reason.TOO_VAGUE,),
    "world": (Reason.TRIVIALLY_LOOKUP,),
}


@dataclass(frozen=True, slots=True)
class Worth:
    """What a line is most like. `margin` is above zero when it is worth keeping."""

    reason: Reason
    margin: float
    is_asked: bool = False

    @property
    def is_worth_keeping(self) -> bool:
        return self.reason.is_worth_keeping

    @property
    def kind(self) -> Kind:
        """The kind of memory that it would be."""
        return KIND_OF_REASON.get(self.reason, Kind.FACT)

    @property
    def importance(self) -> float:
        return IMPORTANCE.get(self.reason, 0.3)


def judge_worth(
    text: str, *, origin: str = "user", vector: Vector | None = None, is_asked: bool = False
) -> Worth:
    """What a line is, by examples and by its words. `origin` is user, agent or tool.

    `vector` may be the text's own, to spare the model; when the model fails, the words alone decide. What somebody
    asked to remember (`is_asked`) is worth it, and the question is only what of that it is.
    """
    closeness = _closeness(text, vector)
    scores = dict(closeness)
    all_spoken = _spoken_for(text, origin)
    for reason in all_spoken:
        scores[reason] += CUE_STEP
    spoken = KEPT.intersection(all_spoken)
    if Reason.RECURRING_PROBLEM not in spoken:
        # Any fault is like one that comes back; that it does has to be said.
        del scores[Reason.RECURRING_PROBLEM]
    best = max(scores, key=lambda reason: scores[reason])
    if is_asked:
        # Without a word that says otherwise it is a fact: examples alone are too weak for a kind.
        best = max(spoken, key=lambda reason: scores[reason]) if spoken else Reason.STABLE_FACT
    elif spoken and len(spoken) == len(set(all_spoken)) and max(closeness.values()) < FAR:
        best = max(spoken, key=lambda reason: scores[reason])
    elif not spoken and not MOMENTARY.isdisjoint(all_spoken):
        # It says that it holds now, and no word that it lasts or comes back, whatever lasting things it is like.
        best = max(set(scores) - KEPT, key=lambda reason: scores[reason])
    kept = max(value for reason, value in scores.items() if reason in KEPT)
    dropped = max(value for reason, value in scores.items() if reason not in KEPT)
    return Worth(best, round(kept - dropped, 4), is_asked)


def refused_as_write(text: str, *, origin: str, vector: Vector | None) -> Reason | None:
    """Why an explicit write is refused; None for nearly all, for whoever writes on purpose has a reason.

    Only raw output of tools and chatter are refused, and only where examples and words agree.
    """
    spoken = set(_spoken_for(text, origin))
    certain = spoken & {Reason.RAW_TOOL_OUTPUT, Reason.CHATTER}
    if not certain or spoken & KEPT or len(text) < MIN_REFUSED_CHARACTERS:
        return None
    worth = judge_worth(text, origin=origin, vector=vector)
    return worth.reason if worth.reason in certain and worth.margin <= REFUSAL_MARGIN else None


def _closeness(text: str, vector: Vector | None) -> dict[Reason, float]:
    try:
        own = vector if vector is not None else np.asarray(embed([text])[0])
        matrix, places = _examples()
    except EmbeddingFailed:
        return dict.fromkeys(Reason, 0.0)
    near = matrix @ own
    return {reason: float(np.sort(near[place])[-NEAREST:].mean()) for reason, place in places.items()}


def _spoken_for(text: str, origin: str) -> list[Reason]:
    """The reasons that the words of a line speak for; one may stand there twice."""
    found = [
        reason
        for family, reasons in _SPEAKS_FOR.items()
        if _family(family).search(text)
        for reason in reasons
    ]
    found += [Reason.PREFERENCE] * has(Cue.PREFERENCE, text)
    found += [Reason.CONSTRAINT] * has(Cue.CONSTRAINT, text)
    found += [Reason.DECISION] * has(Cue.DECISION, text)
    found += [Reason.CHATTER] * has(Cue.GREETING, text)
    found += [Reason.RAW_TOOL_OUTPUT] * is_raw(text, origin)
    return found


def is_raw(text: str, origin: str) -> bool:
    """Whether a line looks like what a program prints."""
    if _RAW.search(text) is not None or _is_json(text):
        return True
    dense = len(_NUMBERS.findall(text)) >= DENSE_NUMBERS and len(re.findall(r"[,;|]", text)) >= DENSE_COMMAS
    return dense and origin != "user"


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except ValueError:
        return False


@lru_cache(maxsize=1)
def _examples() -> tuple[Vector, dict[Reason, slice]]:
    """The vectors of all examples in one matrix, and which rows are whose; made once."""
    parts: dict[Reason, list[str]] = {}
    for section, lines in _sections("examples.txt").items():
        parts[Reason(section)] = lines
    places: dict[Reason, slice] = {}
    first = 0
    for reason, lines in parts.items():
        places[reason] = slice(first, first + len(lines))
        first += len(lines)
    return np.asarray(embed([line for lines in parts.values() for line in lines])), places


@lru_cache(maxsize=16)
def _family(name: str) -> Any:
    """The words of one family: whole words, except in scripts without spaces."""
    lines = _sections("families.txt")[name]
    spaced = "|".join(line for line in lines if not _UNSPACED.search(line))
    glued = [line for line in lines if _UNSPACED.search(line)]
    return re2.compile("|".join([rf"(?i)(?:^|[^\pL\pM\pN])(?:{spaced})(?:[^\pL\pM\pN]|$)", *glued]))


@lru_cache(maxsize=2)
def _sections(file: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    section = ""
    for line in (_FOLDER / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            found.setdefault(section, []).append(line.strip())
    return found
