"""Agents that call the API in this process, each known by a token alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.test import Client

from audit.log import Actor
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.retrieval.scope import Right
from vault.types import Trust

API = "/api/v1"
OPERATOR = Actor("system", "tests")
EVERY_RIGHT = tuple(Right)


def token_for(
    agent: str = "support-bot",
    namespace: str = "default",
    scopes: Iterable[Right] = EVERY_RIGHT,
    max_trust: Trust = Trust.VERIFIED,
) -> str:
    """A fresh credential of an agent with these rights."""
    return issue_agent_token(
        agent=create_agent(name=agent, actor=OPERATOR),
        namespace=namespace,
        scopes=scopes,
        max_trust=max_trust,
        actor=OPERATOR,
    )


class Caller:
    """Calls the API in this process with one token."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._client = Client(raise_request_exception=False)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """`headers` are written with underscores: If_Match='"v1"'."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        raw = {} if body is None else {"data": body, "content_type": "application/json"}
        return getattr(self._client, method)(API + path, headers=sent, **raw)

    def get(self, path: str, **headers: str) -> Any:
        return self.call("get", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("post", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        return self.call("patch", path, body, **headers)

    def delete(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.call("delete", path, body, **headers)

    def write(self, text: str, subject: str = "S1", **fields: Any) -> Any:
        return self.post("/memories", {"subject": subject, "text": text, **fields})

    def written(self, text: str, subject: str = "S1", **fields: Any) -> dict[str, Any]:
        """The memory of a write that must succeed."""
        response = self.write(text, subject, **fields)
        assert response.status_code in (200, 201), response.content
        memory: dict[str, Any] = response.json()["memory"]
        return memory
