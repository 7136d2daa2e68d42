"""A turn that could not be screened keeps no words, and the agent goes on with its conversation."""

from __future__ import annotations

import pytest

from tests.factories import make_scope
from vault.errors import InvalidField, NotFound
from vault.retrieval.context import visible
from vault.sessions import screening
from vault.sessions.append import append_turns
from vault.sessions.end import end_session
from vault.sessions.read import read_turns, recent_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.window import read_window
from vault.types import Action, Category, Finding, Verdict

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = "Look up the quince order of Marlowe."
CALLS = (
    {"id": "call-1", "name": "orders", "arguments": {"of": "quince"}},
    {"id": "call-2", "name": "stock", "arguments": {"of": "quince"}},
)
ASKS = TurnDraft("assistant", WORDS, tool_calls=CALLS)
UNSEARCHED = Finding(Category.FAILURE, "timeout", 0, 0, 1.0, Action.QUARANTINE, detector="secrets")


@pytest.fixture(autouse=True)
def _failing(monkeypatch):
    """The search for credentials fails on whatever speaks of quinces."""
    real = screening.screen

    def screen(memory, **rest):
        if "quince" in f"{memory.text} {memory.metadata}":
            return Verdict(Action.QUARANTINE, (UNSEARCHED,), ("screening_failed",))
        return real(memory, **rest)

    monkeypatch.setattr(screening, "screen", screen)


@pytest.fixture
def session(scope):
    row = start_session(subject="S1", namespace="default", scope=scope).row
    append_turns(session_id=row.pk, drafts=[TurnDraft("user", "What did they order?"), ASKS], scope=scope)
    return row


def answer(session, scope, call, text="Twelve crates."):
    return append_turns(session_id=session.pk, drafts=[TurnDraft("tool", text, tool_call=call)], scope=scope)


def stored(session, scope):
    return read_turns(session_id=session.pk, scope=scope).turns


def test_nothing_of_it_is_kept_but_that_it_called(session, scope):
    withheld = stored(session, scope)[1]

    assert (withheld.content.text, withheld.row.trust, withheld.row.calls) == (
        "<NOT_SCREENED>",
        "untrusted",
        2,
    )
    assert {call["name"] for call in withheld.tool_calls} == {"not_screened"}
    for gone in ("quince", "orders", "call-1", "Marlowe"):
        assert gone not in str(withheld.tool_calls)
        assert gone not in str(withheld.content.metadata.values())


def test_its_calls_are_answered_under_the_ids_that_the_agent_gave(session, scope):
    answer(session, scope, "call-2", "Nine are left.")
    answer(session, scope, "call-1")

    calls, *answers = stored(session, scope)[1:]
    first, second = (call["id"] for call in calls.tool_calls)
    assert [(a.tool_call, a.content.text, a.row.unit) for a in answers] == [
        (second, "Nine are left.", 2), (first, "Twelve crates.", 2),
    ]  # fmt: skip


def test_a_window_shows_call_and_answers_together_or_not_at_all(session, scope):
    answer(session, scope, "call-1")
    before = read_window(session_id=session.pk, max_tokens=1000, scope=scope)
    answer(session, scope, "call-2")

    after = read_window(session_id=session.pk, max_tokens=1000, scope=scope)

    assert ([t.row.number for t in before.turns], before.incomplete) == ([1], 2)
    assert [t.row.number for t in after.turns] == [1, 2, 3, 4]
    assert {t.tool_call for t in after.turns[2:]} == {call["id"] for call in after.turns[1].tool_calls}


def test_call_and_answer_may_come_in_one_request(scope):
    row = start_session(subject="S1", namespace="default", scope=scope).row
    drafts = [
        TurnDraft("user", "What is left?"),
        TurnDraft("assistant", WORDS, tool_calls=CALLS[:1]),
        TurnDraft("tool", "Nine.", tool_call="call-1"),
        TurnDraft("assistant", "Nine are left."),
    ]

    assert len(append_turns(session_id=row.pk, drafts=drafts, scope=scope).turns) == 4


def test_an_answer_that_is_withheld_too_is_that_calls_answer(session, scope):
    answer(session, scope, "call-1", "quince: twelve")

    last = stored(session, scope)[-1]

    assert (last.content.text, last.row.unit) == ("<NOT_SCREENED>", 2)


@pytest.mark.parametrize("call", ["call-3", "", "not_screened"])
def test_an_answer_to_no_call_of_it_is_refused(session, scope, call):
    with pytest.raises(InvalidField):
        answer(session, scope, call)


def test_a_call_is_answered_once(session, scope):
    answer(session, scope, "call-1")

    with pytest.raises(InvalidField):
        answer(session, scope, "call-1", "Thirteen crates.")


def test_a_later_call_under_the_same_id_is_another(session, scope):
    again = TurnDraft("assistant", "Once more.", tool_calls=({"id": "call-1", "name": "orders"},))
    append_turns(session_id=session.pk, drafts=[again], scope=scope)

    answer(session, scope, "call-1", "The new one.")
    answer(session, scope, "call-1", "The old one.")

    assert [(t.content.text, t.row.unit) for t in stored(session, scope)[3:]] == [
        ("The new one.", 3), ("The old one.", 2),
    ]  # fmt: skip


def test_no_question_leans_on_it(session, scope):
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", "quince?")], scope=scope)

    said = [each.text for each in recent_turns(session_id=session.pk, scope=scope)]

    assert said == ["What did they order?"]


def test_a_session_with_one_ends(session, scope):
    answer(session, scope, "call-1")

    ended = end_session(session_id=session.pk, scope=scope)

    assert ended.considered == 3
    assert "quince" not in visible(str(ended))


def test_a_stranger_answers_nothing(session):
    with pytest.raises(NotFound):
        answer(session, make_scope(namespace="other"), "call-1")
