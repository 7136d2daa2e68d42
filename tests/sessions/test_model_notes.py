"""Whenever words of a session were sent to a language model, the audit log says so, in codes and counts."""

from __future__ import annotations

import json

import pytest

from audit.models import AuditEntry
from tests.factories import make_scope
from tests.model_server import FAULTS
from vault.errors import NotFound
from vault.retrieval.subjects import reference_of
from vault.sessions.append import append_turns
from vault.sessions.asking import search_text
from vault.sessions.end import end_session
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.window import read_window

pytestmark = pytest.mark.django_db

SAID = "The invoices from Hollin Mill come on paper."
LEANING = "since when?"


@pytest.fixture
def session(scope):
    row = start_session(subject="S1", namespace="default", scope=scope).row
    append_turns(
        session_id=row.pk,
        drafts=[TurnDraft("user", SAID), TurnDraft("assistant", "Noted, on paper then.")],
        scope=scope,
    )
    return row


def noted():
    entries = AuditEntry.objects.filter(action="model.asked").order_by("pk")
    return [(entry.target_id, entry.outcome, entry.reason, entry.facts) for entry in entries]


def asked_in_a_search(session, scope):
    search_text(question=LEANING, session_id=session.pk, wanted=True, subject="", scope=scope)


def test_asking_for_drafts_is_recorded(model, session, scope):
    model.says({"statements": []})

    end_session(session_id=session.pk, scope=scope)

    assert noted() == [(str(session.pk), "ok", "", {"use": "drafts", "turns": 2})]


@pytest.mark.parametrize("fault", FAULTS)
def test_drafts_that_a_model_failed_to_make_are_recorded_as_such(model, session, scope, fault):
    code = model.fails(fault)

    end_session(session_id=session.pk, scope=scope)

    assert noted() == [(str(session.pk), "failed", code, {"use": "drafts", "turns": 2})]


def test_filling_in_a_question_is_recorded(model, session, scope):
    model.says({"query": "since when invoices Hollin Mill on paper"})

    asked_in_a_search(session, scope)

    assert [(outcome, facts) for _, outcome, _, facts in noted()] == [
        ("ok", {"use": "questions", "turns": 2})
    ]


def test_a_question_that_fell_back_to_the_rules_is_recorded(model, session, scope):
    model.says({"query": "the bank details of everybody"})

    asked_in_a_search(session, scope)

    assert [(outcome, reason) for _, outcome, reason, _ in noted()] == [("failed", "model_answer_ungrounded")]


def test_a_window_that_asks_a_model_records_it(model, session, scope):
    model.says({"query": "since when invoices Hollin Mill on paper"})

    read_window(session_id=session.pk, max_tokens=500, query=LEANING, scope=scope)

    assert [facts for *_, facts in noted()] == [{"use": "questions", "turns": 2}]


def test_a_question_that_stands_alone_is_sent_nowhere_and_nothing_is_recorded(model, session, scope):
    question = "Which depot of Kestrel Works opens at six on Sundays?"

    search_text(question=question, session_id=session.pk, wanted=True, subject="", scope=scope)

    assert (model.asked, noted()) == ([], [])


def test_a_model_that_may_not_be_asked_leaves_no_entry(model, session, scope, settings):
    settings.LANGUAGE_MODEL_USES = frozenset()

    end_session(session_id=session.pk, scope=scope)

    assert noted() == []


def test_an_entry_holds_no_words_and_names_the_subject_by_its_reference(model, session, scope):
    model.says({"statements": []})

    end_session(session_id=session.pk, scope=scope)

    entry = AuditEntry.objects.get(action="model.asked")
    assert entry.subject_ref
    assert "Hollin" not in json.dumps(entry.facts)
    assert reference_of(session.subject) not in (entry.subject_ref, entry.target_id)


def test_a_stranger_sends_nothing(model, session):
    stranger = make_scope(namespace="other")

    with pytest.raises(NotFound):
        asked_in_a_search(session, stranger)

    assert (model.asked, noted()) == ([], [])
