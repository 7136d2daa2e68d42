"""How PostgreSQL finds a subject's rows, asked as the role that serves: through a b-tree, never approximately."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from tests.factories import make_memory
from vault.database import OWNER
from vault.embedding import DIMENSIONS
from vault.models import isolation
from vault.retrieval.candidates import NEAREST, POSTINGS, SIZE, Filter

pytestmark = pytest.mark.django_db(transaction=True)

# Copies of one real row under as many other subjects: statistics as of a table in use.
OTHERS = 4000
SPREAD = """
    WITH fresh AS (
        INSERT INTO vault_subject (id, reference_hash, sealed_reference, created_at, manifest_value,
            manifest_count, manifest_sequence, manifest_mac, erased_in)
        SELECT gen_random_uuid(), sha256(number::text::bytea), '', now(), '', 0, 0, '', '{}'
        FROM generate_series(1, %(others)s) number RETURNING id
    ), memories AS (
        INSERT INTO vault_memory (id, subject_id, namespace_id, version, kind, source_type, trust, status, importance,
            volatile, created_at, updated_at, fingerprint, derived_from, pinned, seen_count, use_count,
            useful_count, useless_count, life_extends, consolidated)
        SELECT gen_random_uuid(), fresh.id, m.namespace_id, 1, m.kind, m.source_type, m.trust, m.status, m.importance,
            m.volatile, m.created_at, m.updated_at, m.fingerprint, m.derived_from, false, 1, 0, 0, 0,
            false, false
        FROM fresh, vault_memory m WHERE m.id = %(memory)s RETURNING id, subject_id, namespace_id
    ), indexed AS (
        INSERT INTO vault_memoryindex (memory_id, subject_id, namespace_id, vector, length)
        SELECT n.id, n.subject_id, n.namespace_id, i.vector, i.length
        FROM memories n, vault_memoryindex i WHERE i.memory_id = %(memory)s
    )
    INSERT INTO vault_keywordposting (memory_id, subject_id, namespace_id, token, frequency)
    SELECT n.id, n.subject_id, n.namespace_id, p.token, p.frequency
    FROM memories n, vault_keywordposting p WHERE p.memory_id = %(memory)s
"""
INDEXES = """
    SELECT t.relname, am.amname FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am am ON am.oid = x.relam
    JOIN pg_namespace n ON n.oid = t.relnamespace
    WHERE n.nspname = 'public' AND t.relname LIKE 'vault%%' AND am.amname <> 'btree'
"""
BY_SUBJECT = {"memoryindex_by_subject", "memory_by_subject", "memory_by_age", "posting_by_token",
              "one_active_memory_per_statement"}  # fmt: skip


@pytest.fixture
def allowed() -> Filter:
    """The filter of one subject among thousands, in a table whose statistics are fresh."""
    memory = make_memory("Invoice 8841 was rejected for code E12.", embedded=True)
    with connections[OWNER].cursor() as cursor:
        # The owner is a superuser here, which alone escapes forced policies.
        cursor.execute(SPREAD, {"others": OTHERS, "memory": memory.row.pk})
        cursor.execute("ANALYZE")
    now = timezone.now()
    return Filter(subject_id=memory.row.subject_id, namespaces=(memory.row.namespace_id,), now=now, as_of=now)


def plan(statement: str, allowed: Filter, **parameters: Any) -> list[dict[str, Any]]:
    """The nodes of the plan that the runtime role gets."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        isolation.open_subject(allowed.subject_id, namespaces=allowed.namespaces)
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", {**allowed.parameters(), **parameters})
        return list(nodes(cursor.fetchone()[0][0]["Plan"]))


def nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from nodes(child)


def indexes_of(found: list[dict[str, Any]]) -> set[str]:
    return {node["Index Name"] for node in found if "Index Name" in node}


def tables_read_whole(found: list[dict[str, Any]]) -> set[str]:
    return {node["Relation Name"] for node in found if node["Node Type"] == "Seq Scan"}


def test_the_nearest_vectors_are_found_through_the_subject(allowed):
    vector = "[" + ",".join(["0.1"] * DIMENSIONS) + "]"

    found = plan(NEAREST, allowed, vector=vector, limit=100)

    assert indexes_of(found) & BY_SUBJECT
    assert tables_read_whole(found) == set()


def test_the_nearest_vectors_are_sorted_exactly(allowed):
    vector = "[" + ",".join(["0.1"] * DIMENSIONS) + "]"

    found = plan(NEAREST, allowed, vector=vector, limit=100)

    assert any(node["Node Type"] in ("Sort", "Incremental Sort") for node in found)


def test_the_postings_are_found_through_the_subject_and_the_token(allowed):
    found = plan(POSTINGS, allowed, tokens=[bytes(16)])

    assert "posting_by_token" in indexes_of(found)
    assert tables_read_whole(found) == set()


def test_the_size_of_the_index_is_counted_through_the_subject(allowed):
    found = plan(SIZE, allowed)

    assert "memoryindex_by_subject" in indexes_of(found)


def test_no_table_of_the_vault_has_an_approximate_index(allowed):
    """An approximate index over personal rows loses rows of small subjects without a word."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute(INDEXES)

        assert cursor.fetchall() == []


def test_all_vectors_of_a_subject_can_be_reached(allowed):
    """As many come back as there are, with thousands of other subjects' rows closer by."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        isolation.open_subject(allowed.subject_id, namespaces=allowed.namespaces)
        vector = "[" + ",".join(str(value) for value in np.zeros(DIMENSIONS)) + "]"
        cursor.execute(NEAREST, {**allowed.parameters(), "vector": vector, "limit": 100})

        assert len(cursor.fetchall()) == 1
