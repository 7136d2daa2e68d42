"""Sessions in the console: a subject's list, and one session's timeline."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope
from vault.models import QuarantinedWrite, Turn, isolation
from vault.retrieval.scope import Right
from vault.sessions.append import append_turns
from vault.sessions.end import end_session
from vault.sessions.linking import link_visitor
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session

pytestmark = pytest.mark.django_db


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


# --- drafts that did not become memories ---


def ended_with(session, scope, *texts):
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", text) for text in texts], scope=scope)
    return end_session(session_id=session.pk, scope=scope).drafts


def test_a_draft_that_waits_stands_beside_its_turn_with_a_link(reviewer, session):
    drafts = ended_with(session, make_scope(), "Remember that I am allergic to nuts.")
    waiting = next(draft for draft in drafts if draft.quarantine)

    answer = page(reviewer, session)

    turn = answer.context["timeline"].turns[waiting.draft.turn - 1]
    assert [(draft.quarantine, draft.state) for draft in turn.not_stored] == [(waiting.quarantine, "pending")]
    content = answer.content.decode()
    assert f'href="/console/queue/{waiting.quarantine}/"' in content
    assert "The user said: " not in content


def test_a_draft_stands_there_as_it_was_decided(reviewer, session):
    drafts = ended_with(session, make_scope(), "Remember that I am allergic to nuts.")
    waiting = next(draft for draft in drafts if draft.quarantine)
    with transaction.atomic():
        isolation.open_everything()
        QuarantinedWrite.objects.filter(pk=waiting.quarantine).update(status="lapsed")

    assert "draft lapsed" in page(reviewer, session).content.decode()


def test_a_draft_stays_beside_its_turn_when_the_visit_is_linked(reviewer):
    visit = start_session(namespace="default", scope=make_scope())
    drafts = ended_with(visit.row, make_scope(), "Remember that I am allergic to nuts.")
    waiting = next(draft for draft in drafts if draft.quarantine)
    link_visitor(visitor=visit.visitor, subject="S1", scope=make_scope())

    turn = page(reviewer, visit.row).context["timeline"].turns[waiting.draft.turn - 1]

    assert [(draft.quarantine, draft.state) for draft in turn.not_stored] == [(waiting.quarantine, "pending")]


def test_a_draft_that_was_refused_is_named_with_its_code_and_no_link(reviewer, session):
    narrow = make_scope(Right.SESSION_READ, Right.SESSION_WRITE)
    ended_with(session, narrow, "I prefer replies in Hindi.")

    answer = page(reviewer, session)

    found = [draft for turn in answer.context["timeline"].turns for draft in turn.not_stored]
    assert {(draft.state, draft.code, draft.quarantine) for draft in found} == {
        ("refused", "scope_missing", None)
    }
    assert "scope missing" in answer.content.decode()
    assert "/console/queue/0" not in answer.content.decode()


def test_what_became_of_drafts_is_sealed(session):
    ended_with(session, make_scope(Right.SESSION_READ, Right.SESSION_WRITE), "I prefer replies in Hindi.")

    with transaction.atomic():
        isolation.open_everything()
        session.refresh_from_db()
    assert session.state
    assert b"scope_missing" not in bytes(session.state)


# --- a session that is not whole ---


@pytest.fixture
def broken(session):
    with transaction.atomic():
        isolation.open_everything()
        Turn.objects.filter(session=session, number=2).delete()
    return session


def test_of_a_session_that_is_not_whole_a_page_says_so_and_shows_nothing(reviewer, broken):
    answer = page(reviewer, broken)

    assert answer.status_code == 500
    assert "is not what was said" in answer.content.decode()
    assert "paint the hall" not in answer.content.decode()


def test_a_session_that_is_not_whole_is_recorded(reviewer, broken):
    page(reviewer, broken)

    faults = AuditEntry.objects.filter(action="memory.integrity_fault").values_list("target_kind", "outcome")
    refused = AuditEntry.objects.filter(action="session.read", reason="integrity_error")
    assert list(faults) == [("session", "failed")]
    assert [entry.target_id for entry in refused] == [str(broken.pk)]


@pytest.mark.parametrize(("query", "value"), [("", 2000), ("?budget=640", 640), ("?budget=x", 2000)])
def test_the_field_says_the_budget_that_is_drawn(reviewer, session, query, value):
    assert f'value="{value}"' in page(reviewer, session, query).content.decode()
