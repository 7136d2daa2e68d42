"""Sessions of the API as methods: start, say, read the window, end.

session = vault.sessions.start(subject="S1")    # or start(assertion=...), signed by your application
vault.sessions.say(session.id, "user", "Which supplier replies in Hindi?")
prompt = vault.sessions.window(session.id, max_tokens=2000)
for draft in vault.sessions.end(session.id).drafts:
    print(draft["outcome"], draft["text"])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from vault.client.transport import Transport
from vault.client.values import known


@dataclass(frozen=True, slots=True)
class Session:
    """A session; `visitor` is the value for a new visitor's cookie, given once."""

    id: str
    subject: str
    namespace: str
    status: str
    turns: int
    tokens: int
    visitor: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(**known(cls, document))


@dataclass(frozen=True, slots=True)
class Window:
    """What fits into a prompt: memories, then the summary of what is not shown, then turns in their order."""

    tokens: int
    max_tokens: int
    counting: str
    memories: Mapping[str, Any] = field(repr=False)
    summary: Mapping[str, Any] = field(repr=False)
    turns: tuple[Mapping[str, Any], ...] = field(repr=False)
    omitted: int = 0
    incomplete: int = 0

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{**known(cls, document), "turns": tuple(document["turns"])})


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that is over, and what became of each statement that was drafted from it."""

    session: Session
    drafts: tuple[Mapping[str, Any], ...] = field(repr=False)
    extractor: str
    fallback: str | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        session = Session.read(document["session"])
        return cls(session, tuple(document["drafts"]), document["extractor"], document["fallback"])


class Sessions:
    """The calls of `/sessions`, over the transport of a client."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(
        self,
        *,
        subject: str | None = None,
        visitor: str | None = None,
        assertion: str | None = None,
        **fields: Any,
    ) -> Session:
        """Start a session for a subject, for a visitor by its cookie's value, or for somebody new.

        `assertion` is what the application signed about its subject: it goes before a visitor, and works once. It
        travels in the body, and stands in no error and no log of this client.
        """
        given = {"subject": subject, "visitor": visitor, "assertion": assertion, **fields}
        body = {name: value for name, value in given.items() if value is not None}
        return Session.read(self._transport.call("POST", "sessions", body=body))

    def get(self, session_id: str) -> Session:
        return Session.read(self._transport.call("GET", f"sessions/{session_id}"))

    def say(self, session_id: str, role: str, text: str = "", **parts: Any) -> dict[str, Any]:
        """Add one turn; `parts` are tool_calls, tool_call, conclusion, speaker, outside."""
        return self.add(session_id, [{"role": role, "text": text, **parts}])[0]

    def add(self, session_id: str, turns: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Add turns in their order, all or none; what became of each."""
        body = {"turns": [dict(turn) for turn in turns]}
        answer = self._transport.call("POST", f"sessions/{session_id}/turns", body=body)
        return list(answer["turns"])

    def window(self, session_id: str, *, max_tokens: int = 8000, query: str | None = None) -> Window:
        """What fits into `max_tokens`; with `query`, memories are looked for anew."""
        path = f"sessions/{session_id}/window"
        if query is None:
            return Window.read(self._transport.call("GET", path, query={"max_tokens": max_tokens}))
        # By POST: what somebody asked is personal, and an address is written to every log on its way.
        return Window.read(
            self._transport.call("POST", path, body={"max_tokens": max_tokens, "query": query})
        )

    def end(self, session_id: str, *, extract: bool = True) -> Ended:
        """End a session; what should outlast it is written down first."""
        answer = self._transport.call("POST", f"sessions/{session_id}/end", body={"extract": extract})
        return Ended.read(answer)

    def link(
        self, *, visitor: str, subject: str | None = None, assertion: str | None = None
    ) -> dict[str, Any]:
        """Say who a visitor is, by the subject's id or by what the application signed: memories and sessions move."""
        given = {"visitor": visitor, "subject": subject, "assertion": assertion}
        body = {name: value for name, value in given.items() if value is not None}
        answer: dict[str, Any] = self._transport.call("POST", "visitor-links", body=body)
        return answer
