"""Stored, not served: every way in which an agent could read."""

from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.test_erasure import erased
from vault.errors import InvalidTransition, NotFound, ScopeMissing, SubjectErased
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.subject_file import subject_file
from vault.lifecycle.subject_rights.restriction import lift_restriction, restrict_subject
from vault.lifecycle.versions import list_versions, roll_back
from vault.retrieval.read import ListQuery, get_memory, list_memories, subject_overview
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery, search
from vault.types import MemoryDraft, Source, SourceType
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory():
    """A memory of a restricted subject."""
    made = make_memory("Prefers tea in the morning.", subject="S1", embedded=True)
    restrict(made.row.subject_id)
    return made


def restrict(subject_id) -> None:
    restrict_subject(subject_id=subject_id, reason_code="accuracy_contested", scope=staff_scope())


def lift(subject_id) -> None:
    lift_restriction(subject_id=subject_id, reason_code="accuracy_settled", scope=staff_scope())


QUERY = SearchQuery(subject="S1", query="tea")


def test_a_search_finds_nothing(memory):
    assert search(query=QUERY, scope=make_scope()).results == ()


def test_a_list_is_empty(memory):
    assert list_memories(query=ListQuery(subject="S1"), scope=make_scope()).results == ()


def test_a_context_block_is_empty(memory):
    answer = build_context(query=QUERY, scope=make_scope())

    assert (answer.text, answer.memories) == ("", ())


def test_the_subject_is_told_in_no_counts(memory):
    overview = subject_overview(subject="S1", scope=make_scope())

    assert (overview.by_kind, overview.by_status, overview.by_namespace) == ({}, {}, {})


@pytest.mark.parametrize(
    "call",
    [
        lambda pk, scope: get_memory(memory_id=pk, scope=scope),
        lambda pk, scope: list_versions(memory_id=pk, scope=scope),
        lambda pk, scope: roll_back(memory_id=pk, version=1, expected_version=1, reason="x", scope=scope),
        lambda pk, scope: forget_memory(memory_id=pk, expected_version=1, reason="x", scope=scope),
        lambda pk, scope: restore_memory(memory_id=pk, expected_version=1, reason="x", scope=scope),
        lambda pk, scope: change_memory(
            memory_id=pk, changes={"text": "Prefers coffee."}, expected_version=1, reason="x", scope=scope
        ),
    ],
)
def test_a_memory_is_not_there_for_an_agent(memory, call):
    with pytest.raises(NotFound):
        call(memory.row.pk, make_scope())


def test_a_token_bound_to_the_subject_sees_no_more(memory):
    scope = make_scope(subject=memory.row.subject)

    assert search(query=QUERY, scope=scope).results == ()
    with pytest.raises(NotFound):
        get_memory(memory_id=memory.row.pk, scope=scope)


def test_new_writes_are_kept_and_not_served(memory):
    draft = MemoryDraft(
        subject="S1", namespace="default", text="The depot opens at six.", source=Source(SourceType.USER)
    )

    written = write_memory(draft=draft, scope=make_scope())

    assert written.outcome == "created"
    assert search(query=QUERY, scope=make_scope()).results == ()
    assert subject_file(subject_id=memory.row.subject_id, scope=staff_scope()).memories_total == 2


def test_staff_still_see_everything(memory):
    scope = staff_scope()

    assert get_memory(memory_id=memory.row.pk, scope=scope).content.text == "Prefers tea in the morning."
    assert len(list_memories(query=ListQuery(subject="S1"), scope=scope).results) == 1


def test_another_subject_is_served_as_before(memory):
    make_memory("Prefers tea at noon.", subject="S2", embedded=True)

    assert len(search(query=SearchQuery(subject="S2", query="tea"), scope=make_scope()).results) == 1


def test_everything_is_served_again_when_it_is_lifted(memory):
    lift(memory.row.subject_id)

    assert len(search(query=QUERY, scope=make_scope()).results) == 1
    assert get_memory(memory_id=memory.row.pk, scope=make_scope())


def test_both_are_entries_with_their_reasons(memory):
    lift(memory.row.subject_id)

    entries = AuditEntry.objects.filter(action__in=["subject.restricted", "subject.unrestricted"])
    assert [(entry.action, entry.reason) for entry in entries.order_by("pk")] == [
        ("subject.restricted", "accuracy_contested"),
        ("subject.unrestricted", "accuracy_settled"),
    ]


def test_it_is_not_done_twice(memory):
    with pytest.raises(InvalidTransition):
        restrict(memory.row.subject_id)
    lift(memory.row.subject_id)
    with pytest.raises(InvalidTransition):
        lift(memory.row.subject_id)


def test_an_erased_subject_cannot_be_restricted():
    made = make_memory(subject="S1")
    erased("S1")

    with pytest.raises(SubjectErased):
        restrict(made.row.subject_id)


def test_an_agent_restricts_nobody():
    made = make_memory(subject="S1")

    with pytest.raises(ScopeMissing):
        restrict_subject(subject_id=made.row.subject_id, reason_code="x", scope=make_scope())
