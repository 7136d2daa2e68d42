"""Values of a session on their way in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vault.models import Session
from vault.types import Finding, SourceType


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """One message as it was sent; validated, nothing screened yet.

    `tool_calls` are the calls that an assistant's turn makes, each with an id; `tool_call` is the id of the one that
    a tool's turn answers. `conclusion` is what of a tool's answer may outlive the session. `is_outside` says that a
    tool's answer is content from outside, which is never believed.
    """

    # Out of every repr: what a person wrote must not reach a traceback.
    role: str
    text: str = field(default="", repr=False)
    tool_calls: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    tool_call: str = field(default="", repr=False)
    conclusion: str = field(default="", repr=False)
    speaker: str = field(default="", repr=False)
    is_outside: bool = True


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """What became of a turn. `findings` are anchored to the text as it was sent."""

    number: int
    role: str
    trust: str
    importance: float
    tokens: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryState:
    """Who wrote a summary, why a model that was asked did not, and whether one is still to be asked."""

    by: str
    fallback: str
    pending: bool


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session as its callers see it. `visitor` is the value to keep in a cookie, shown once if it is new.

    `summary` is there once the session has one.
    """

    row: Session
    subject: str = field(repr=False)
    namespace: str
    visitor: str = field(default="", repr=False)
    summary: SummaryState | None = None


SOURCE_OF_ROLE: Mapping[str, SourceType] = {
    "system": SourceType.SYSTEM,
    "user": SourceType.USER,
    "assistant": SourceType.AGENT,
    "tool": SourceType.EXTERNAL,
}


def source_of(role: str, *, is_outside: bool) -> SourceType:
    """Where a turn of this role comes from; a tool of the agent's own speaks as the agent."""
    return SourceType.AGENT if role == "tool" and not is_outside else SOURCE_OF_ROLE[role]
