"""A whole erasure for the tests of the API: asked for over HTTP, approved and executed by the services."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from tests.api.callers import Caller
from tests.factories import staff_scope
from vault.lifecycle.erasure import approve_erasure, verify_request
from vault.lifecycle.erasure_run import execute_erasure


def ask(agent: Caller, subject: str = "S1", **headers: str) -> Any:
    return agent.post("/erasure-requests", {"subject": subject, "reason": "withdrawn"}, **headers)


def erase(agent: Caller, subject: str = "S1") -> str:
    """Erase a subject, and give the request's id."""
    request_id = str(ask(agent, subject).json()["id"])
    verify_request(request_id=UUID(request_id), scope=staff_scope())
    approve_erasure(request_id=UUID(request_id), scope=staff_scope())
    execute_erasure(UUID(request_id))
    return request_id
