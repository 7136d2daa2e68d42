"""Isolation in the database: what the runtime role cannot do, whatever the code above it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, connections, transaction

from tests.factories import make_memory, make_namespace, make_subject
from vault.database import OWNER, SCHEMA
from vault.models import Memory, MemoryVersion, Subject, isolation
from vault.retrieval.records import OpenedMemory

pytestmark = pytest.mark.django_db(transaction=True)

# Looked up by the credential's digest before anybody can know whose it is; it holds ids and a digest.
FOUND_BEFORE_ANY_SCOPE = {"vault_subjecttoken"}
ROWS_OF_A_SUBJECT = ("vault_memory", "vault_memoryversion", "vault_memoryindex", "vault_keywordposting")


def ask(statement: str, *parameters: object) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall()


def count(table: str) -> int:
    return ask(f"SELECT count(*) FROM {table}")[0][0]


@contextmanager
def opened(memory: OpenedMemory) -> Iterator[Memory]:
    """A transaction with the scope of one memory's subject and namespace."""
    with transaction.atomic(durable=True):
        isolation.open_subject(memory.row.subject_id, namespaces=[memory.row.namespace_id])
        yield Memory.objects.get(pk=memory.row.pk)


def moved(row: Memory, subject: Subject) -> Memory:
    """The same row as a new one of another subject."""
    row.pk, row.subject_id = uuid4(), subject.pk
    return row


def test_the_runtime_role_has_no_attribute_of_power():
    row = ask(
        "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication "
        "FROM pg_roles WHERE rolname = current_user"
    )

    assert row == [(False, False, False, False, False)]


def test_the_runtime_role_is_a_member_of_no_other():
    assert ask("SELECT count(*) FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member "
               "WHERE r.rolname = current_user") == [(0,)]  # fmt: skip


def test_the_runtime_role_owns_nothing():
    assert ask("SELECT relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner "
               "WHERE r.rolname = current_user") == []  # fmt: skip


def test_the_runtime_role_cannot_lift_a_policy():
    with pytest.raises(DatabaseError):
        ask("ALTER TABLE vault_memory DISABLE ROW LEVEL SECURITY")


def test_the_runtime_role_cannot_make_a_table():
    with pytest.raises(DatabaseError):
        ask("CREATE TABLE mine (id int)")


def test_every_table_with_a_subject_has_forced_row_security_and_a_policy():
    unguarded = ask(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'subject_id' AND NOT a.attisdropped "
        "WHERE c.relkind IN ('r', 'p') AND n.nspname = %s AND NOT (c.relrowsecurity AND c.relforcerowsecurity "
        "AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))",
        SCHEMA,
    )

    assert {name for (name,) in unguarded} == FOUND_BEFORE_ANY_SCOPE


def test_no_view_shows_rows_with_the_rights_of_its_owner():
    assert ask("SELECT viewname FROM pg_views WHERE schemaname = %s", SCHEMA) == []


@pytest.mark.parametrize("table", [*ROWS_OF_A_SUBJECT, "vault_subject"])
def test_without_a_scope_there_are_no_rows(table):
    make_memory(embedded=True)

    assert count(table) == 0


def test_the_helper_refuses_to_run_outside_a_transaction():
    with pytest.raises(RuntimeError):
        isolation.open_everything()


def test_a_scope_ends_with_its_transaction():
    make_memory()
    with transaction.atomic(durable=True):
        isolation.open_everything()
        assert Memory.objects.count() == 1

    with transaction.atomic(durable=True):
        assert Memory.objects.count() == 0


def test_a_scope_ends_with_a_transaction_that_failed():
    make_memory()
    with suppress(ZeroDivisionError), transaction.atomic(durable=True):
        isolation.open_everything()
        raise ZeroDivisionError

    assert Memory.objects.count() == 0


@pytest.mark.parametrize("table", ROWS_OF_A_SUBJECT)
def test_a_subjects_scope_shows_that_subject_alone(table):
    mine = make_memory("Prefers replies in Hindi.", subject="S1", embedded=True)
    make_memory("Invoice 7000 was paid.", subject="S2", embedded=True)

    with transaction.atomic(durable=True):
        isolation.open_subject(mine.row.subject_id, namespaces=[mine.row.namespace_id])
        seen = ask(f"SELECT DISTINCT subject_id FROM {table}")

    assert seen == [(mine.row.subject_id,)]


def test_a_subjects_scope_shows_its_namespaces_alone():
    subject = make_subject("S1")
    support = make_memory(subject=subject, namespace="support")
    make_memory("Pays late.", subject=subject, namespace="billing")

    with transaction.atomic(durable=True):
        isolation.open_subject(subject.pk, namespaces=[support.row.namespace_id])

        assert list(Memory.objects.values_list("pk", flat=True)) == [support.row.pk]


def test_an_empty_list_of_namespaces_shows_nothing():
    memory = make_memory()

    with transaction.atomic(durable=True):
        isolation.open_subject(memory.row.subject_id, namespaces=[])

        assert not Memory.objects.exists()


def test_a_scope_cannot_write_a_row_for_another_subject():
    mine, other = make_memory(subject="S1"), make_subject("S2")

    with opened(mine) as row, pytest.raises(DatabaseError, match="row-level security"):
        Memory.objects.bulk_create([moved(row, other)])


def test_a_scope_cannot_move_a_row_to_another_subject():
    mine, other = make_memory(subject="S1"), make_subject("S2")

    with opened(mine), pytest.raises(DatabaseError, match="row-level security"):
        Memory.objects.filter(pk=mine.row.pk).update(subject_id=other.pk)


def test_a_scope_cannot_write_into_another_namespace():
    mine, elsewhere = make_memory(namespace="support"), make_namespace("billing")

    with opened(mine), pytest.raises(DatabaseError, match="row-level security"):
        Memory.objects.filter(pk=mine.row.pk).update(namespace_id=elsewhere.pk)


def test_a_scope_cannot_delete_what_it_does_not_see():
    mine, other = make_memory(subject="S1"), make_memory(subject="S2")
    with transaction.atomic(durable=True):
        isolation.open_subject(mine.row.subject_id, namespaces=[mine.row.namespace_id])
        deleted, _ = MemoryVersion.objects.filter(subject_id=other.row.subject_id).delete()

    assert deleted == 0


def test_the_directory_shows_subjects_and_no_memory():
    make_memory()

    with transaction.atomic(durable=True):
        isolation.open_directory()

        assert (Subject.objects.count(), Memory.objects.count()) == (1, 0)


@pytest.mark.parametrize("setting", ["subject", "EVERYTHING", "everything' OR '1'='1", "", "none"])
def test_a_setting_that_is_not_a_scope_opens_nothing(setting):
    make_memory()

    with transaction.atomic(durable=True):
        ask("SELECT set_config('vault.scope', %s, true)", setting)

        assert (Memory.objects.count(), Subject.objects.count()) == (0, 0)


def test_the_owner_alone_may_change_the_schema():
    with connections[OWNER].cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT tableowner = current_user FROM pg_tables WHERE schemaname = %s", [SCHEMA]
        )

        assert cursor.fetchall() == [(True,)]
