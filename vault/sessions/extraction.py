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
from vault.sessions.credentials import carried_text
from vault.sessions.matters import MAX_STATEMENT_CHARACTERS, matters
from vault.sessions.records import source_of
from vault.sessions.roles import Role
from vault.sessions.saying_again import Saying, without_repeats
from vault.sessions.sentences import sentences_of
from vault.sessions.speech_acts import (
    addresses,
    asked_to_keep,
    is_courtesy,
    without_reminder,
)
from vault.sessions.suspicion import is_suspicious
from vault.types import Kind, SourceType, Trust
from vault.writing.worth import Reason, Worth, judge_worth
from vault.writing.worth.cues import is_question

MAX_DRAFTS = 12
# What a user asked to remember, comes before all that was only said.
ASKED_IMPORTANCE = 0.95
_FIRST_PERSON = re.compile(
    r"(?i)\b(?:i|i'm|i've|i'll|i'd|my|mine|me|we|our|us|we're|we've|ich|mein\w*|mir|mich|wir|unser\w*|uns"
    r"|je|j'|mon|ma|mes|moi|nous|notre|nos|on (?:a|est|va|ne)|yo|mi|mis|soy|estoy|vivo|trabajo|tengo|prefiero|quiero"
    r"|necesito|puedo|me gusta|nosotr\w+|nuestr\w+|somos|estamos|tenemos|hemos|io|sono|ho|preferisco|mio|mia|abbiamo"
    r"|eu|sou|moro|tenho|prefiro|meu|minha|temos|main|mera|meri|mere|mujhe|maine|hum|humne|hamara|hamari|hamare)\b"
    r"|मैं|मेर|मुझ|हम|私|僕|うち|أنا|عندي|نحن"
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
    # The statement without who said it, the name of who did where one is known, and whether a tool did.
    statement: str = field(default="", repr=False)
    speaker: str = field(default="", repr=False)
    by_tool: bool = False


def draft_lasting(turns: Sequence[OpenedTurn], *, most: int = MAX_DRAFTS) -> list[Lasting]:
    """The statements most worth keeping, in the order in which they were said."""
    found = sorted((draft for turn in turns for draft in _of_turn(turn)), key=_by_worth)
    best = without_repeats(found, saying=saying_of, most=most)
    return sorted(best, key=lambda draft: draft.turn)


def _by_worth(draft: Lasting) -> tuple[bool, float]:
    """What was asked for first, then the weightiest."""
    return draft.importance < ASKED_IMPORTANCE, -(draft.importance + draft.margin)


def saying_of(draft: Lasting) -> Saying:
    """What a draft says, by which it is known again."""
    speaker = draft.speaker or ("tool" if draft.by_tool else "")
    return Saying(without_reminder(draft.statement), speaker, draft.trust.rank)


def can_be_drafted(turn: OpenedTurn) -> bool:
    return turn.row.role != Role.SYSTEM and bool(carried_text(turn)) and not is_suspicious(turn)


def standing_alone(sentence: str, turn: OpenedTurn, *, is_wish: bool = False) -> str:
    """The statement with who said it, where it would not be understood without: in the first person, or whose wish."""
    if turn.speaker:
        return f'{turn.speaker} said: "{sentence}"'
    speaker = {Role.USER: "The user", Role.ASSISTANT: "The assistant"}.get(Role(turn.row.role), "")
    is_of_the_user = is_wish and turn.row.role == Role.USER
    is_to_the_user = turn.row.role == Role.ASSISTANT and addresses(sentence)
    if speaker and (is_of_the_user or is_to_the_user or _FIRST_PERSON.search(sentence)):
        return f'{speaker} said: "{sentence}"'
    return sentence


def _of_turn(turn: OpenedTurn) -> Iterable[Lasting]:
    if not can_be_drafted(turn):
        return
    said = _said(turn)
    asked = _asked(said, turn)
    yield from (_quoted(text, turn, judge_worth(text, is_asked=True)) for text in asked.values())
    rest = [sentence for index, sentence in enumerate(said) if index not in asked]
    for statement, worth in matters(rest, turn):
        yield _quoted(statement, turn, worth)


def asked_for(turns: Iterable[OpenedTurn]) -> list[Lasting]:
    """What users asked to remember in so many words; no judgement may drop it."""
    return [
        _quoted(text, turn, judge_worth(text, is_asked=True))
        for turn in turns
        if can_be_drafted(turn)
        for text in _asked(_said(turn), turn).values()
    ]


def _said(turn: OpenedTurn) -> list[str]:
    """The sentences of a turn, without those that stood beside a credential."""
    return [_without_greeting(sentence) for sentence in sentences_of(carried_text(turn))]


def _without_greeting(sentence: str) -> str:
    """ "Hola, prefiero ..." tells a preference, and the greeting before it would have it taken for chatter."""
    greeting, comma, rest = sentence.partition(",")
    return rest.strip() if comma and rest.strip() and is_courtesy(greeting) else sentence


def _quoted(sentence: str, turn: OpenedTurn, worth: Worth) -> Lasting:
    return lasting(sentence, turn, worth, is_wish=worth.reason is Reason.PREFERENCE)


def lasting(statement: str, turn: OpenedTurn, worth: Worth, *, is_wish: bool = False) -> Lasting:
    """A draft from a statement of a turn; one that is quoted as a wish is attributed to whoever has it."""
    importance = ASKED_IMPORTANCE if worth.is_asked else worth.importance
    text = standing_alone(statement, turn, is_wish=is_wish)
    return Lasting(
        turn.row.number, text, worth.kind, worth.reason.value, importance,
        Trust(turn.row.trust), source_of(turn.row.role, is_outside=turn.row.trust == Trust.UNTRUSTED), worth.margin,
        statement, turn.speaker, turn.row.role == Role.TOOL,
    )  # fmt: skip


def _asked(said: Sequence[str], turn: OpenedTurn) -> dict[int, str]:
    """What a user asks to remember, by the numbers of the sentences that are used up by it."""
    found: dict[int, str] = {}
    if turn.row.role != Role.USER:
        return found
    for index, sentence in enumerate(said):
        wanted = None if is_question(sentence) else asked_to_keep(sentence)
        if wanted is None:
            continue
        if wanted.text:
            found[index] = wanted.text[0].upper() + wanted.text[1:]
        else:
            # A request by itself is about what comes next, or about what was said right before.
            other = index + 1 if index + 1 < len(said) else index - 1
            if other >= 0 and other not in found and not is_question(said[other]):
                found[other] = said[other]
    return {index: text for index, text in found.items() if len(text) <= MAX_STATEMENT_CHARACTERS}
