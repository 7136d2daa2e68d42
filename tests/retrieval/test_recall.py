from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from vault.retrieval.context import HEADER
from vault.retrieval.recall import ContextAnswer, build_context
from vault.retrieval.search import SearchQuery
from vault.types import Kind
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)


def write(text: str, **fields: object) -> None:
    write_memory(draft=make_draft(text, **fields), scope=make_agent_scope())


def context(text: str, **options: object) -> ContextAnswer:
    return build_context(query=SearchQuery("S1", text), scope=make_agent_scope(), **options)


def test_the_block_names_kind_source_trust_and_what_to_check_live():
    write("Replies in Hindi.", volatile=True)

    line = context("language of replies").text.splitlines()[1]

    assert line.endswith("| fact | user, stated | check live] Replies in Hindi.")


def test_the_block_stays_within_its_budget_and_says_what_was_left_out():
    for number in range(8):
        write(f"Shelf {number} in the cellar holds {number * 3} jars of plum jam from the summer harvest.")

    answer = build_context(query=SearchQuery("S1", "plum jam", k=8), max_tokens=120, scope=make_agent_scope())

    assert answer.tokens <= 120
    assert answer.text.startswith(HEADER)
    assert answer.omitted == 8 - len(answer.memories) > 0


def test_each_kind_gives_at_most_what_was_asked_of_it():
    write("The lamp is green.")
    write("The lamp is heavy.")
    write("The lamp fell on Monday.", kind=Kind.EVENT)

    answer = context("lamp", per_kind={Kind.FACT: 1, Kind.EVENT: 1})

    assert len(answer.memories) == 2
    assert "| event |" in answer.text
    assert answer.text.count("| fact |") == 1


def test_nothing_found_is_an_empty_block():
    write("The lamp is green.")

    assert context("lamp", per_kind={Kind.LESSON: 3}).text == ""


def test_building_a_context_is_an_entry_in_the_log():
    write("The lamp is green.")

    context("lamp")

    assert AuditEntry.objects.filter(action="context.built").count() == 1
