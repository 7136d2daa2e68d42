"""How many SQL statements a search costs: a number that neither results nor the subject's size move."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import make_memory, make_scope, make_subject
from vault.models.identifiers import new_id
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery, search
from vault.types import Kind

pytestmark = pytest.mark.django_db

QUESTION = "which lamp stands in room seven"
# Of one search with its entry in the log and the count of use; each kind that is looked for apart adds its own.
MOST, MOST_A_KIND = 31, 8


@pytest.fixture
def scope():
    return make_scope()


def fill(start: int, end: int) -> None:
    subject = make_subject("S1")
    session = new_id()
    for number in range(start, end):
        kind = list(Kind)[number % 3].value
        make_memory(f"Lamp {number} stands in room seven.", subject=subject, session_id=session, kind=kind)


def statements_of(call) -> int:
    call()
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)


def test_neither_the_number_of_results_nor_the_size_of_a_subject_adds_statements(scope):
    def cost(k: int) -> int:
        return statements_of(lambda: search(query=SearchQuery("S1", QUESTION, k=k), scope=scope))

    fill(0, 3)
    few = cost(1)
    fill(3, 43)
    many = cost(40)

    assert few == many <= MOST


def test_a_block_costs_one_search_more_for_each_kind(scope):
    def cost(**per_kind: int) -> int:
        wanted = {Kind(kind): k for kind, k in per_kind.items()}
        query = SearchQuery("S1", QUESTION)
        return statements_of(lambda: build_context(query=query, per_kind=wanted, scope=scope))

    fill(0, 40)

    assert cost(fact=30, event=30, lesson=30) == cost(fact=2, event=2, lesson=2)
    assert cost(fact=3, event=3) - cost(fact=3) <= MOST_A_KIND
