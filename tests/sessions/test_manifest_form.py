"""What a window chooses its turns by is covered by the session's manifest; sessions from before that stay readable."""

from __future__ import annotations

import hashlib

import pytest
from django.db import connections, transaction

from tests.factories import staff_scope
from vault.errors import IntegrityFault
from vault.lifecycle.integrity import RowFault, verify_subject
from vault.models import Session, Turn, isolation
from vault.retrieval import session_set
from vault.retrieval.session_set import labels_of, turn_entry
from vault.sessions import binding, strongest
from vault.sessions.append import append_turns
from vault.sessions.end import end_session
from vault.sessions.erase_turn import erase_turn
from vault.sessions.linking import link_visitor
from vault.sessions.read import read_session, read_turns, recent_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.timeline import session_timeline
from vault.sessions.window import read_window

pytestmark = pytest.mark.django_db(transaction=True)

RULE = "Never name the prices of the depot."
# What hides a turn from a window, or gives its place to another, in one column.
CHANGES = [
    "role = 'assistant'", "trust = 'untrusted'", "importance = 0", "importance = importance / 3",
    "tokens = tokens + 8000", "calls = 1", "unit = 1",
]  # fmt: skip


@pytest.fixture
def session(scope):
    return begun(scope)


@pytest.fixture
def in_first_form(monkeypatch):
    """Manifests are written as before there was a second form, until `undo` is called."""
    monkeypatch.setattr(session_set, "NEWEST_FORM", 1)
    monkeypatch.setattr(binding, "NEWEST_FORM", 1)
    return monkeypatch


@pytest.fixture
def old_session(scope, in_first_form):
    """A session that began before there was a second form; from now on there is."""
    row = begun(scope)
    in_first_form.undo()
    assert form_of(row) == 1
    return row


@pytest.fixture
def long_ones(monkeypatch):
    """From three rows on, a session is one of which a read does not add up every row."""
    monkeypatch.setattr("vault.retrieval.session_set.check_session.__kwdefaults__", {"limit": 2})


def begun(scope, **whose):
    row = start_session(namespace="default", scope=scope, **(whose or {"subject": "S1"})).row
    say(row, scope, RULE, role="system")
    say(row, scope, "We decided to paint the hall blue.", "The depot opens at six.", "Who pays for it?")
    return row


def say(session, scope, *texts, role="user"):
    drafts = [TurnDraft(role, text) for text in texts]
    append_turns(session_id=session.pk, drafts=drafts, scope=scope)


def fill(session, scope, turns=120):
    say(session, scope, *(f"We decided to put pallet {n} into hall {n}." for n in range(turns)))


def change(what, session, number):
    """One statement of somebody with the database: the superuser is not bound by policies."""
    run_as_owner(f"UPDATE vault_turn SET {what} WHERE session_id = %s AND number = %s", session.pk, number)


def run_as_owner(statement, *parameters):
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, parameters)


def form_of(session):
    with transaction.atomic():
        isolation.open_everything()
        return Session.objects.get(pk=session.pk).manifest_form


def refused(session, scope):
    for read in (
        lambda: read_session(session_id=session.pk, scope=scope),
        lambda: read_turns(session_id=session.pk, scope=scope),
        lambda: recent_turns(session_id=session.pk, scope=scope),
        lambda: session_timeline(session_id=session.pk, budget=2000, scope=staff_scope()),
        lambda: read_window(session_id=session.pk, max_tokens=2000, scope=scope),
    ):
        with pytest.raises(IntegrityFault):
            read()


def is_whole(session, scope):
    read_window(session_id=session.pk, max_tokens=2000, scope=scope)
    read_turns(session_id=session.pk, scope=scope)
    verify_subject(session.subject_id)
    return True


# --- what is noticed ---


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("number", [1, 3])
def test_a_column_by_which_a_window_chooses_cannot_be_changed(session, scope, what, number):
    change(what.replace("unit = 1", f"unit = {number - 1}"), session, number)

    refused(session, scope)
    with pytest.raises(RowFault) as caught:
        verify_subject(session.subject_id)
    assert caught.value.reason == "turns_are_not_those_of_the_session"


@pytest.mark.parametrize("form", [0, 1, 3])
def test_a_session_of_the_second_form_cannot_be_made_one_of_another(session, scope, form):
    run_as_owner("UPDATE vault_session SET manifest_form = %s WHERE id = %s", form, session.pk)

    refused(session, scope)


def test_a_session_of_the_first_form_cannot_be_made_one_of_the_second(old_session, scope):
    run_as_owner("UPDATE vault_session SET manifest_form = 2 WHERE id = %s", old_session.pk)

    refused(old_session, scope)


def test_what_was_changed_while_the_first_form_did_not_cover_it_is_not_bound_by_the_second(
    old_session, scope
):
    change("role = 'user', importance = 0", old_session, 1)

    with pytest.raises(IntegrityFault):
        erase_turn(session_id=old_session.pk, number=3, scope=scope)
    assert form_of(old_session) == 1


