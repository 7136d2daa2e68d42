"""Caps through the whole pipeline (reported fault D24: the eviction removed the memory just written)."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import ago, make_memory, make_namespace, staff_scope
from vault.errors import CapReached
from vault.lifecycle.holds import place_hold
from vault.models import Memory, MemoryIndex, Namespace, isolation
from vault.retrieval.read import get_memory
from vault.types import Status
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)

TEXTS = (
    "The ferry to the island leaves from pier nine.",
    "Her brother repairs old violins.",
    "Invoices go to the office in Lisbon.",
    "The greenhouse needs a new pane of glass.",
    "He plays chess in the park on Sundays.",
    "The choir rehearses on Mondays.",
    "Their boat is called Marigold.",
    "She grew up in a lighthouse.",
    "The archive opens at ten.",
    "The bakery closes in August.",
    "Two swans live on the pond.",
)


@pytest.fixture(autouse=True)
def _cap_of_three() -> None:
    make_namespace()
    Namespace.objects.filter(name="default").update(policy={"upkeep": {"cap": 3}})


def fill(**labels: object) -> list[Memory]:
    return [make_memory(TEXTS[number], subject="S1", importance=1.0, **labels).row for number in range(3)]


def write(text: str = TEXTS[3], subject: str = "S1", **fields: object):
    return write_memory(draft=make_draft(text, subject, **fields), scope=make_agent_scope())


def active(subject_of: Memory) -> set:
    with transaction.atomic():
        isolation.open_everything()
        rows = Memory.objects.filter(subject_id=subject_of.subject_id, status=Status.ACTIVE)
        return set(rows.values_list("pk", flat=True))


def set_on(memory: Memory, **fields: object) -> None:
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=memory.pk).update(**fields)


def test_at_the_cap_the_least_valuable_gives_way_and_the_new_one_stays_though_it_weighs_less():
    first, second, third = fill()
    set_on(second, pinned=True)
    set_on(third, use_count=9)

    result = write(importance=0.2)

    assert result.archived == (first.pk,)
    assert active(first) == {second.pk, third.pk, result.memory.row.pk}
    assert get_memory(memory_id=result.memory.row.pk, scope=make_agent_scope()).content.text == TEXTS[3]


def test_what_gave_way_is_archived_with_its_history_and_an_entry():
    fill()

    result = write()

    entry = AuditEntry.objects.get(action="memory.evicted")
    assert entry.target_id == str(result.archived[0])
    assert entry.facts["cap"] == 3
    with transaction.atomic():
        isolation.open_everything()
        row = Memory.objects.get(pk=result.archived[0])
        assert (row.status, row.version) == (Status.ARCHIVED, 2)
        assert not MemoryIndex.objects.filter(memory=row).exists()


def test_when_all_are_pinned_the_write_is_refused_and_leaves_an_entry():
    rows = fill(pinned=True)

    with pytest.raises(CapReached):
        write()

    assert active(rows[0]) == {row.pk for row in rows}
    assert AuditEntry.objects.filter(action="memory.refused", reason="cap_reached").count() == 1


def test_under_a_hold_nothing_gives_way():
    rows = fill()
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    with pytest.raises(CapReached):
        write()

    assert active(rows[0]) == {row.pk for row in rows}


def test_what_is_past_its_time_takes_no_room():
    fill()
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=Memory.objects.first().pk).update(expires_at=ago(seconds=1))

    assert write().archived == ()


def test_what_a_write_replaces_makes_room_for_it():
    make_memory("Her shoe size is 38.", subject="S1", content={"attribute": "shoe_size"})
    fill_two = [make_memory(TEXTS[number], subject="S1").row for number in range(2)]

    result = write("Her shoe size is 39.", attribute="shoe_size")

    assert result.archived == ()
    assert {row.pk for row in fill_two} < active(result.memory.row)


def test_a_repeat_at_the_cap_pushes_nothing_out():
    fill()

    result = write(TEXTS[0])

    assert (result.outcome, result.archived) == ("merged", ())


def test_another_subject_has_a_cap_of_its_own():
    fill()

    assert write(subject="S2").archived == ()


def test_parallel_writes_at_the_cap_never_hold_more_than_it_and_every_id_resolves():
    kept = fill()[1]
    set_on(kept, pinned=True)
    scope = make_agent_scope()
    written: list[Memory] = []
    barrier = threading.Barrier(8)

    def work(text: str) -> None:
        try:
            barrier.wait(30)
            written.append(write_memory(draft=make_draft(text), scope=scope).memory.row)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(text,)) for text in TEXTS[3:]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(written) == 8
    assert len(active(kept)) == 3
    assert kept.pk in active(kept)
    assert AuditEntry.objects.filter(action="memory.evicted").count() == 8
    for memory in written:
        assert get_memory(memory_id=memory.pk, scope=scope).row.status in (Status.ACTIVE, Status.ARCHIVED)
