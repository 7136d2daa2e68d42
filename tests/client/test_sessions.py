"""Sessions through the client, against a real vault over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.callers import token_for
from tests.lifecycle.subject_rights.people import Application
from vault.client import AccessDenied, Conflict, InvalidRequest, NotFound, Vault
from vault.sessions.identity import link_audience, session_audience

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def vault(live_server: Any) -> Iterator[Vault]:
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


@pytest.fixture
def application(vault: Vault) -> Application:
    """The application whose agent the client calls as."""
    return Application("support-bot")


def test_a_session_is_for_whom_the_application_signed(vault, application):
    assertion = application.assert_that("S1", aud=session_audience("default"))

    assert vault.sessions.start(assertion=assertion).subject == "S1"


def test_a_visitor_is_whom_the_application_signed_for(vault, application):
    session = vault.sessions.start(namespace="default")
    assertion = application.assert_that("S1", aud=link_audience())

    vault.sessions.link(visitor=session.visitor, assertion=assertion)

    assert vault.sessions.get(session.id).subject == "S1"


def test_a_refused_assertion_stands_in_no_error_and_no_log(vault, application, caplog):
    assertion = application.assert_that("S1", aud="https://elsewhere.example/")

    with caplog.at_level(logging.DEBUG), pytest.raises(AccessDenied) as refused:
        vault.sessions.start(assertion=assertion)

    told = f"{refused.value!r} {refused.value} {vars(refused.value)} {caplog.text}"
    assert refused.value.code == "assertion_refused"
    assert not [part for part in assertion.split(".") if part in told]


def test_an_answer_without_its_call_is_refused(vault):
    session = vault.sessions.start(subject="S1")

    with pytest.raises(InvalidRequest):
        vault.sessions.say(session.id, "tool", "42", tool_call="nobody")


def test_an_unknown_session_is_not_found(vault):
    with pytest.raises(NotFound):
        vault.sessions.window("01a22c0d-ec95-7665-bbe3-30842e5545dd")
