from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import ago, make_memory, make_scope, staff_scope
from tests.lifecycle.upkeep.stored import row_of, set_on, with_upkeep
from vault.errors import CapReached, InvalidTransition, NotFound, ScopeMissing, StaleVersion
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.upkeep.caps import bring_back_evicted, evicted_memories, pin_memory
from vault.types import Status
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db


def pin(memory_id, *, pinned: bool = True, version: int = 1, scope=None):
    return pin_memory(
        memory_id=memory_id, expected_version=version, pinned=pinned, scope=scope or staff_scope()
    )


def evicted():
    """A subject at its cap of one, and what a write pushed out."""
    with_upkeep(cap=1)
    old = make_memory("The ferry leaves from pier nine.", subject="S1").row
    new = write_memory(
        draft=make_draft("Her brother repairs old violins."), scope=make_agent_scope()
    ).memory.row
    return old.pk, new.pk


def bring_back(memory_id, version: int = 2):
    return bring_back_evicted(
        memory_id=memory_id, expected_version=version, reason="correction", scope=staff_scope()
    )


def test_a_pin_is_set_and_taken_off_with_an_entry_each():
    memory = make_memory().row
    pin(memory.pk)
    assert row_of(memory.pk).pinned

    pin(memory.pk, pinned=False)

    assert not row_of(memory.pk).pinned
    reasons = (
        AuditEntry.objects.filter(action="memory.pinned").order_by("pk").values_list("reason", flat=True)
    )
    assert list(reasons) == ["pinned", "unpinned"]


def test_what_is_pinned_is_not_pinned_again():
    memory = make_memory(pinned=True).row

    with pytest.raises(InvalidTransition):
        pin(memory.pk)


def test_only_staff_pin():
    with pytest.raises(ScopeMissing):
        pin(make_memory().row.pk, scope=make_scope())


def test_a_pin_on_a_version_that_was_not_read_is_refused():
    with pytest.raises(StaleVersion):
        pin(make_memory().row.pk, version=7)


def test_what_is_not_served_is_not_pinned():
    with pytest.raises(InvalidTransition):
        pin(make_memory(status="forgotten").row.pk)


def test_the_register_shows_what_a_cap_archived_and_nothing_else():
    old, _ = evicted()
    make_memory("Archived for another reason.", subject="S2", status="archived")

    assert [memory.pk for memory in evicted_memories(scope=staff_scope())] == [old]


def test_the_register_is_for_staff():
    with pytest.raises(ScopeMissing):
        evicted_memories(scope=make_scope())


def test_what_a_cap_archived_comes_back_when_there_is_room():
    old, new = evicted()
    forget_memory(memory_id=new, expected_version=1, reason="wrong", scope=make_agent_scope())

    bring_back(old)

    assert row_of(old).status == Status.ACTIVE
    assert evicted_memories(scope=staff_scope()) == ()


def test_what_a_cap_archived_pushes_nothing_out_when_it_comes_back():
    old, new = evicted()

    with pytest.raises(CapReached):
        bring_back(old)

    assert (row_of(old).status, row_of(new).status) == (Status.ARCHIVED, Status.ACTIVE)


def test_what_no_cap_archived_is_not_brought_back_by_it():
    with pytest.raises(InvalidTransition):
        bring_back(make_memory(status="archived").row.pk, version=1)


def test_what_is_not_there_is_not_found():
    with_upkeep(cap=1)
    with pytest.raises(NotFound):
        bring_back("00000000-0000-7000-8000-000000000000")


def test_a_restored_memory_pushes_nothing_out_either():
    with_upkeep(cap=1)
    agent = make_agent_scope()
    first = make_memory("The ferry leaves from pier nine.", subject="S1").row
    forget_memory(memory_id=first.pk, expected_version=1, reason="wrong", scope=agent)
    make_memory("Her brother repairs old violins.", subject="S1")

    with pytest.raises(CapReached):
        restore_memory(memory_id=first.pk, expected_version=2, reason="undo", scope=agent)


def test_what_a_cap_archived_can_be_forgotten_like_everything():
    old, _ = evicted()

    forget_memory(memory_id=old, expected_version=2, reason="wrong", scope=make_agent_scope())

    assert row_of(old).status == Status.FORGOTTEN


def test_what_is_past_its_time_does_not_come_back():
    old, new = evicted()
    forget_memory(memory_id=new, expected_version=1, reason="wrong", scope=make_agent_scope())
    set_on(old, expires_at=ago(hours=1))

    with pytest.raises(InvalidTransition):
        bring_back(old)
