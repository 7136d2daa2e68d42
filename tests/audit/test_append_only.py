"""Nobody changes the log: the runtime role has no right to, and the triggers refuse its owner."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, connections, transaction

from audit.checkpoint import seal_all, sign_checkpoint
from audit.models import APPEND_ONLY_TABLES
from tests.audit.conftest import record_some

CHANGES = {
    "audit_entry": "UPDATE audit_entry SET reason = 'x'",
    "audit_leaf": "UPDATE audit_leaf SET seq = seq + 10",
    "audit_node": "UPDATE audit_node SET position = 7",
    "audit_checkpoint": "UPDATE audit_checkpoint SET note = ''",
}

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@pytest.fixture(autouse=True)
def a_row_in_every_table(signer):
    record_some(2)
    seal_all()
    sign_checkpoint(signer)


def test_every_table_of_the_log_is_named_append_only():
    assert set(CHANGES) == APPEND_ONLY_TABLES


@pytest.mark.parametrize("table", sorted(CHANGES))
@pytest.mark.parametrize("verb", ["update", "delete"])
def test_the_owner_cannot_change_a_row(table, verb):
    statement = CHANGES[table] if verb == "update" else f"DELETE FROM {table}"

    with pytest.raises(IntegrityError, match="append-only"), connections["owner"].cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("table", sorted(CHANGES))
def test_a_session_that_plays_replica_cannot_either(table):
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(using="owner"):
            cursor.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize("table", sorted(CHANGES))
@pytest.mark.parametrize("verb", ["update", "delete", "truncate"])
def test_the_runtime_role_has_no_right_to_change_a_row(table, verb):
    statement = {
        "update": CHANGES[table],
        "delete": f"DELETE FROM {table}",
        "truncate": f"TRUNCATE {table}",
    }[verb]

    with pytest.raises(DatabaseError, match="permission denied"), connections["default"].cursor() as cursor:
        cursor.execute(statement)
