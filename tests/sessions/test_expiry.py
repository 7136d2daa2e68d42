"""What ends by itself, what is erased with its subject, and what an altered row does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import staff_scope
from vault.errors import IntegrityFault, InvalidTransition
from vault.lifecycle.data_map import STORES
from vault.lifecycle.holds import place_hold
from vault.models import Session, SessionSummary, Turn, isolation
from vault.sessions.append import append_turns
from vault.sessions.expiry import expire_due_sessions, purge_due_sessions
from vault.sessions.read import read_turns
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.window import read_window

pytestmark = pytest.mark.django_db(transaction=True)

LATER = timedelta(days=400)


@pytest.fixture
def session(scope):
    row = start_session(subject="S1", namespace="default", scope=scope).row
    append_turns(
        session_id=row.pk, drafts=[TurnDraft("user", "We decided to paint the hall blue.")], scope=scope
    )
    return row


def stored(model, **filters):
    with transaction.atomic():
        isolation.open_everything()
        return list(model.objects.filter(**filters))


def alter(session, **values):
    with transaction.atomic():
        isolation.open_everything()
        Turn.objects.filter(session=session).update(**values)


def test_an_idle_session_ends(session, scope):
    assert expire_due_sessions(now=timezone.now() + LATER, limit=10) == 1
    assert [row.status for row in stored(Session)] == ["expired"]
    with pytest.raises(InvalidTransition):
        read_window(session_id=session.pk, max_tokens=100, scope=scope)


def test_a_session_that_is_used_goes_on(session):
    assert expire_due_sessions(now=timezone.now(), limit=10) == 0


def test_what_is_over_takes_nothing_even_before_a_job_has_met_it(session, scope):
    with transaction.atomic():
        isolation.open_everything()
        Session.objects.update(idle_until=timezone.now() - timedelta(seconds=1))

    with pytest.raises(InvalidTransition):
        append_turns(session_id=session.pk, drafts=[TurnDraft("user", "One more thing.")], scope=scope)


def test_long_after_its_end_the_turns_go_and_the_summary_stays(session):
    now = timezone.now() + LATER
    expire_due_sessions(now=now, limit=10)

    assert purge_due_sessions(now=now + LATER, limit=10) == 1
    assert stored(Turn) == []
    assert {row.level for row in stored(SessionSummary)} == {"session", "subject"}
    assert purge_due_sessions(now=now + LATER, limit=10) == 0


def test_a_hold_stops_both(session):
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    assert expire_due_sessions(now=timezone.now() + LATER, limit=10) == 0
    assert purge_due_sessions(now=timezone.now() + LATER, limit=10) == 0


def test_an_erasure_goes_over_every_row_of_a_session(session):
    expire_due_sessions(now=timezone.now() + LATER, limit=10)
    with transaction.atomic():
        isolation.open_whole_subject(session.subject_id)
        mine = [store for store in STORES if store.name in ("session_summaries", "turns", "sessions")]
        erased = {store.name: store.erase(session.subject_id) for store in mine}

    assert erased == {"session_summaries": 2, "turns": 1, "sessions": 1}


@pytest.mark.parametrize(
    "values", [{"role": "system"}, {"trust": "verified"}, {"importance": 1.0}, {"tokens": 1}, {"number": 7}]
)
def test_a_turn_that_was_altered_beside_its_seal_is_not_served(session, scope, values):
    alter(session, **values)

    with pytest.raises(IntegrityFault):
        read_turns(session_id=session.pk, scope=scope)


def test_nothing_that_was_said_stands_in_clear(session):
    with transaction.atomic():
        isolation.open_everything()
        rows = [bytes(row.ciphertext) + bytes(row.fingerprint) for row in Turn.objects.all()]
        rows += [bytes(row.state) for row in Session.objects.all()]

    assert rows
    assert all(b"paint" not in row for row in rows)


def test_a_full_block_is_summarised_when_its_last_turn_comes(session, scope):
    drafts = [TurnDraft("user", f"We decided to put pallet {n} into hall {n}.") for n in range(39)]

    append_turns(session_id=session.pk, drafts=drafts, scope=scope)

    assert [(row.level, row.first, row.last) for row in stored(SessionSummary)] == [("turns", 1, 40)]
