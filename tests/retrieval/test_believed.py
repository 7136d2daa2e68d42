from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connections
from django.utils import timezone

from tests.drafts import make_agent_scope, make_draft
from vault.errors import IntegrityFault, NotFound, SubjectErased
from vault.lifecycle.forget import forget_memory
from vault.lifecycle.retention import expire_due
from vault.models import Memory
from vault.retrieval.search import Hit, Mode, SearchQuery, search
from vault.types import Kind, Status, Trust
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)

OLD, NEW = "The lamp is green.", "The lamp is blue."


def write(text: str, **fields: object) -> Memory:
    return write_memory(draft=make_draft(text, "S1", **fields), scope=make_agent_scope()).memory.row


def status_of(memory: Memory) -> str:
    return run_as_owner("SELECT status FROM vault_memory WHERE id = %s", memory.pk)[0][0]


def replace_statement() -> datetime:
    """Write a statement and one that supersedes it; the moment between the two."""
    old = write(OLD, attribute="lamp.colour")
    moment = timezone.now()
    write(NEW, attribute="lamp.colour", supersedes=(old.pk,))
    assert status_of(old) == Status.SUPERSEDED
    return moment


def move(memory: Memory, room: str, *, at: int) -> None:
    change_memory(
        memory_id=memory.pk,
        expected_version=at,
        changes={"text": f"The lamp stands in the {room}."},
        reason="moved",
        scope=make_agent_scope(),
    )


def run_as_owner(statement: str, *parameters: object) -> list[tuple]:
    """What somebody with the database could read and do."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def hits(text: str = "lamp", **options: object) -> tuple[Hit, ...]:
    return search(query=SearchQuery("S1", text, **options), scope=make_agent_scope()).results


def found(text: str = "lamp", **options: object) -> list[str]:
    return [hit.memory.content.text for hit in hits(text, **options)]


@pytest.mark.parametrize("mode", Mode)
def test_a_statement_superseded_later_was_believed_then(mode):
    moment = replace_statement()

    assert found(as_of=moment, mode=mode) == [OLD]
    assert found(mode=mode) == [NEW]


def test_it_is_shown_with_the_labels_of_then():
    moment = replace_statement()

    row = hits(as_of=moment)[0].memory.row

    assert (row.status, row.version, row.superseded_by_id) == (Status.ACTIVE, 1, None)


def test_a_changed_memory_has_the_words_of_then():
    memory = write("The lamp stands in the hall.")
    moment = timezone.now()
    move(memory, "attic", at=1)

    assert found(as_of=moment) == ["The lamp stands in the hall."]
    assert found("attic", as_of=moment, mode=Mode.KEYWORD) == []
    assert found("hall", as_of=moment, mode=Mode.KEYWORD) == ["The lamp stands in the hall."]


def test_filters_read_the_labels_of_then():
    memory = write(OLD, kind=Kind.EVENT, importance=0.2)
    moment = timezone.now()
    change_memory(
        memory_id=memory.pk,
        expected_version=1,
        changes={"kind": Kind.FACT},
        reason="event",
        scope=make_agent_scope(),
    )

    assert found(as_of=moment, kinds=(Kind.EVENT,)) == [OLD]
    assert found(as_of=moment, kinds=(Kind.FACT,)) == []
    assert found(as_of=moment, min_trust=Trust.VERIFIED) == []


def test_an_attribute_is_looked_for_in_what_stood_then():
    moment = replace_statement()

    assert found(as_of=moment, attribute="lamp.colour") == [OLD]
    assert found(as_of=moment, attribute="lamp.weight") == []


def test_what_was_forgotten_since_does_not_come_back():
    memory = write(OLD)
    moment = timezone.now()
    forget_memory(memory_id=memory.pk, expected_version=1, reason="forgotten", scope=make_agent_scope())

    assert found(as_of=moment) == []


def test_what_has_expired_by_now_does_not_come_back():
    memory = write(OLD, expires_at=timezone.now() + timedelta(hours=1))
    moment = timezone.now()
    expire_due(now=moment + timedelta(hours=2), limit=10)
    assert status_of(memory) == Status.EXPIRED

    assert found(as_of=moment) == []


@pytest.mark.parametrize("status", ["superseded", "active", "archived"])
def test_a_hidden_memory_is_not_uncovered_by_a_status_changed_in_sql(status):
    memory = write(OLD)
    moment = timezone.now()
    forget_memory(memory_id=memory.pk, expected_version=1, reason="forgotten", scope=make_agent_scope())
    run_as_owner("UPDATE vault_memory SET status = %s WHERE id = %s", status, memory.pk)

    with pytest.raises(IntegrityFault):
        found(as_of=moment)


def test_what_was_not_written_yet_is_not_there():
    moment = timezone.now()
    replace_statement()

    assert found(as_of=moment) == []


def test_an_imported_memory_was_believed_from_the_date_it_bears():
    memory = write(OLD, created_at=timezone.now() - timedelta(days=30))
    change_memory(
        memory_id=memory.pk,
        expected_version=1,
        changes={"text": NEW},
        reason="moved",
        scope=make_agent_scope(),
    )

    assert found(as_of=timezone.now() - timedelta(days=10)) == [OLD]


def test_of_an_erased_subject_nothing_was_ever_believed():
    moment = replace_statement()
    run_as_owner("UPDATE vault_subject SET erased_at = now()")

    with pytest.raises((SubjectErased, NotFound)):
        found(as_of=moment)


def test_a_past_version_that_was_altered_is_a_fault():
    moment = replace_statement()
    run_as_owner("UPDATE vault_memoryversion SET trust = 'untrusted' WHERE number = 1")

    with pytest.raises(IntegrityFault):
        found(as_of=moment)


def test_a_gap_in_a_history_is_a_fault_and_not_an_older_truth():
    memory = write("The lamp stands in the hall.")
    move(memory, "attic", at=1)
    moment = timezone.now()
    move(memory, "cellar", at=2)
    run_as_owner("DELETE FROM vault_memoryversion WHERE number = 2")

    with pytest.raises(IntegrityFault):
        found(as_of=moment)


def test_a_stranger_finds_nothing_of_anothers_past():
    moment = replace_statement()
    write_memory(draft=make_draft("The door is red.", "S2"), scope=make_agent_scope())

    answer = search(query=SearchQuery("S2", "lamp", as_of=moment), scope=make_agent_scope())

    assert answer.results == ()
