"""Somebody with SQL removes, puts back or moves turns and summaries: every read says so, and nothing else does."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.utils import timezone

from tests.factories import staff_scope
from vault.errors import IntegrityFault
from vault.keys import key_vault
from vault.lifecycle.integrity import RowFault, verify_subject
from vault.models import Session, SessionSummary, SummaryLevel, Turn, isolation
from vault.retrieval.records import Content
from vault.retrieval.search import SearchQuery, search
from vault.retrieval.turns import seal_turn
from vault.sessions.append import append_turns
from vault.sessions.end import end_session
from vault.sessions.erase_turn import erase_turn
from vault.sessions.expiry import expire_due_sessions, purge_due_sessions
from vault.sessions.linking import link_visitor, unlink_visitor
from vault.sessions.read import read_session, read_turns, recent_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.timeline import session_timeline
from vault.sessions.window import read_window

pytestmark = pytest.mark.django_db(transaction=True)

LATER = timedelta(days=400)
TURNS, SUMMARIES = "vault_turn", "vault_sessionsummary"


@pytest.fixture
def session(scope):
    return begun(scope, "We decided to paint the hall blue.", "The depot opens at six.", "Who pays for it?")


def begun(scope, *texts, subject="S1"):
    row = start_session(subject=subject, namespace="default", scope=scope).row
    say(row, scope, *texts)
    return row


def say(session, scope, *texts):
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", text) for text in texts], scope=scope)


def filled(session, scope, *, turns=40):
    say(session, scope, *(f"We decided to put pallet {n} into hall {n}." for n in range(turns)))


def run_as_owner(statement, *parameters):
    """What somebody with the database could do: the superuser is not bound by policies."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def copied(table, where, *parameters):
    """A table's rows as they are now, to be put back later."""
    run_as_owner(f"DROP TABLE IF EXISTS kept_{table}")
    run_as_owner(f"CREATE TABLE kept_{table} AS SELECT * FROM {table} WHERE {where}", *parameters)


def put_back(table):
    run_as_owner(f"INSERT INTO {table} SELECT * FROM kept_{table}")
    run_as_owner(f"DROP TABLE kept_{table}")


def refused(session, scope):
    for read in (
        lambda: read_session(session_id=session.pk, scope=scope),
        lambda: read_turns(session_id=session.pk, scope=scope),
        lambda: recent_turns(session_id=session.pk, scope=scope),
        lambda: session_timeline(session_id=session.pk, budget=2000, scope=staff_scope()),
    ):
        with pytest.raises(IntegrityFault):
            read()


def refused_in_a_window(session, scope):
    with pytest.raises(IntegrityFault):
        read_window(session_id=session.pk, max_tokens=2000, scope=scope)


def fault_of(session):
    with pytest.raises(RowFault) as caught:
        verify_subject(session.subject_id)
    return caught.value.reason


def is_whole(session, scope):
    read_turns(session_id=session.pk, scope=scope)
    verify_subject(session.subject_id)
    return True


def stored(model, **filters):
    with transaction.atomic():
        isolation.open_everything()
        return list(model.objects.filter(**filters))


# --- what is noticed ---


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_turn_that_vanished_is_missed(session, scope, number):
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = %s", session.pk, number)

    refused(session, scope)
    refused_in_a_window(session, scope)
    assert fault_of(session) == "turns_are_not_those_of_the_session"


def test_turns_that_vanished_together_with_their_number_are_missed(session, scope):
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = 3", session.pk)
    run_as_owner("UPDATE vault_session SET turn_count = 2, manifest_count = 2 WHERE id = %s", session.pk)

    refused(session, scope)


def test_a_turn_put_back_after_its_erasure_is_noticed(session, scope):
    copied(TURNS, "session_id = %s AND number = 2", session.pk)
    erase_turn(session_id=session.pk, number=2, scope=scope)

    put_back(TURNS)

    refused(session, scope)
    refused_in_a_window(session, scope)


def test_a_turn_put_back_together_with_its_session_is_noticed(session, scope):
    copied(TURNS, "session_id = %s AND number = 2", session.pk)
    copied("vault_session", "id = %s", session.pk)
    erase_turn(session_id=session.pk, number=2, scope=scope)

    put_back(TURNS)
    columns = "turn_count, token_count, state, state_revision, " + ", ".join(
        f"manifest_{name}" for name in ("value", "count", "sequence", "mac")
    )
    run_as_owner(
        f"UPDATE vault_session s SET ({columns}) = (SELECT {columns} FROM kept_vault_session k WHERE k.id = s.id)"
    )
    run_as_owner("DROP TABLE kept_vault_session")

    refused(session, scope)
    with pytest.raises(IntegrityFault):
        search(query=SearchQuery("S1", "depot"), scope=scope)


