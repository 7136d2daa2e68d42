"""What of a session is worth keeping, as statements that stand alone. Deterministic; a model is another module.

A statement is a sentence of one turn, quoted with its speaker where it speaks in the first person: a rewriting could
say what nobody said. It is never believed more than its turn. Nothing is drafted from a turn that looked like an order
to the assistant, nor from what stood beside a credential.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vault.retrieval.turns import OpenedTurn
from vault.sessions.leaning import leans_alone
from vault.sessions.records import source_of
from vault.sessions.roles import Role
from vault.sessions.screening import DISTRUSTED
from vault.sessions.summarise import sentences_of
from vault.types import Action, Category, Kind, SourceType, Trust
from vault.writing.worth import Worth, judge_worth
from vault.writing.worth.cues import is_question

MAX_DRAFTS = 12
MIN_WORDS, MIN_UNSPACED_CHARACTERS = 4, 6
# A turn this short is one statement; of a longer one, each sentence is looked at by itself.
SHORT_CHARACTERS = 160
MAX_STATEMENT_CHARACTERS = 400
_FIRST_PERSON = re.compile(
    r"(?i)\b(?:i|i'm|i've|i'll|i'd|my|mine|me|we|our|us|we're|we've|ich|mein\w*|wir|unser\w*|je|j'|mon|ma|mes|nous|notre"
    r"|yo|mi|mis|nosotros|nuestr\w+|main|mera|meri|mere|hum|hamara)\b|मैं|मेर|हम|私|أنا"
)


@dataclass(frozen=True, slots=True)
class Lasting:
    """One statement to keep, with the turn that it comes from."""

    turn: int
    text: str = field(repr=False)
    kind: Kind
    reason: str
    importance: float
    trust: Trust
    source: SourceType
    margin: float = 0.0


def draft_lasting(turns: Sequence[OpenedTurn], *, most: int = MAX_DRAFTS) -> list[Lasting]:
    """The statements most worth keeping, in the order in which they were said."""
    found = [draft for turn in turns for draft in _of_turn(turn)]
    best: dict[str, Lasting] = {}
    for draft in sorted(found, key=lambda d: -(d.importance + d.margin)):
        best.setdefault(draft.text.casefold(), draft)
    return sorted(list(best.values())[:most], key=lambda draft: draft.turn)


def is_suspicious(turn: OpenedTurn) -> bool:
    """Whether screening found an order to the assistant or a hidden carrier in the turn."""
    return any(f.category in DISTRUSTED and f.action is not Action.ALLOW for f in turn.content.findings)


def can_be_drafted(turn: OpenedTurn) -> bool:
    return turn.row.role != Role.SYSTEM and bool(turn.lasting_text) and not is_suspicious(turn)


def standing_alone(sentence: str, turn: OpenedTurn) -> str:
    """The statement with who said it, where it would not be understood without."""
    speaker = turn.speaker or ("The user" if turn.row.role == Role.USER else "")
    if speaker and (turn.speaker or _FIRST_PERSON.search(sentence)):
        return f'{speaker} said: "{sentence}"'
    return sentence


def _of_turn(turn: OpenedTurn) -> Iterable[Lasting]:
    if not can_be_drafted(turn):
        return
    had_secret = any(f.category is Category.SECRET for f in turn.content.findings)
    for sentence in _statements(turn.lasting_text):
        if had_secret and "<" in sentence:
            continue
        worth = judge_worth(sentence, origin=origin_of(turn))
        if worth.is_worth_keeping:
            yield lasting(sentence, turn, worth)


def origin_of(turn: OpenedTurn) -> str:
    return {Role.USER: "user", Role.TOOL: "tool"}.get(Role(turn.row.role), "agent")


def lasting(sentence: str, turn: OpenedTurn, worth: Worth) -> Lasting:
    """A draft from one sentence of a turn."""
    return Lasting(
        turn.row.number, standing_alone(sentence, turn), worth.kind, worth.reason.value, worth.importance,
        Trust(turn.row.trust), source_of(turn.row.role, is_outside=turn.row.trust == Trust.UNTRUSTED), worth.margin,
    )  # fmt: skip


def _statements(text: str) -> list[str]:
    """The sentences of a text that say something by themselves."""
    parts = [text.strip()] if len(text) <= SHORT_CHARACTERS else sentences_of(text)
    return [part for part in parts if _says_something(part)]


def _says_something(sentence: str) -> bool:
    if is_question(sentence) or len(sentence) > MAX_STATEMENT_CHARACTERS:
        return False
    if sentence.isascii():
        return len(sentence.split()) >= MIN_WORDS and not leans_alone(sentence)
    return len(sentence) >= MIN_UNSPACED_CHARACTERS
