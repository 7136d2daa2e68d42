"""Reading a session: what it is, and its turns one page at a time. Every read is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from audit.actions import Action as Event
from vault.errors import NotFound, VaultError
from vault.models import Turn
from vault.retrieval import trail
from vault.retrieval.integrity import reading
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import reference_of
from vault.retrieval.turns import OpenedTurn, open_turns
from vault.sessions.credentials import carried_text, has_credential
from vault.sessions.finding import find_whole_session, note_denied
from vault.sessions.leaning import Said
from vault.sessions.records import SessionView
from vault.sessions.roles import Role
from vault.sessions.summaries import state_of_summary
from vault.sessions.suspicion import is_order
from vault.sessions.transform import TURNS_LOOKED_AT

MAX_PAGE = 100
# Of the arguments of an assistant's calls, as far as a question may lean on them.
MAX_VALUES, MAX_VALUE_CHARACTERS = 6, 60


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Turns in their order; `next_after` is the number to go on from, None at the end."""

    turns: tuple[OpenedTurn, ...] = field(repr=False)
    next_after: int | None


def read_session(*, session_id: UUID, scope: Scope) -> SessionView:
    """A session without its words. Raises NotFound."""
    try:
        with reading(scope=scope, kind="session"):
            session, keys = find_whole_session(session_id=session_id, scope=scope, right=Right.SESSION_READ)
            reference = reference_of(session.subject)
            summary = state_of_summary(session, keys=keys)
            trail.note(
                Event.SESSION_READ, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
            )  # fmt: skip
    except VaultError as refusal:
        note_denied(refusal, Event.SESSION_READ, session_id=session_id, scope=scope)
        raise
    return SessionView(session, reference, session.namespace.name, summary=summary)


def read_turns(*, session_id: UUID, after: int = 0, limit: int = MAX_PAGE, scope: Scope) -> TurnPage:
    """The turns behind number `after`. Raises NotFound."""
    try:
        with reading(scope=scope, kind="session"):
            session, keys = find_whole_session(session_id=session_id, scope=scope, right=Right.SESSION_READ)
            rows = Turn.objects.filter(session=session, number__gt=after).order_by("number")
            found = list(rows[: min(limit, MAX_PAGE) + 1])
            page = open_turns(found[: min(limit, MAX_PAGE)], keys=keys)
            trail.note(
                Event.SESSION_READ, scope=scope, kind="session", target=session.pk, subject_ref=keys.audit_reference,
                count=len(page),
            )  # fmt: skip
    except VaultError as refusal:
        note_denied(refusal, Event.SESSION_READ, session_id=session_id, scope=scope)
        raise
    return TurnPage(tuple(page), page[-1].row.number if len(found) > len(page) else None)


def recent_turns(*, session_id: UUID, scope: Scope, subject: str = "") -> list[Said]:
    """The last turns of a session that people and the assistant said, with what the assistant called tools for.

    Not those that read as an order: whoever plants one would choose what is searched for.

    Raises NotFound, also when the session is not that of `subject`, if one is named.
    """
    with reading(scope=scope, kind="session"):
        session, keys = find_whole_session(session_id=session_id, scope=scope, right=Right.SESSION_READ)
        if subject and reference_of(session.subject) != subject:
            raise NotFound
        rows = Turn.objects.filter(session=session, role__in=[Role.USER, Role.ASSISTANT])
        turns = open_turns(rows.order_by("-number")[: TURNS_LOOKED_AT + 1], keys=keys)
    said = [Said(turn.row.role, _with_calls(turn)) for turn in reversed(turns) if not is_order(turn)]
    return [each for each in said if each.text]


def _with_calls(turn: OpenedTurn) -> str:
    """What a turn says, and the short values that it calls tools with: an order's number stands there alone.

    Not what stood beside a credential, nor the values of calls that took one.
    """
    values = (
        []
        if has_credential(turn)
        else [v for call in turn.tool_calls for v in _values(call.get("arguments"))]
    )
    return " ".join([carried_text(turn), *values[:MAX_VALUES]]).strip()


def _values(arguments: Any) -> Iterator[str]:
    if isinstance(arguments, Mapping):
        for value in arguments.values():
            yield from _values(value)
    elif isinstance(arguments, list):
        for value in arguments:
            yield from _values(value)
    elif isinstance(arguments, str | int | float) and len(str(arguments)) <= MAX_VALUE_CHARACTERS:
        yield str(arguments)
