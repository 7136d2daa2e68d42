"""Sessions in the console: a subject's list, and one session's timeline."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope
from vault.models import Turn, isolation
from vault.sessions.append import append_turns
from vault.sessions.end import end_session
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _patient_screening(settings):
    settings.SCREENING_BUDGET_SECONDS = 60.0


@pytest.fixture
def session():
    scope = make_scope()
    row = start_session(subject="S1", namespace="default", scope=scope).row
    said = [
        "We decided to paint the hall blue.",
        "<b>The depot</b> opens at six.",
        "Who pays for the paint of the hall?",
    ]
    append_turns(session_id=row.pk, drafts=[TurnDraft("user", text) for text in said], scope=scope)
    return row


def page(client, session, query=""):
    return client.get(f"/console/sessions/{session.pk}/{query}")


def test_a_subjects_sessions_are_listed(reviewer, session):
    content = reviewer.get(f"/console/subjects/{session.subject_id}/sessions/").content.decode()

    assert str(session.pk) in content
    assert "default" in content


def test_a_timeline_shows_every_turn_as_text(reviewer, session):
    content = page(reviewer, session).content.decode()

    assert "We decided to paint the hall blue." in content
    assert "<b>The depot</b>" not in content
    assert "&lt;b&gt;The depot" in content


def test_a_small_budget_leaves_turns_out_and_draws_the_window(reviewer, session):
    timeline = page(reviewer, session, "?budget=30").context["timeline"]

    assert {turn.fate for turn in timeline.turns} == {"shown", "left_out"}
    assert timeline.steps[-1].shown <= 30 < timeline.steps[-1].said


def test_a_session_that_is_over_shows_what_its_summary_kept_and_what_was_dropped(reviewer, session):
    scope = make_scope()
    call = {"id": "c1", "name": "halls", "arguments": {}}
    append_turns(session_id=session.pk, drafts=[
        TurnDraft("assistant", "", tool_calls=(call,)),
        TurnDraft("tool", "hall 4: free", tool_call="c1", conclusion="Hall 4 is free."),
    ], scope=scope)  # fmt: skip
    end_session(session_id=session.pk, extract=False, scope=scope)

    answer = page(reviewer, session)
    timeline = answer.context["timeline"]

    assert "We decided to paint the hall blue." in timeline.summary
    assert timeline.counts["shown"] == 5
    assert timeline.counts["summarised"] > 0
    assert answer.context["dropped"] == 1
    assert "output dropped" in answer.content.decode()


def test_the_drawing_says_its_numbers(reviewer, session):
    content = page(reviewer, session, "?budget=30").content.decode()

    assert "budget 30</text>" in content
    assert "turn 3</text>" in content


def test_a_session_that_lost_a_turn_is_not_shown(reviewer, session):
    with transaction.atomic():
        isolation.open_everything()
        Turn.objects.filter(session=session, number=2).delete()

    assert page(reviewer, session).status_code != 200


def test_a_budget_that_is_no_number_is_the_usual_one(reviewer, session):
    assert page(reviewer, session, "?budget=x").context["timeline"].budget == 2000


def test_what_was_written_from_a_turn_stands_beside_it(reviewer, session):
    memory = make_memory(
        "We decided to paint the hall blue.",
        subject="S1",
        session_id=session.pk,
        content={"metadata": {"turn": 1}},
    )

    turns = page(reviewer, session).context["timeline"].turns

    assert [turn.memories for turn in turns] == [(memory.row.pk,), (), ()]


def test_every_look_is_recorded_without_words(reviewer, session):
    page(reviewer, session)

    entry = AuditEntry.objects.filter(action="session.read").latest("at")
    assert (entry.target_id, entry.facts) == (str(session.pk), {"count": 3})
