"""Echoes: an agent hands back what the vault itself served."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import ago, make_memory
from vault.errors import NotWorthKeeping
from vault.lifecycle.forget import forget_memory
from vault.models import Memory, isolation
from vault.retrieval.context import HEADER
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery
from vault.types import SourceType
from vault.writing.echo import served_statements
from vault.writing.pipeline import write_memory

TEXT = "Supplier S1 prefers replies in Hindi."
LINE = f"- [2026-09-02 | fact | user, stated | check live] {TEXT}"


def write(text: str, source: SourceType = SourceType.AGENT):
    return write_memory(draft=make_draft(text, source=source), scope=make_agent_scope())


def served(**fields: object) -> Memory:
    memory = make_memory(TEXT, subject="S1", embedded=True, **fields).row
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=memory.pk).update(last_used_at=ago(minutes=1), use_count=1)
    return memory


def count() -> int:
    with transaction.atomic():
        isolation.open_everything()
        return Memory.objects.count()


def seen(memory: Memory) -> int:
    with transaction.atomic():
        isolation.open_everything()
        return Memory.objects.get(pk=memory.pk).seen_count


@pytest.mark.parametrize("text", [LINE, LINE[2:], f"{HEADER}\n{LINE}", f"\n{LINE}\n"])
def test_a_line_of_a_block_is_told_from_its_dress(text):
    assert served_statements(text) == (TEXT,)


@pytest.mark.parametrize(
    "text", [TEXT, "- Buy milk", "[2026-09-02] A diary line", f"{LINE}\nAnd something new."]
)
def test_what_is_not_wholly_a_block_is_itself(text):
    assert served_statements(text) == (text,)


def test_a_line_break_that_a_block_shows_as_a_sign_is_one_again():
    assert served_statements(LINE.replace("prefers", "␊prefers")) == (TEXT.replace("prefers", "\nprefers"),)


@pytest.mark.django_db
@pytest.mark.parametrize("text", [TEXT, TEXT.upper(), LINE, f"{HEADER}\n{LINE}"])
def test_an_echo_is_merged_and_is_no_second_witness(text):
    memory = served()

    result = write(text)

    assert (result.outcome, result.memory.row.pk) == ("merged", memory.pk)
    assert (count(), seen(memory)) == (1, 1)
    assert AuditEntry.objects.get(action="memory.merged").reason == "echo"


@pytest.mark.django_db
def test_a_whole_block_that_the_vault_built_is_an_echo():
    make_memory(TEXT, subject="S1", embedded=True)
    make_memory("The warehouse in Lyon closes in August.", subject="S1", embedded=True)
    query = SearchQuery("S1", "How does the supplier like replies, and when does the warehouse close?")
    block = build_context(query=query, max_tokens=500, scope=make_agent_scope())

    result = write(block.text)

    assert (result.outcome, count()) == ("merged", 2)


@pytest.mark.django_db
def test_an_echo_of_a_stranger_s_word_is_not_believed_more_for_an_agent_s_repeating_it():
    memory = served(trust="untrusted", source_type="external")

    result = write(TEXT)

    assert (result.outcome, result.memory.row.trust) == ("merged", "untrusted")
    assert result.memory.row.pk == memory.pk


@pytest.mark.django_db
def test_what_was_never_served_and_comes_from_a_better_source_takes_the_place():
    make_memory(TEXT, subject="S1", embedded=True, trust="untrusted", source_type="external")

    assert write(TEXT).outcome == "created"


@pytest.mark.django_db
def test_an_echo_does_not_bring_back_what_was_forgotten():
    memory = served()
    forget_memory(memory_id=memory.pk, expected_version=1, reason="wrong", scope=make_agent_scope())

    with pytest.raises(NotWorthKeeping):
        write(LINE)

    assert count() == 1
    assert AuditEntry.objects.filter(action="memory.refused", reason="not_worth_keeping").exists()


@pytest.mark.django_db
def test_the_user_may_say_again_what_was_forgotten():
    memory = served()
    forget_memory(memory_id=memory.pk, expected_version=1, reason="wrong", scope=make_agent_scope())

    assert write(TEXT, SourceType.USER).outcome == "created"


@pytest.mark.django_db
def test_an_echo_of_what_was_replaced_stands_for_what_replaced_it():
    served()
    new = make_memory("Supplier S1 prefers replies in Tamil.", subject="S1").row
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.exclude(pk=new.pk).update(status="superseded", superseded_by=new)

    result = write(LINE)

    assert (result.outcome, result.memory.row.pk) == ("merged", new.pk)


@pytest.mark.django_db
def test_an_echo_of_another_subject_s_memory_is_news_here():
    make_memory(TEXT, subject="S2", last_used_at=ago(minutes=1))

    result = write(TEXT)

    assert (result.outcome, result.memory.subject) == ("created", "S1")
