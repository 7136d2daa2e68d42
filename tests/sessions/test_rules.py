"""Rules of staff act on turns as on writes, except that a run goes on."""

from __future__ import annotations

import pytest

from tests.factories import make_namespace, make_scope
from tests.lifecycle.rules.test_rules import live, make_rule
from vault.models import Rule
from vault.sessions.append import append_turns
from vault.sessions.end import end_session
from vault.sessions.read import read_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.types import RuleAction

pytestmark = pytest.mark.django_db(transaction=True)

SAID = "Project Falcon always ships in May, we decided that."


def said(text=SAID, *, scope=None):
    """The stored turn of a session, its row and its words."""
    scope = scope or make_scope()
    session = start_session(subject="S1", namespace="default", scope=scope).row
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", text)], scope=scope)
    (turn,) = read_turns(session_id=session.pk, scope=scope).turns
    return turn


@pytest.mark.parametrize("action", [RuleAction.REDACT, RuleAction.REFUSE])
def test_what_a_rule_masks_or_refuses_is_a_placeholder_in_a_turn(action):
    live(make_rule(action=action))

    turn = said()

    assert turn.content.text == "Project <RULE_FALCON> always ships in May, we decided that."
    assert turn.row.trust == "stated"


def test_what_a_rule_sets_aside_makes_a_turn_untrusted():
    live(make_rule(action=RuleAction.QUARANTINE))

    turn = said()

    assert (turn.content.text, turn.row.trust) == (SAID, "untrusted")


def test_what_a_rule_sets_aside_waits_when_it_is_drafted():
    live(make_rule(action=RuleAction.QUARANTINE))
    scope = make_scope()
    turn = said(scope=scope)

    ended = end_session(session_id=turn.row.session_id, scope=scope)

    assert [draft.outcome for draft in ended.drafts] == ["quarantined"]


def test_a_rule_of_storing_changes_nothing_about_a_turn_and_works_on_its_draft():
    live(make_rule(action=RuleAction.PRIORITY))
    scope = make_scope()
    turn = said(scope=scope)
    assert (turn.content.text, turn.row.trust) == (SAID, "stated")

    ended = end_session(session_id=turn.row.session_id, scope=scope)

    assert [draft.outcome for draft in ended.drafts] == ["created"]


def test_a_turn_counts_as_a_hit():
    rule = live(make_rule())

    said()

    assert Rule.objects.get(pk=rule.pk).hits == 1


def test_a_rule_of_another_namespace_leaves_a_turn_alone():
    make_namespace("elsewhere")
    live(make_rule(action=RuleAction.REDACT, namespace="elsewhere"))

    assert said().content.text == SAID
