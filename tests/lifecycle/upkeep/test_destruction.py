from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import ago, make_memory, make_scope, staff_scope
from tests.lifecycle.upkeep.stored import row_of, set_on, versions_of, with_upkeep
from vault.errors import InvalidTransition
from vault.lifecycle.holds import place_hold
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.retention import expire_due
from vault.lifecycle.upkeep.destruction import destroy_due
from vault.lifecycle.versions import list_versions, roll_back
from vault.retrieval.read import ListQuery, list_memories, subject_overview
from vault.types import Status

pytestmark = pytest.mark.django_db


def destroy(**ahead: float) -> int:
    return destroy_due(now=timezone.now() + timedelta(**ahead), limit=10)


def expired(text: str = "The gate code changes on Friday.", **labels: object):
    memory = make_memory(text, subject="S1", expires_at=ago(hours=1), **labels)
    expire_due(now=timezone.now(), limit=10)
    return memory.row


def test_after_the_grace_no_ciphertext_that_said_anything_is_left():
    memory = expired()

    assert destroy(days=31) == 1

    *earlier, last = versions_of(memory.pk)
    assert [bytes(version.ciphertext) for version in earlier] == [b"", b""]
    assert all(version.destroyed_at for version in earlier)
    assert (last.reason_code, last.status) == ("grace_over", "expired")
    history = list_versions(memory_id=memory.pk, scope=staff_scope())
    assert {view.opened.content.text for view in history} == {""}


def test_within_the_grace_the_content_stays():
    memory = expired()

    assert destroy(days=29) == 0
    assert row_of(memory.pk).destroyed_at is None


def test_the_grace_is_the_namespace_s_own():
    with_upkeep(grace_days=2)
    expired()

    assert (destroy(days=1), destroy(days=3)) == (0, 1)


def test_what_expired_late_has_its_whole_grace():
    make_memory(subject="S1", expires_at=ago(days=90))
    expire_due(now=timezone.now(), limit=10)

    assert destroy(days=1) == 0


def test_the_row_and_its_counts_stay_and_the_log_says_how_much_went():
    memory = expired()
    set_on(memory.pk, use_count=7)
    destroy(days=31)

    row = row_of(memory.pk)
    assert (row.status, row.use_count) == (Status.EXPIRED, 7)
    assert subject_overview(subject="S1", scope=make_scope()).by_status == {"expired": 1}
    entry = AuditEntry.objects.get(action="memory.destroyed")
    assert (entry.target_id, entry.facts["versions"]) == (str(memory.pk), 2)


def test_destroying_twice_destroys_once():
    expired()
    destroy(days=31)

    assert destroy(days=32) == 0


def test_under_a_hold_nothing_is_destroyed():
    memory = expired()
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    assert destroy(days=31) == 0
    assert row_of(memory.pk).destroyed_at is None


@pytest.mark.parametrize("status", ["superseded", "forgotten", "archived"])
def test_what_left_before_its_end_came_is_destroyed_too(status):
    memory = make_memory(subject="S1", status=status, expires_at=ago(days=40)).row
    set_on(memory.pk, updated_at=ago(days=40))

    assert destroy(days=0) == 1
    assert row_of(memory.pk).status == status


def test_the_subject_s_set_is_whole_and_sound_afterwards():
    expired()
    destroy(days=31)

    assert [checked.versions for checked in verify_memories()] == [3]


def test_what_says_nothing_any_more_is_in_no_list():
    expired()
    destroy(days=31)

    assert list_memories(query=ListQuery("S1", status=Status.EXPIRED), scope=make_scope()).results == ()


def test_nothing_goes_back_to_a_version_that_was_destroyed():
    memory = expired()
    destroy(days=31)

    with pytest.raises(InvalidTransition):
        roll_back(memory_id=memory.pk, version=1, expected_version=3, reason="x", scope=staff_scope())


def test_rules_that_cannot_be_read_destroy_nothing():
    namespace = with_upkeep()
    memory = expired()
    namespace.policy = {"upkeep": {"grace_days": "soon"}}
    namespace.save()

    assert destroy(days=3000) == 0
    assert row_of(memory.pk).destroyed_at is None