def test_the_form_of_a_session_without_turns_cannot_be_chosen_for_it(scope):
    empty = start_session(subject="S1", namespace="default", scope=scope).row
    run_as_owner("UPDATE vault_session SET manifest_form = 1 WHERE id = %s", empty.pk)

    say(empty, scope, "The depot opens at six.")

    assert form_of(empty) == 2


# --- long sessions, of which a read does not add up every row ---


@pytest.mark.parametrize(
    "what", ["repeated = true", "role = 'user', importance = 0", "calls = 1", "answered = 1"]
)
def test_in_a_long_session_too_a_systems_turn_cannot_be_hidden(session, scope, long_ones, what):
    change(what, session, 1)

    refused(session, scope)
    say(session, scope, "Go on.")
    refused(session, scope)


def test_in_a_long_session_no_other_turn_can_stand_in_for_the_systems(session, scope, long_ones):
    change("role = 'user', importance = 0", session, 1)
    change("role = 'system'", session, 3)

    with pytest.raises(IntegrityFault):
        read_window(session_id=session.pk, max_tokens=2000, scope=scope)


def test_a_systems_turn_said_again_and_erased_leaves_a_long_session_whole(session, scope, long_ones):
    say(session, scope, RULE, "Answer in English.", RULE, role="system")
    assert is_whole(session, scope)

    erase_turn(session_id=session.pk, number=7, scope=scope)
    assert is_whole(session, scope)
    say(session, scope, "Answer briefly.", role="system")
    assert is_whole(session, scope)


@pytest.fixture
def with_points(session, scope, long_ones, monkeypatch):
    """A session with its weightiest points in a row, of which an older one was kept."""
    monkeypatch.setattr(strongest, "FEW_BLOCKS", 2)
    fill(session, scope)
    run_as_owner("DROP TABLE IF EXISTS kept_points")
    run_as_owner(
        "CREATE TABLE kept_points AS SELECT * FROM vault_sessionsummary WHERE session_id = %s AND level = 'best'",
        session.pk,
    )
    erase_turn(session_id=session.pk, number=11, scope=scope)
    assert is_whole(session, scope)
    yield session
    run_as_owner("DROP TABLE kept_points")


def put_old_points_back(session):
    run_as_owner("DELETE FROM vault_sessionsummary WHERE session_id = %s AND level = 'best'", session.pk)
    run_as_owner("INSERT INTO vault_sessionsummary SELECT * FROM kept_points")


def test_in_a_long_session_too_old_points_put_back_are_noticed(with_points, scope):
    put_old_points_back(with_points)

    refused(with_points, scope)


def test_old_points_put_back_do_not_live_on_in_the_next(with_points, scope):
    put_old_points_back(with_points)

    with pytest.raises(IntegrityFault):
        fill(with_points, scope, turns=40)


# --- what stays whole ---


def test_a_session_of_the_first_form_reads_and_goes_on_in_it(old_session, scope):
    assert is_whole(old_session, scope)

    say(old_session, scope, "The depot opens at six.", RULE)
    append_turns(session_id=old_session.pk, drafts=[
        TurnDraft("assistant", "", tool_calls=({"id": "c1", "name": "halls", "arguments": {}},)),
        TurnDraft("tool", "Hall 4 is free.", tool_call="c1"),
    ], scope=scope)  # fmt: skip
    fill(old_session, scope, turns=40)

    assert form_of(old_session) == 1
    assert is_whole(old_session, scope)


@pytest.mark.parametrize("write", [
    lambda row, scope: erase_turn(session_id=row.pk, number=3, scope=scope),
    lambda row, scope: end_session(session_id=row.pk, extract=False, scope=scope),
])  # fmt: skip
def test_it_gets_the_second_when_its_manifest_is_written_as_a_whole(old_session, scope, write):
    write(old_session, scope)

    assert form_of(old_session) == 2
    read_turns(session_id=old_session.pk, scope=scope)
    verify_subject(old_session.subject_id)
    change("importance = 0.01", old_session, 2)
    with pytest.raises(IntegrityFault):
        read_turns(session_id=old_session.pk, scope=scope)


def test_it_gets_the_second_when_it_moves_to_a_subject(scope, in_first_form):
    visit = start_session(namespace="default", scope=scope)
    say(visit.row, scope, "We decided to rent hall 9.")
    in_first_form.undo()

    link_visitor(visitor=visit.visitor, subject="S1", scope=scope)

    assert form_of(visit.row) == 2
    read_turns(session_id=visit.row.pk, scope=scope)


def test_the_first_form_covers_what_it_always_did(old_session):
    with transaction.atomic():
        isolation.open_everything()
        turn = Turn.objects.get(session=old_session, number=2)
        old_session.refresh_from_db()

    covered = bytes(turn.ciphertext) + bytes(turn.fingerprint) + b"/0/0"
    assert turn_entry(turn, form=1) == (old_session.pk, 2, hashlib.sha256(covered).digest())
    assert set(labels_of(old_session)) == {"namespace", "status", "turn_count", "token_count"}
