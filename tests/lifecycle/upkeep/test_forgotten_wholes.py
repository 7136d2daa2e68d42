"""Whoever forgets a consolidated memory forgets what it was put together from, and can take that back."""

from __future__ import annotations

from uuid import uuid4

import pytest

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.upkeep.stored import row_of, set_on, versions_of
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.forget_matching import ForgetFilter, forget_matching
from vault.lifecycle.forgotten_parts import WITH_WHOLE
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.upkeep.consolidation import consolidate_now, undo_consolidation
from vault.models import Memory
from vault.retrieval.read import get_memory
from vault.retrieval.search import SearchQuery, search
from vault.types import Status

pytestmark = pytest.mark.django_db

TEXTS = ("Ilse's pool locker number is 4417", "Ilse swims on Tuesdays at the pool")


@pytest.fixture
def parts() -> list[Memory]:
    return [make_memory(text, subject="S1", embedded=True).row for text in TEXTS]


@pytest.fixture
def whole(parts) -> Memory:
    (made,) = consolidate_now(subject_id=parts[0].subject_id, scope=staff_scope()).made
    return row_of(made)


def forget(memory: Memory) -> Memory:
    version = row_of(memory.pk).version
    scope = make_scope()
    return forget_memory(memory_id=memory.pk, expected_version=version, reason="wrong", scope=scope).row


def restore(memory: Memory) -> Memory:
    version = row_of(memory.pk).version
    scope = make_scope()
    return restore_memory(memory_id=memory.pk, expected_version=version, reason="mistake", scope=scope).row


def states(rows) -> list[str]:
    return [row_of(row.pk).status for row in rows]


def found(query: str = "Ilse's pool locker number") -> list[str]:
    hits = search(query=SearchQuery("S1", query), scope=make_scope()).results
    return [hit.memory.content.text for hit in hits]


def test_the_originals_are_forgotten_with_it(whole, parts):
    forget(whole)

    assert states([whole, *parts]) == [Status.FORGOTTEN] * 3
    assert versions_of(parts[0].pk)[-1].reason_code == WITH_WHOLE


def test_no_read_of_an_agent_returns_any_of_it(whole, parts):
    forget(whole)

    assert found() == []
    for part in parts:
        with pytest.raises(NotFound):
            get_memory(memory_id=part.pk, scope=make_scope())


def test_each_original_has_an_entry_that_names_what_it_was_in(whole, parts):
    forget(whole)

    entries = AuditEntry.objects.filter(action="memory.forgotten", reason=WITH_WHOLE)
    assert {entry.target_id for entry in entries} == {str(part.pk) for part in parts}
    assert {entry.facts["made"] for entry in entries} == {str(whole.pk)}


def test_taken_back_the_whole_is_served_and_the_originals_are_in_the_archive(whole, parts):
    forget(whole)

    restore(whole)

    assert states([whole, *parts]) == [Status.ACTIVE, Status.ARCHIVED, Status.ARCHIVED]
    assert "4417" in " ".join(found())


def test_taken_back_it_can_be_taken_apart_as_before(whole, parts):
    forget(whole)
    restored = restore(whole)

    undo_consolidation(
        memory_id=whole.pk, expected_version=restored.version, reason="wrong", scope=staff_scope()
    )

    assert states(parts) == [Status.ACTIVE, Status.ACTIVE]


def test_one_original_can_be_taken_back_alone_and_stands_for_itself(whole, parts):
    forget(whole)

    restore(parts[0])

    assert states([whole, *parts]) == [Status.FORGOTTEN, Status.ACTIVE, Status.FORGOTTEN]


def test_a_whole_is_not_taken_back_beside_an_original_that_stands_for_itself(whole, parts):
    forget(whole)
    restore(parts[0])

    with pytest.raises(InvalidTransition):
        restore(whole)

    assert states([whole, *parts]) == [Status.FORGOTTEN, Status.ACTIVE, Status.FORGOTTEN]


def test_an_original_that_was_forgotten_by_itself_does_not_come_back_with_a_whole(whole, parts):
    forget(whole)
    restore(parts[0])
    forget(parts[0])

    with pytest.raises(InvalidTransition):
        restore(whole)

    assert states(parts) == [Status.FORGOTTEN, Status.FORGOTTEN]


def test_a_memory_that_was_not_put_together_is_forgotten_alone(parts):
    forget(parts[0])

    assert states(parts) == [Status.FORGOTTEN, Status.ACTIVE]


def test_forgetting_a_session_forgets_what_of_it_was_put_together(whole, parts):
    session = uuid4()
    set_on(parts[0].pk, session_id=session)

    done = forget_matching(
        subject="S1", where=ForgetFilter(session=session), reason="wrong", scope=make_scope()
    )

    assert done.memories == (parts[0].pk,)
    assert states([whole, *parts]) == [Status.FORGOTTEN, Status.FORGOTTEN, Status.ACTIVE]
    assert found() == [TEXTS[1]]


def test_the_subjects_manifest_holds_after_both(whole):
    forget(whole)
    restore(whole)

    assert [checked.memories for checked in verify_memories()] == [3]
