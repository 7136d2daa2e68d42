from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.factories import ago, make_memory, make_scope, staff_scope
from tests.lifecycle.upkeep.stored import set_on, with_upkeep
from vault.errors import ScopeMissing
from vault.lifecycle.upkeep.unused import unused_memories

pytestmark = pytest.mark.django_db


def listed() -> list:
    return [row.memory.pk for row in unused_memories(scope=staff_scope()).rows]


def test_what_was_not_used_for_long_is_listed_the_longest_first():
    newer, older = make_memory(created_at=ago(days=200)).row, make_memory(created_at=ago(days=400)).row
    make_memory()

    page = unused_memories(scope=staff_scope())

    assert [row.memory.pk for row in page.rows] == [older.pk, newer.pk]
    assert [row.untouched_days for row in page.rows] == [400, 200]
    assert page.total == 2


def test_what_was_used_since_is_not():
    memory = make_memory(created_at=ago(days=400)).row
    set_on(memory.pk, last_used_at=ago(days=3))

    assert listed() == []


def test_how_long_is_the_namespace_s_own_rule():
    with_upkeep("busy", unused_days=10)
    quick = make_memory(namespace="busy", created_at=ago(days=11)).row
    make_memory(created_at=ago(days=11))

    assert listed() == [quick.pk]


@pytest.mark.parametrize("fields", [{"pinned": True}, {"status": "forgotten"}])
def test_what_is_pinned_or_not_served_is_not_listed(fields):
    make_memory(created_at=ago(days=400), **fields)

    assert listed() == []


def test_what_readers_found_useless_is_listed_though_it_was_used_today():
    memory = make_memory().row
    set_on(memory.pk, last_used_at=ago(hours=1), useless_count=3, useful_count=2)

    assert listed() == [memory.pk]


def test_two_words_against_it_are_not_enough():
    set_on(make_memory().row.pk, useless_count=2)

    assert listed() == []


def test_the_look_is_recorded_and_only_staff_look():
    unused_memories(scope=staff_scope())

    assert AuditEntry.objects.get(action="memory.listed").reason == "unused"
    with pytest.raises(ScopeMissing):
        unused_memories(scope=make_scope())
