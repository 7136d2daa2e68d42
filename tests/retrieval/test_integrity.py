"""Somebody with SQL alters, moves, removes or puts back rows: every read says so."""

from __future__ import annotations

import pytest
from django.db import connections, transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from vault.errors import IntegrityFault
from vault.models import Memory, isolation
from vault.retrieval.read import ListQuery, get_memory, list_memories
from vault.retrieval.search import SearchQuery, search
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)


def run_as_owner(statement: str, *parameters: object) -> None:
    """What somebody with the database could do: the superuser is not bound by policies."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, parameters)


def write(text: str, subject: str = "S1") -> Memory:
    return write_memory(draft=make_draft(text, subject), scope=make_agent_scope()).memory.row


def read_every_way(memory: Memory, subject: str = "S1") -> None:
    scope = make_agent_scope()
    for read in (
        lambda: get_memory(memory_id=memory.pk, scope=scope),
        lambda: list_memories(query=ListQuery(subject), scope=scope),
        lambda: search(query=SearchQuery(subject, "lamp"), scope=scope),
    ):
        with pytest.raises(IntegrityFault):
            read()


@pytest.mark.parametrize(
    "change",
    [
        "trust = 'verified'",
        "kind = 'lesson'",
        "importance = 1.0",
        "volatile = true",
        "created_at = created_at - '1 day'::interval",
    ],
)
def test_a_label_changed_in_sql_does_not_open(change):
    memory = write("The lamp is green.")

    run_as_owner(f"UPDATE vault_memory SET {change} WHERE id = %s", memory.pk)

    read_every_way(memory)


def test_a_row_moved_to_another_subject_does_not_open():
    memory = write("The lamp is green.")
    other = write("The lamp is blue.", "S2")
    for table, key in (("vault_memoryversion", "memory_id"), ("vault_memoryindex", "memory_id"),
                       ("vault_keywordposting", "memory_id"), ("vault_memory", "id")):  # fmt: skip
        run_as_owner(f"UPDATE {table} SET subject_id = %s WHERE {key} = %s", other.subject_id, memory.pk)

    with pytest.raises(IntegrityFault):
        search(query=SearchQuery("S2", "lamp"), scope=make_agent_scope())


def test_a_row_that_vanished_is_missed():
    memory, other = write("The lamp is green."), write("The door stands open.")
    for table, key in (("vault_keywordposting", "memory_id"), ("vault_memoryindex", "memory_id"),
                       ("vault_memoryversion", "memory_id"), ("vault_memory", "id")):  # fmt: skip
        run_as_owner(f"DELETE FROM {table} WHERE {key} = %s", memory.pk)

    read_every_way(other)


def test_an_old_version_put_back_is_noticed():
    memory = write("The lamp is green.")
    change_memory(
        memory_id=memory.pk, changes={"text": "The lamp is red."}, expected_version=1, reason="corrected",
        scope=make_agent_scope(),
    )  # fmt: skip

    run_as_owner("UPDATE vault_memory SET version = 1 WHERE id = %s", memory.pk)

    read_every_way(memory)


def test_a_subject_put_back_to_an_older_state_is_noticed():
    memory = write("The lamp is green.")
    with transaction.atomic():
        isolation.open_everything()
        old = memory.subject
    write("The door is blue.")
    run_as_owner("DELETE FROM vault_keywordposting WHERE memory_id <> %s", memory.pk)
    run_as_owner("DELETE FROM vault_memoryindex WHERE memory_id <> %s", memory.pk)
    run_as_owner("DELETE FROM vault_memoryversion WHERE memory_id <> %s", memory.pk)
    run_as_owner("DELETE FROM vault_memory WHERE id <> %s", memory.pk)
    run_as_owner(
        "UPDATE vault_subject SET manifest_value = %s, manifest_count = 1, manifest_sequence = 1, manifest_mac = %s",
        bytes(old.manifest_value), bytes(old.manifest_mac),
    )  # fmt: skip

    read_every_way(memory)


def test_a_failed_check_is_an_entry_in_the_log():
    memory = write("The lamp is green.")
    run_as_owner("UPDATE vault_memory SET trust = 'verified' WHERE id = %s", memory.pk)

    with pytest.raises(IntegrityFault):
        get_memory(memory_id=memory.pk, scope=make_agent_scope())

    assert AuditEntry.objects.filter(action="memory.integrity_fault", outcome="failed").count() == 1
