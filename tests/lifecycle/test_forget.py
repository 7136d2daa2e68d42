from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_subject
from vault.errors import InvalidTransition, NotFound, ScopeMissing, StaleVersion
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.models import KeywordPosting, MemoryIndex, isolation
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db


def forget(memory, scope=None, version=1):
    return forget_memory(
        memory_id=memory.row.pk, expected_version=version, reason="wrong", scope=scope or make_scope()
    )


def restore(memory, scope=None, version=2):
    return restore_memory(
        memory_id=memory.row.pk, expected_version=version, reason="mistake", scope=scope or make_scope()
    )


def index_rows(memory) -> int:
    with transaction.atomic():
        isolation.open_everything()
        found = MemoryIndex.objects.filter(memory=memory.row).count()
        return found + KeywordPosting.objects.filter(memory=memory.row).count()


def test_a_forgotten_memory_has_a_version_more_and_another_status():
    forgotten = forget(make_memory())

    assert (forgotten.row.status, forgotten.row.version) == ("forgotten", 2)


def test_a_forgotten_memory_leaves_every_index_at_once():
    memory = make_memory()

    forget(memory)

    assert index_rows(memory) == 0


def test_a_restored_memory_is_what_it_was():
    memory = make_memory("Prefers tea")
    forget(memory)

    restored = restore(memory)

    assert (restored.row.status, restored.row.version, restored.content.text) == ("active", 3, "Prefers tea")
    assert index_rows(memory) > 0


def test_a_superseded_memory_is_restored_as_superseded():
    memory = make_memory(status="superseded")
    forget(memory)

    assert restore(memory).row.status == "superseded"


def test_forgetting_takes_exactly_the_one_that_was_named():
    subject = make_subject()
    memory, other = (
        make_memory("Prefers tea", subject=subject),
        make_memory("Owns a bicycle", subject=subject),
    )

    forget(memory)

    assert index_rows(other) > 0


def test_a_stale_version_changes_nothing():
    memory = make_memory()

    with pytest.raises(StaleVersion):
        forget(memory, version=7)

    assert index_rows(memory) > 0


def test_what_is_forgotten_is_not_forgotten_again():
    memory = make_memory()
    forget(memory)

    with pytest.raises(InvalidTransition):
        forget(memory, version=2)


def test_what_is_not_forgotten_is_not_restored():
    with pytest.raises(InvalidTransition):
        restore(make_memory(), version=1)


def test_a_memory_whose_time_ran_out_is_not_restored():
    memory = make_memory(expires_at=timezone.now() - timedelta(hours=1))
    forget(memory)

    with pytest.raises(InvalidTransition):
        restore(memory)


def test_a_memory_is_not_restored_beside_one_that_says_the_same():
    subject = make_subject()
    memory = make_memory("Prefers tea", subject=subject)
    forget(memory)
    make_memory("prefers TEA", subject=subject)

    with pytest.raises(InvalidTransition):
        restore(memory)


def test_a_stranger_finds_no_such_memory_and_the_attempt_is_recorded():
    memory = make_memory()
    stranger = make_scope(namespace="billing")

    with pytest.raises(NotFound):
        forget(memory, scope=stranger)

    assert AuditEntry.objects.get(action="access.denied").actor_id == stranger.actor.id


def test_a_token_of_another_subject_finds_no_such_memory():
    with pytest.raises(NotFound):
        forget(make_memory(), scope=make_scope(subject=make_subject()))


def test_a_reader_cannot_forget():
    with pytest.raises(ScopeMissing):
        forget(make_memory(), scope=make_scope(Right.MEMORY_READ))


def test_both_are_entries():
    memory = make_memory()
    forget(memory)
    restore(memory)

    entries = AuditEntry.objects.filter(target_id=str(memory.row.pk)).order_by("pk")
    assert [(e.action, e.reason) for e in entries] == [
        ("memory.forgotten", "wrong"),
        ("memory.restored", "mistake"),
    ]
