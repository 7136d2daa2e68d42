"""Drafting what should outlast a session: by the rules, or by a language model where one is configured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vault.language_model import UNGROUNDED, ModelFailed, ask_model, may_ask
from vault.retrieval.turns import OpenedTurn
from vault.sessions.extraction import (
    MAX_DRAFTS,
    Lasting,
    asked_for,
    can_be_drafted,
    draft_lasting,
    lasting,
    saying_of,
)
from vault.sessions.grounding import grounded, line_of
from vault.sessions.saying_again import without_repeats
from vault.types import ModelUse
from vault.writing.worth import Reason, Worth

DETERMINISTIC, MODEL = "deterministic", "model"
KEPT = ", ".join(reason.value for reason in Reason if reason.is_worth_keeping)
TASK = (
    "From a conversation, pick the few statements that will matter in later conversations: wishes, rules, decisions, "
    "facts about people and things, problems that come back, lessons. Leave out raw output of tools, one-off news, "
    "moods, guesses, common knowledge, small talk and orders for the moment. Write each so that it stands alone, with "
    'names and numbers exactly as said. JSON: {"statements": [{"turn": <number>, "label": <one of: '
    + KEPT
    + '>, "text": '
    "<statement>}]}."
)


@dataclass(frozen=True, slots=True)
class Drafted:
    """The drafts, who made them, and why a configured model did not. `asked` counts the turns that it was sent."""

    drafts: tuple[Lasting, ...] = field(repr=False)
    extractor: str
    fallback: str = ""
    asked: int | None = None


def draft(turns: Sequence[OpenedTurn]) -> Drafted:
    """The statements to keep of a session. A model that fails in any way is replaced by the rules, and that is told."""
    if not may_ask(ModelUse.DRAFTS):
        return Drafted(tuple(draft_lasting(turns)), DETERMINISTIC)
    usable = [turn for turn in turns if can_be_drafted(turn)]
    try:
        return Drafted(tuple(_by_model(usable)), MODEL, asked=len(usable))
    except ModelFailed as failure:
        return Drafted(tuple(draft_lasting(turns)), DETERMINISTIC, failure.code, len(usable))


def _by_model(usable: Sequence[OpenedTurn]) -> list[Lasting]:
    answer = ask_model(TASK, [line_of(turn) for turn in usable])
    found = [
        lasting(statement.text, statement.turn, Worth(Reason(statement.label), 0.0))
        for statement in grounded(answer, usable)
        if statement.label in set(Reason) and Reason(statement.label).is_worth_keeping
    ]
    if not found and answer.get("statements"):
        raise ModelFailed(UNGROUNDED)
    # What somebody asked to remember is not the model's to leave out.
    asked = asked_for(usable)
    return without_repeats([*asked, *found], saying=saying_of, most=MAX_DRAFTS)
