"""Sessions through the client, against a real vault over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.callers import token_for
from vault.client import Conflict, InvalidRequest, NotFound, Vault

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def vault(live_server: Any, settings: Any) -> Iterator[Vault]:
    settings.SCREENING_BUDGET_SECONDS = 60.0
    with Vault(live_server.url, token_for(), timeout_seconds=60, retries=0) as client:
        yield client


def test_a_run_from_its_start_to_its_end(vault):
    session = vault.sessions.start(subject="S1")
    vault.sessions.say(session.id, "user", "I prefer short replies by letter, never by telephone.")
    window = vault.sessions.window(session.id, max_tokens=500)
    ended = vault.sessions.end(session.id)

    assert [turn["number"] for turn in window.turns] == [1]
    assert window.tokens <= 500
    assert [draft["outcome"] for draft in ended.drafts] == ["created"]
    assert (ended.session.status, ended.extractor, ended.fallback) == ("ended", "deterministic", None)
    with pytest.raises(Conflict):
        vault.sessions.say(session.id, "user", "One more thing.")


def test_a_visitor_becomes_a_subject(vault):
    session = vault.sessions.start(namespace="default")
    vault.sessions.say(session.id, "user", "When does the depot in Ulm open?")

    linked = vault.sessions.link(visitor=session.visitor, subject="S1")

    assert linked["sessions"] == 1
    assert vault.sessions.get(session.id).subject == "S1"


def test_an_answer_without_its_call_is_refused(vault):
    session = vault.sessions.start(subject="S1")

    with pytest.raises(InvalidRequest):
        vault.sessions.say(session.id, "tool", "42", tool_call="nobody")


def test_an_unknown_session_is_not_found(vault):
    with pytest.raises(NotFound):
        vault.sessions.window("01a22c0d-ec95-7665-bbe3-30842e5545dd")
