"""The search query behind a question: with a session, what the question leans on is filled in from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from vault.retrieval.scope import Scope
from vault.sessions.grounding import is_grounded
from vault.sessions.language_model import ModelFailed, ask_model, is_configured
from vault.sessions.leaning import Said, leans
from vault.sessions.read import recent_turns
from vault.sessions.transform import transform

TASK = (
    "Rewrite the last line of a conversation as one short search query that can be understood without the rest: fill "
    'in who and what is meant, keep names and numbers exactly, drop small talk. JSON: {"query": <text>}.'
)
# A query longer than this many times its question brings more noise than help.
MAX_GROWTH, MIN_CHARACTERS = 4, 120


@dataclass(frozen=True, slots=True)
class Asking:
    """What is searched with, and the same again when it is not the question itself."""

    used: str = field(repr=False)
    transformed: str | None = field(repr=False)


def search_text(
    *, question: str, session_id: UUID | None, wanted: bool, subject: str, scope: Scope
) -> Asking:
    """The query of a search. Raises NotFound for a session that is not the subject's, ScopeMissing.

    Without a session there is nothing to fill in from, and the question is searched as it is.
    """
    if not wanted or session_id is None:
        return Asking(question, None)
    used = filled_in(question, recent_turns(session_id=session_id, scope=scope, subject=subject))
    return Asking(used, used if used != question else None)


def filled_in(question: str, turns: Sequence[Said]) -> str:
    """The question with what it leans on; by the model where one is configured and its answer holds."""
    if is_configured() and turns and leans(question, turns):
        try:
            return _by_model(question, turns)
        except ModelFailed:
            return transform(question, turns)
    return transform(question, turns)


def _by_model(question: str, turns: Sequence[Said]) -> str:
    lines = [*(turn.text for turn in turns), question]
    query = ask_model(TASK, [f"- {line}" for line in lines]).get("query")
    longest = max(MIN_CHARACTERS, MAX_GROWTH * len(question))
    if not isinstance(query, str) or not 0 < len(query) <= longest or not is_grounded(query, " ".join(lines)):
        return transform(question, turns)
    return query
