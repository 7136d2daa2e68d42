"""The search query behind a question: with a session, what the question leans on is filled in from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from vault.language_model import UNGROUNDED, ModelFailed, as_line, ask_model, may_ask
from vault.retrieval.scope import Scope
from vault.sessions.grounding import is_grounded
from vault.sessions.leaning import Said, leans
from vault.sessions.model_notes import note_model_asked
from vault.sessions.read import recent_turns
from vault.sessions.transform import transform
from vault.types import ModelUse

TASK = (
    "Rewrite the last line of a conversation as one short search query that can be understood without the rest: fill "
    'in who and what is meant, keep names and numbers exactly, drop small talk. JSON: {"query": <text>}.'
)
# A query longer than this many times its question brings more noise than help.
MAX_GROWTH, MIN_CHARACTERS = 4, 120


@dataclass(frozen=True, slots=True)
class Asking:
    """What is searched with, the same again when it is not the question itself, and why a model did not write it."""

    used: str = field(repr=False)
    transformed: str | None = field(repr=False)
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class FilledIn:
    """A question with what it leans on. `fallback` is why a model that may be asked was not followed.

    `asked` counts the turns that a model was sent, None where none was asked.
    """

    text: str = field(repr=False)
    fallback: str = ""
    asked: int | None = None


def search_text(
    *, question: str, session_id: UUID | None, wanted: bool, subject: str, scope: Scope
) -> Asking:
    """The query of a search. Raises NotFound for a session that is not the subject's, ScopeMissing.

    Without a session there is nothing to fill in from, and the question is searched as it is.
    """
    if not wanted or session_id is None:
        return Asking(question, None)
    turns = recent_turns(session_id=session_id, scope=scope, subject=subject)
    found = fill_in(question, turns, session_id=session_id, scope=scope)
    return Asking(found.text, found.text if found.text != question else None, found.fallback)


def fill_in(question: str, turns: Sequence[Said], *, session_id: UUID, scope: Scope) -> FilledIn:
    """The question with what it leans on of these turns of a session; that a model was asked is recorded."""
    found = filled_in(question, turns)
    note_model_asked(
        ModelUse.QUESTIONS, session_id=session_id, turns=found.asked, fallback=found.fallback, scope=scope
    )
    return found


def filled_in(question: str, turns: Sequence[Said]) -> FilledIn:
    """The question with what it leans on; by the model where one may be asked and its answer holds."""
    if may_ask(ModelUse.QUESTIONS) and turns and leans(question, turns):
        try:
            return FilledIn(_by_model(question, turns), asked=len(turns))
        except ModelFailed as failure:
            return FilledIn(transform(question, turns), failure.code, len(turns))
    return FilledIn(transform(question, turns))


def _by_model(question: str, turns: Sequence[Said]) -> str:
    """The model's query. Raises ModelFailed, also when it says what nobody said."""
    lines = [*(as_line(role=turn.role, text=turn.text) for turn in turns), as_line(question=question)]
    query = ask_model(TASK, lines).get("query")
    longest = max(MIN_CHARACTERS, MAX_GROWTH * len(question))
    said = " ".join([*(turn.text for turn in turns), question])
    if not isinstance(query, str) or not 0 < len(query) <= longest or not is_grounded(query, said, share=1.0):
        raise ModelFailed(UNGROUNDED)
    return " ".join(query.split())
