"""After an erasure no read path answers, in the process that had everything warm."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.test_erasure import erased
from vault.errors import NotFound, SubjectErased
from vault.lifecycle.subject_file import subject_file
from vault.lifecycle.versions import list_versions
from vault.models import MemoryIndex, isolation
from vault.retrieval.read import ListQuery, get_memory, list_memories, subject_overview
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery, search

pytestmark = pytest.mark.django_db

TEXT = "Passport renewal booked in Tallinn"


@pytest.fixture
def gone():
    """A memory that was searched for twice, and then erased."""
    memory, agent = make_memory(TEXT, subject="S1", embedded=True), make_scope()
    query = SearchQuery(subject="S1", query="passport renewal")
    assert search(query=query, scope=agent).results[0].memory.content.text == TEXT
    search(query=query, scope=agent)
    erased("S1")
    return memory


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "keyword"])
def test_a_search_finds_the_subject_erased(gone, mode):
    with pytest.raises(SubjectErased):
        search(query=SearchQuery(subject="S1", query="passport renewal", mode=mode), scope=make_scope())


def test_a_context_finds_the_subject_erased(gone):
    with pytest.raises(SubjectErased):
        build_context(query=SearchQuery(subject="S1", query="passport renewal"), scope=make_scope())


def test_a_list_finds_the_subject_erased(gone):
    with pytest.raises(SubjectErased):
        list_memories(query=ListQuery(subject="S1"), scope=make_scope())


def test_an_overview_finds_the_subject_erased(gone):
    with pytest.raises(SubjectErased):
        subject_overview(subject="S1", scope=make_scope())


def test_a_memory_is_not_found_by_its_id(gone):
    with pytest.raises(NotFound):
        get_memory(memory_id=gone.row.pk, scope=make_scope())


def test_a_history_is_not_found(gone):
    with pytest.raises(NotFound):
        list_versions(memory_id=gone.row.pk, scope=make_scope())


def test_no_vector_is_left_to_be_near_to(gone):
    with transaction.atomic():
        isolation.open_everything()
        assert not MemoryIndex.objects.exists()


def test_staff_see_a_file_without_memories_and_without_a_name(gone):
    file = subject_file(subject_id=gone.row.subject_id, scope=staff_scope())

    assert (file.reference, file.memories, file.quarantined) == ("", (), ())