def test_a_turn_moved_to_another_session_is_noticed_in_both(session, scope):
    other = begun(scope, "The lamp is green.")
    run_as_owner(
        "UPDATE vault_turn SET session_id = %s, number = 9 WHERE session_id = %s AND number = 2",
        other.pk, session.pk,
    )  # fmt: skip

    refused(session, scope)
    refused(other, scope)


def test_turns_that_changed_places_do_not_open(session, scope):
    run_as_owner("UPDATE vault_turn SET number = number + 10 WHERE session_id = %s", session.pk)

    refused(session, scope)


def test_a_session_that_forgot_its_manifest_is_noticed(session, scope):
    run_as_owner("UPDATE vault_session SET manifest_mac = '', manifest_count = 0 WHERE id = %s", session.pk)

    refused(session, scope)


def test_a_session_that_vanished_is_missed_by_the_others(session, scope):
    other = begun(scope, "The lamp is green.")
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s", session.pk)
    run_as_owner("DELETE FROM vault_session WHERE id = %s", session.pk)

    refused(other, scope)


@pytest.mark.parametrize("change", ["repeated = true", "answered = 1", "fingerprint = '\\x00'"])
def test_a_turn_cannot_be_hidden_by_a_mark_beside_it(session, scope, change):
    run_as_owner(f"UPDATE vault_turn SET {change} WHERE session_id = %s AND number = 1", session.pk)

    refused(session, scope)
    refused_in_a_window(session, scope)


@pytest.mark.parametrize("change", ["status = 'active'", "token_count = 1", "turn_count = 7"])
def test_a_session_that_is_over_cannot_be_made_to_go_on(session, scope, change):
    end_session(session_id=session.pk, extract=False, scope=scope)
    run_as_owner(f"UPDATE vault_session SET {change} WHERE id = %s", session.pk)

    with pytest.raises(IntegrityFault):
        read_turns(session_id=session.pk, scope=scope)


def test_what_a_tool_said_put_back_after_the_end_is_noticed(scope):
    session = begun(scope, "Is the hall free?")
    append_turns(session_id=session.pk, drafts=[
        TurnDraft("assistant", "", tool_calls=({"id": "c1", "name": "halls", "arguments": {}},)),
        TurnDraft("tool", "[hall 4: free, hall 5: taken]", tool_call="c1", conclusion="Hall 4 is free."),
    ], scope=scope)  # fmt: skip
    copied(TURNS, "session_id = %s AND number = 3", session.pk)
    end_session(session_id=session.pk, extract=False, scope=scope)
    assert is_whole(session, scope)

    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = 3", session.pk)
    put_back(TURNS)

    refused(session, scope)


def test_a_summary_of_a_stretch_that_vanished_is_missed(session, scope):
    filled(session, scope)
    run_as_owner("DELETE FROM vault_sessionsummary WHERE session_id = %s", session.pk)

    refused(session, scope)
    assert fault_of(session) == "turns_are_not_those_of_the_session"


def test_the_summary_of_all_sessions_that_vanished_is_missed(session, scope):
    end_session(session_id=session.pk, extract=False, scope=scope)
    run_as_owner("DELETE FROM vault_sessionsummary WHERE level = 'subject'")

    refused(session, scope)
    assert fault_of(session) == "rows_are_not_those_of_the_manifest"


def test_an_old_summary_of_all_sessions_put_back_is_noticed(session, scope):
    end_session(session_id=session.pk, extract=False, scope=scope)
    copied(SUMMARIES, "level = 'subject'")
    other = begun(scope, "We decided to rent hall 9.")
    end_session(session_id=other.pk, extract=False, scope=scope)

    run_as_owner("DELETE FROM vault_sessionsummary WHERE level = 'subject'")
    put_back(SUMMARIES)

    refused(session, scope)


def test_an_old_summary_does_not_open_as_one_that_nobody_counts(session, scope):
    end_session(session_id=session.pk, extract=False, scope=scope)
    copied(SUMMARIES, "level = 'subject'")
    for number in (1, 2, 3):
        erase_turn(session_id=session.pk, number=number, scope=scope)
    assert stored(SessionSummary, level=SummaryLevel.SUBJECT) == []
    run_as_owner("UPDATE kept_vault_sessionsummary SET is_bound = false")
    put_back(SUMMARIES)

    other = begun(scope, "The lamp is green.")
    refused_in_a_window(other, scope)


def test_in_a_long_session_too_a_turn_that_vanished_is_missed(session, scope, monkeypatch):
    monkeypatch.setattr("vault.retrieval.session_set.check_session.__kwdefaults__", {"limit": 2})
    assert is_whole(session, scope)
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = 2", session.pk)

    refused(session, scope)


