"""Reported fault D04: a deleted fact lived on inside the summary that was made of it."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_subject, staff_scope
from tests.lifecycle.test_erasure import approved, counts_of
from tests.lifecycle.upkeep.stored import row_of, versions_of
from vault.errors import NotFound
from vault.lifecycle.approvals import approve
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.holds import ask_hold_release, carry_out_hold_release, place_hold
from vault.lifecycle.upkeep.consolidation import consolidate_now
from vault.lifecycle.upkeep.destruction import destroy_due
from vault.lifecycle.versions import list_versions, roll_back
from vault.models import ApprovalKind, Memory, isolation
from vault.retrieval.read import ListQuery, get_memory, list_memories
from vault.retrieval.recall import build_context
from vault.retrieval.search import Mode, SearchQuery, search
from vault.types import Status
from vault.writing.change import change_memory

pytestmark = pytest.mark.django_db

FACT = "4417"


@pytest.fixture
def pool() -> tuple[Memory, Memory, Memory]:
    """Two memories and the one that was made of them."""
    one = make_memory("Ilse's pool locker number is 4417", subject="S1", embedded=True).row
    other = make_memory("Ilse swims on Tuesdays at the pool", subject="S1", embedded=True).row
    (whole,) = consolidate_now(subject_id=one.subject_id, scope=staff_scope()).made
    return one, other, row_of(whole)


def forget(memory: Memory, version: int = 2) -> None:
    forget_memory(memory_id=memory.pk, expected_version=version, reason="wrong", scope=make_scope())


def read_by_agents() -> str:
    """Everything that an agent can get of the subject."""
    scope, seen = make_scope(), []
    for mode in Mode:
        for query in (FACT, "pool locker"):
            hits = search(query=SearchQuery("S1", query, k=50, mode=mode), scope=scope).results
            seen += [hit.memory.content.text for hit in hits]
    seen.append(
        build_context(query=SearchQuery("S1", "pool locker", k=50), max_tokens=2000, scope=scope).text
    )
    for status in Status:
        listed = list_memories(query=ListQuery("S1", status=status), scope=scope).results
        if status is not Status.FORGOTTEN:
            seen += [memory.content.text for memory in listed]
    for memory_id in ids():
        seen += texts_of(memory_id, scope)
    return "\n".join(seen)


def lift(hold) -> None:
    asked = ask_hold_release(hold_id=hold.pk, reason_code="proceedings_ended", scope=staff_scope())
    approve(approval_id=asked.pk, kinds=[ApprovalKind.HOLD_RELEASE], scope=staff_scope())
    carry_out_hold_release(asked, staff_scope())


def ids() -> list:
    with transaction.atomic():
        isolation.open_everything()
        return list(Memory.objects.values_list("pk", flat=True))


def texts_of(memory_id, scope) -> list[str]:
    try:
        opened = get_memory(memory_id=memory_id, scope=scope)
        views = list_versions(memory_id=memory_id, scope=scope)
    except NotFound:
        return []
    return [opened.content.text, *(view.opened.content.text for view in views)]


def test_the_fact_is_served_before_it_is_deleted(pool):
    assert FACT in read_by_agents()


def test_after_the_deletion_no_read_path_returns_it(pool):
    forget(pool[0])

    assert FACT not in read_by_agents()


def test_not_even_staff_find_it_in_any_version_of_what_was_made(pool):
    forget(pool[0])

    views = list_versions(memory_id=pool[2].pk, scope=staff_scope())
    assert FACT not in "".join(view.opened.content.text for view in views)
    assert all(version.destroyed_at for version in versions_of(pool[2].pk)[:-1])


def test_no_ciphertext_of_it_is_left_that_any_key_opens(pool):
    forget(pool[0])

    assert [bytes(version.ciphertext) for version in versions_of(pool[2].pk)[:-1]] == [b"", b""]


def test_the_other_original_is_found_again_with_its_own_words(pool):
    forget(pool[0])

    hits = search(query=SearchQuery("S1", "When does Ilse swim?"), scope=make_scope()).results
    assert [hit.memory.content.text for hit in hits] == ["Ilse swims on Tuesdays at the pool"]


def test_the_log_links_the_deletion_to_what_became_of_the_whole(pool):
    one, _, whole = pool
    forget(one)

    entry = AuditEntry.objects.get(action="memory.destroyed", target_id=str(whole.pk))
    assert entry.facts["because"] == str(one.pk)
    assert AuditEntry.objects.filter(action="memory.forgotten", target_id=str(one.pk)).exists()


def test_restored_the_fact_stands_for_itself(pool):
    forget(pool[0])

    restore_memory(memory_id=pool[0].pk, expected_version=3, reason="undo", scope=make_scope())

    assert row_of(pool[0].pk).status == Status.ACTIVE


def test_what_was_made_is_withdrawn_when_an_original_is_changed(pool):
    one, _, whole = pool

    changed = change_memory(
        memory_id=one.pk, changes={"text": "Ilse's pool locker number is 5528"}, expected_version=2,
        reason="corrected", scope=make_scope(),
    )  # fmt: skip

    assert (changed.memory.row.status, row_of(whole.pk).status) == (Status.ACTIVE, Status.FORGOTTEN)
    assert row_of(whole.pk).destroyed_at is not None


def test_what_was_made_is_withdrawn_when_an_original_goes_back(pool):
    """The original is served again by then, and what was made of it is only hidden."""
    from_before = pool[0]
    change_memory(
        memory_id=from_before.pk, changes={"text": "Ilse's pool locker number is 5528"}, expected_version=2,
        reason="corrected", scope=make_scope(),
    )  # fmt: skip

    roll_back(memory_id=from_before.pk, version=1, expected_version=3, reason="undo", scope=make_scope())

    assert row_of(pool[2].pk).destroyed_at is not None


def test_under_a_hold_the_text_is_hidden_and_destroyed_when_the_hold_has_gone(pool):
    one, _, whole = pool
    hold = place_hold(subject="S1", reason_code="litigation", scope=staff_scope())
    forget(one)
    assert (row_of(whole.pk).status, row_of(whole.pk).destroyed_at) == (Status.FORGOTTEN, None)
    assert FACT not in read_by_agents()
    assert destroy_due(now=timezone.now(), limit=10) == 0

    lift(hold)

    assert destroy_due(now=timezone.now(), limit=10) == 1
    assert row_of(whole.pk).destroyed_at is not None


def test_an_erasure_leaves_nothing_of_either(pool):
    subject = make_subject("S1")

    execute_erasure(approved("S1").pk)

    assert set(counts_of(subject).values()) == {0}
