"""record(): in the caller's transaction, and nothing that could be content."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from audit.actions import Action, Outcome
from audit.log import Actor, Target, record, record_alone, relax_commit
from audit.models import AuditEntry

STAFF = Actor("staff", "7")
MEMORY = Target("memory", "m-1")

NOT_CODES = [
    "prefers tea",
    "ada@example.com",
    "https://shop.example/?q=1",
    "naïve",
    "x" * 65,
    "a\n",
    "{}",
    "\x00",
    5,
    None,
]

needs_database = pytest.mark.django_db(databases=["default", "owner"])


@needs_database
def test_an_entry_keeps_who_did_what_to_what_and_how_it_ended():
    with transaction.atomic():
        record(
            Action.ACCESS_DENIED,
            actor=STAFF,
            target=MEMORY,
            outcome=Outcome.DENIED,
            subject_ref="ref-9",
            request_id="req-3",
            reason="out_of_scope",
            policy_version=4,
            score=0.25,
            bulk=True,
            detector="named/token",
        )

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.outcome, entry.reason) == ("access.denied", "denied", "out_of_scope")
    assert (entry.actor_kind, entry.actor_id, entry.target_kind, entry.target_id) == (
        "staff",
        "7",
        "memory",
        "m-1",
    )
    assert (entry.subject_ref, entry.request_id) == ("ref-9", "req-3")
    assert entry.facts == {"policy_version": 4, "score": 0.25, "bulk": True, "detector": "named/token"}


@needs_database
def test_the_database_stamps_the_time_to_the_microsecond():
    with transaction.atomic():
        entry = record(Action.MEMORY_READ, actor=STAFF, target=MEMORY)

    assert entry.at == AuditEntry.objects.get().at
    assert entry.at.tzinfo is not None


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_nothing_is_recorded_outside_a_transaction():
    with pytest.raises(RuntimeError, match="transaction"):
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY)

    assert not AuditEntry.objects.exists()


@needs_database
def test_an_entry_goes_back_with_the_change_it_tells_of():
    with transaction.atomic():
        record(Action.MEMORY_CHANGED, actor=STAFF, target=MEMORY)
        transaction.set_rollback(True)

    assert not AuditEntry.objects.exists()


@needs_database
@pytest.mark.parametrize("value", [value for value in NOT_CODES if value != 5])
def test_a_fact_that_could_be_content_is_refused(value):
    with pytest.raises(ValueError, match="fact note is not a code"), transaction.atomic():
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY, note=value)


@needs_database
@pytest.mark.parametrize("field", ["reason", "request_id", "subject_ref"])
@pytest.mark.parametrize("value", NOT_CODES)
def test_a_field_that_could_be_content_is_refused(field, value):
    with pytest.raises(ValueError, match=f"{field} is not a code"), transaction.atomic():
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY, **{field: value})


@pytest.mark.parametrize("value", NOT_CODES)
def test_an_id_that_could_be_content_is_refused(value):
    for make in (lambda: Actor("staff", value), lambda: Target("memory", value), lambda: Target(value)):
        with pytest.raises(ValueError, match="is not a code"):
            make()


def test_an_unknown_kind_of_actor_is_refused():
    with pytest.raises(ValueError, match="kind of actor"):
        Actor("robot", "1")


@needs_database
@pytest.mark.parametrize("number", [float("nan"), float("inf"), 2**60, -1e300])
def test_a_number_that_json_readers_disagree_about_is_refused(number):
    with pytest.raises(ValueError, match="finite number"), transaction.atomic():
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY, count=number)


@needs_database
@pytest.mark.parametrize("name", ["Ada Lovelace", "a-b", "a1", "x" * 65, ""])
def test_the_name_of_a_fact_cannot_carry_content_either(name):
    with pytest.raises(ValueError, match="name of a fact"), transaction.atomic():
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY, **{name: 1})


@needs_database
def test_no_entry_holds_a_flood_of_facts():
    with pytest.raises(ValueError, match="too many facts"), transaction.atomic():
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY, **{"f" * n: n for n in range(1, 42)})


@needs_database
def test_a_refusal_never_repeats_the_value():
    with pytest.raises(ValueError, match="not a code") as refusal, transaction.atomic():
        record(Action.MEMORY_READ, actor=STAFF, target=MEMORY, reason="zebra canary")

    assert "zebra" not in str(refusal.value)


@needs_database
def test_an_action_outside_the_closed_list_is_refused():
    with pytest.raises(ValueError, match="not a valid Action"), transaction.atomic():
        record("memory.imagined", actor=STAFF, target=MEMORY)


@needs_database
def test_a_read_may_be_committed_lazily_and_only_within_its_transaction():
    with transaction.atomic():
        relax_commit()
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            assert cursor.fetchone() == ("off",)


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_commits_are_not_relaxed_outside_a_transaction():
    with pytest.raises(RuntimeError, match="transaction"):
        relax_commit()


@pytest.mark.django_db(transaction=True)
def test_an_entry_alone_is_kept_without_the_callers_transaction():
    record_alone(
        Action.AUTH_FAILED, actor=Actor("anonymous", ""), target=Target("request"), outcome=Outcome.DENIED
    )

    assert AuditEntry.objects.filter(action="auth.failed", outcome="denied").count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_entry_alone_refuses_to_hang_on_a_change_that_may_roll_back():
    with pytest.raises(RuntimeError), transaction.atomic():
        record_alone(Action.AUTH_FAILED, actor=Actor("anonymous", ""), target=Target("request"))

    assert not AuditEntry.objects.exists()
