from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import ago
from tests.lifecycle.upkeep.stored import row_of, set_on, versions_of, with_upkeep
from vault.lifecycle.upkeep.lives import renew_used
from vault.models import Memory
from vault.types import SourceType
from vault.writing.change import change_memory
from vault.writing.lives import renewed_end
from vault.writing.pipeline import write_memory
from vault.writing.upkeep_policy import EXAMPLE

DAY = timedelta(days=1)
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def write(text: str = "She likes the window seat.", **fields: object) -> Memory:
    return write_memory(draft=make_draft(text, **fields), scope=make_agent_scope()).memory.row


def life(left: timedelta, days: int = 100) -> Memory:
    return Memory(life_days=days, expires_at=NOW + left)


@pytest.fixture
def _example(db) -> None:
    with_upkeep(**EXAMPLE)


example = pytest.mark.usefixtures("_example")


@example
def test_a_class_of_the_policy_ends_when_it_says():
    memory = write(metadata={"class": "temporary"})

    assert memory.expires_at - memory.created_at == DAY
    assert (memory.life_days, memory.life_extends) == (1, False)


@example
def test_a_slot_of_the_policy_ends_when_it_says():
    memory = write(attribute="preference_seat")

    assert (memory.expires_at - memory.created_at, memory.life_extends) == (365 * DAY, True)


@example
def test_an_end_that_the_writer_names_goes_before_the_policy_s():
    end = timezone.now() + timedelta(days=3)
    memory = write(attribute="preference_seat", expires_at=end)

    assert (memory.expires_at, memory.life_days) == (end, None)


@example
def test_what_no_rule_fits_has_no_end():
    assert write().expires_at is None


@example
def test_use_moves_the_end_of_a_life_that_extends():
    memory = write(attribute="preference_seat")
    later = timezone.now() + 100 * DAY
    set_on(memory.pk, last_used_at=later)

    assert renew_used(now=later, limit=10) == 1

    assert row_of(memory.pk).expires_at == later + 365 * DAY
    assert versions_of(memory.pk)[-1].reason_code == "life_renewed"
    assert AuditEntry.objects.filter(action="memory.changed", reason="life_renewed").count() == 1


@example
def test_renewing_twice_writes_one_version():
    memory = write(attribute="preference_seat")
    later = timezone.now() + 100 * DAY
    set_on(memory.pk, last_used_at=later)
    renew_used(now=later, limit=10)

    assert renew_used(now=later, limit=10) == 0


@example
def test_use_does_not_move_the_end_of_a_life_that_does_not_extend():
    memory = write(metadata={"class": "session"})
    later = timezone.now() + 20 * DAY
    set_on(memory.pk, last_used_at=later)

    assert renew_used(now=later, limit=10) == 0
    assert row_of(memory.pk).expires_at == memory.expires_at


@example
def test_use_does_not_move_an_end_that_the_writer_named():
    memory = write(attribute="preference_seat", expires_at=timezone.now() + 30 * DAY)
    set_on(memory.pk, last_used_at=timezone.now() + 20 * DAY)

    assert renew_used(now=timezone.now() + 20 * DAY, limit=10) == 0


@example
def test_what_is_over_is_not_brought_back_by_its_last_use():
    memory = write(metadata={"class": "technical"})
    set_on(memory.pk, last_used_at=timezone.now() + 89 * DAY)

    assert renew_used(now=timezone.now() + 91 * DAY, limit=10) == 0


@example
def test_saying_it_again_gives_it_its_whole_life_again():
    memory = write(metadata={"class": "session"})
    set_on(memory.pk, life_days=30_000)

    again = write(metadata={"class": "session"})

    assert again.pk == memory.pk
    assert again.expires_at > memory.expires_at + 1000 * DAY


@example
def test_an_echo_gives_no_new_life():
    memory = write(metadata={"class": "session"})
    set_on(memory.pk, life_days=30_000, last_used_at=ago(minutes=1))

    assert write(source=SourceType.AGENT).expires_at == memory.expires_at


@example
def test_an_end_set_by_a_change_is_the_writer_s_own_from_then_on():
    memory = write(attribute="preference_seat")

    changed = change_memory(
        memory_id=memory.pk, changes={"expires_at": None}, expected_version=1, reason="kept",
        scope=make_agent_scope(),
    ).memory.row  # fmt: skip

    assert (changed.expires_at, changed.life_days, changed.life_extends) == (None, None, False)


def test_an_end_moves_by_a_tenth_of_the_life_or_not_at_all():
    assert renewed_end(life(91 * DAY), NOW) is None
    assert renewed_end(life(90 * DAY), NOW) == NOW + 100 * DAY


def test_an_end_never_moves_back():
    assert renewed_end(life(150 * DAY), NOW) is None


def test_without_a_life_nothing_moves():
    assert renewed_end(Memory(expires_at=NOW), NOW) is None
    assert renewed_end(Memory(life_days=3), NOW) is None