def test_what_was_tampered_with_is_not_bound_as_if_it_were_whole(session, scope):
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = 2", session.pk)

    with pytest.raises(IntegrityFault):
        erase_turn(session_id=session.pk, number=1, scope=scope)
    with pytest.raises(IntegrityFault):
        end_session(session_id=session.pk, scope=scope)
    assert expire_due_sessions(now=timezone.now() + LATER, limit=10) == 0
    say(session, scope, "Go on.")
    refused(session, scope)


def test_verifying_names_the_session(session, capsys):
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = 2", session.pk)

    with pytest.raises(SystemExit):
        call_command("verify_memories", json=True)

    fault = json.loads(capsys.readouterr().out)["fault"]
    assert (fault["reason"], fault["row"]) == ("turns_are_not_those_of_the_session", str(session.pk))


# --- what stays whole ---


def test_verifying_counts_sessions_and_turns(session, capsys):
    call_command("verify_memories", json=True)

    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["sessions"], report["turns"]) == (True, 1, 3)


def test_appending_repeating_and_answering_leave_it_whole(session, scope):
    say(session, scope, "The depot opens at six.", "The depot opens at six.")
    append_turns(session_id=session.pk, drafts=[
        TurnDraft("assistant", "", tool_calls=({"id": "c1", "name": "halls", "arguments": {}},)),
        TurnDraft("tool", "Hall 4 is free.", tool_call="c1"),
    ], scope=scope)  # fmt: skip
    filled(session, scope, turns=45)

    assert is_whole(session, scope)


def test_erasing_a_turn_ending_and_purging_leave_it_whole(session, scope):
    filled(session, scope)
    erase_turn(session_id=session.pk, number=2, scope=scope)
    assert is_whole(session, scope)
    end_session(session_id=session.pk, scope=scope)
    assert is_whole(session, scope)
    erase_turn(session_id=session.pk, number=7, scope=scope)
    assert is_whole(session, scope)

    assert purge_due_sessions(now=timezone.now() + LATER, limit=10) == 1
    assert is_whole(session, scope)
    assert stored(Turn) == []


def test_a_session_that_ran_out_is_whole(session, scope):
    assert expire_due_sessions(now=timezone.now() + LATER, limit=10) == 1

    assert is_whole(session, scope)


def test_a_turn_that_was_said_again_comes_back_when_the_newer_one_is_erased(session, scope):
    say(session, scope, "The depot opens at six.")
    erase_turn(session_id=session.pk, number=4, scope=scope)

    window = read_window(session_id=session.pk, max_tokens=2000, scope=scope)
    assert [turn.row.number for turn in window.turns] == [1, 2, 3]
    assert is_whole(session, scope)


def test_turns_that_come_at_the_same_time_leave_it_whole(session, scope):
    def one(number):
        try:
            say(session, scope, f"Pallet {number} stands in hall {number}.")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(12)))

    assert len(read_turns(session_id=session.pk, scope=scope).turns) == 15
    assert is_whole(session, scope)


def test_a_link_and_its_end_leave_both_whole(session, scope):
    visit = start_session(namespace="default", scope=scope)
    say(visit.row, scope, "We decided to rent hall 9.")
    end_session(session_id=visit.row.pk, extract=False, scope=scope)
    visitor = visit.row.subject_id

    linked = link_visitor(visitor=visit.visitor, subject="S1", scope=scope)
    verify_subject(visitor)
    assert is_whole(session, scope)
    read_turns(session_id=visit.row.pk, scope=scope)

    unlink_visitor(link_id=linked.row.pk, scope=scope)
    verify_subject(visitor)
    assert is_whole(session, scope)
    read_turns(session_id=visit.row.pk, scope=scope)


def test_a_visitors_session_that_lost_a_turn_does_not_move(scope):
    visit = start_session(namespace="default", scope=scope)
    say(visit.row, scope, "We decided to rent hall 9.", "The lamp is green.")
    run_as_owner("DELETE FROM vault_turn WHERE session_id = %s AND number = 1", visit.row.pk)

    with pytest.raises(IntegrityFault):
        link_visitor(visitor=visit.visitor, subject="S1", scope=scope)


def test_a_session_that_began_before_manifests_is_bound_by_its_next_turn(scope):
    before = start_session(subject="S2", namespace="default", scope=scope).row
    keys = key_vault().subject(before.subject_id)
    with transaction.atomic():
        isolation.open_everything()
        turn = Turn(
            session=before, subject_id=before.subject_id, namespace_id=before.namespace_id, number=1, role="user",
            trust="stated", importance=0.5, tokens=9, fingerprint=b"", created_at=timezone.now(),
        )  # fmt: skip
        seal_turn(turn, Content("The depot opens at six."), keys=keys)
        turn.save()
        Session.objects.filter(pk=before.pk).update(turn_count=1, token_count=9)
    assert is_whole(before, scope)

    say(before, scope, "The lamp is green.")

    assert stored(Session, pk=before.pk)[0].manifest_count == 2
    assert is_whole(before, scope)
