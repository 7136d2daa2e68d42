"""Sealing and opening the turns and summaries of sessions, for sessions themselves and for exports.

A turn's ciphertext is bound to its place and to every number and label that stands beside it in clear: one that
was changed in SQL, moved to another session or put under another number does not open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from vault.crypto import Label, SubjectKeys, associated_data
from vault.models import Session, SessionSummary, Turn
from vault.retrieval.content import pack, unpack
from vault.retrieval.records import Content

TOOL_CALLS, TOOL_CALL, CONCLUSION, SPEAKER = "tool_calls", "tool_call", "conclusion", "speaker"


@dataclass(frozen=True, slots=True)
class OpenedTurn:
    """One turn as its readers see it."""

    row: Turn
    content: Content = field(repr=False)

    @property
    def tool_calls(self) -> list[dict[str, Any]]:
        return list(self.content.metadata.get(TOOL_CALLS, ()))

    @property
    def tool_call(self) -> str:
        return str(self.content.metadata.get(TOOL_CALL, ""))

    @property
    def conclusion(self) -> str:
        return str(self.content.metadata.get(CONCLUSION, ""))

    @property
    def speaker(self) -> str:
        return str(self.content.metadata.get(SPEAKER, ""))

    @property
    def is_cut_down(self) -> bool:
        """Whether a tool's answer was cut down to its conclusion, or to nothing, when the session ended."""
        return self.row.role == "tool" and not self.content.text

    @property
    def lasting_text(self) -> str:
        """What may outlive the session: of a tool's turn the conclusion alone."""
        return self.conclusion if self.row.role == "tool" else self.content.text


def turn_context(turn: Turn) -> bytes:
    """The associated data of a turn: its place and its labels."""
    return associated_data(
        what="session turn",
        session=turn.session_id,
        number=turn.number,
        subject=turn.subject_id,
        namespace=turn.namespace_id,
        role=turn.role,
        trust=turn.trust,
        importance=repr(float(turn.importance)),
        tokens=turn.tokens,
        calls=turn.calls,
        unit=turn.unit,
        created_at=turn.created_at,
    )


def seal_turn(turn: Turn, content: Content, *, keys: SubjectKeys) -> None:
    """Put the content into the row, bound to the row's labels as they are now."""
    turn.ciphertext = keys.seal(pack(content), context=turn_context(turn))


def open_turn(turn: Turn, *, keys: SubjectKeys) -> OpenedTurn:
    """Raises IntegrityFault when the row was altered, moved or renumbered."""
    return OpenedTurn(turn, unpack(keys.open(bytes(turn.ciphertext), context=turn_context(turn))))


def open_turns(turns: Iterable[Turn], *, keys: SubjectKeys) -> list[OpenedTurn]:
    return [open_turn(turn, keys=keys) for turn in turns]


def summary_context(summary: SessionSummary) -> bytes:
    """The associated data of a summary; one that a subject's manifest counts does not open as one that it does not."""
    bound: dict[str, Label] = {"bound": "subject"} if summary.is_bound else {}
    return associated_data(
        what="session summary",
        summary=summary.pk,
        session=summary.session_id,
        subject=summary.subject_id,
        namespace=summary.namespace_id,
        level=summary.level,
        first=summary.first,
        last=summary.last,
        trust=summary.trust,
        tokens=summary.tokens,
        method=summary.method,
        created_at=summary.created_at,
        **bound,
    )


def seal_summary(summary: SessionSummary, content: Content, *, keys: SubjectKeys) -> None:
    summary.ciphertext = keys.seal(pack(content), context=summary_context(summary))


def open_summary(summary: SessionSummary, *, keys: SubjectKeys) -> Content:
    return unpack(keys.open(bytes(summary.ciphertext), context=summary_context(summary)))


def state_context(session: Session) -> bytes:
    """The associated data of what a session remembers between windows."""
    return associated_data(
        what="session state",
        session=session.pk,
        subject=session.subject_id,
        namespace=session.namespace_id,
        revision=session.state_revision,
    )


def seal_state(session: Session, content: Content, *, keys: SubjectKeys) -> None:
    session.state_revision += 1
    session.state = keys.seal(pack(content), context=state_context(session))


def open_state(session: Session, *, keys: SubjectKeys) -> Content:
    """The state; an empty one before the first turn."""
    if not session.state:
        return Content("")
    return unpack(keys.open(bytes(session.state), context=state_context(session)))
