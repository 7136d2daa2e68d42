"""A namespace is made, and sealed: from then on it holds no vector, whoever brings one."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_namespace, make_scope, staff_scope
from tests.lifecycle.namespaces.policies import in_force, kept
from vault.errors import InvalidField, InvalidTransition, ScopeMissing
from vault.keys import key_vault
from vault.lifecycle.namespaces.creating import create_namespace, seal_namespace
from vault.lifecycle.namespaces.listing import get_namespace, namespace_rows
from vault.models import Memory, MemoryIndex, isolation
from vault.retrieval.opening import open_current
from vault.writing.indexing import index_memory

pytestmark = pytest.mark.django_db

REASON = "A new desk opens."


def create(name: str = "billing", **fields):
    fields = {"purpose": "Questions about invoices", "sealed": False, "reason": REASON, **fields}
    return create_namespace(name=name, scope=fields.pop("scope", staff_scope()), **fields)


def vectors() -> list[bool]:
    with transaction.atomic():
        isolation.open_everything()
        return [row.vector is not None for row in MemoryIndex.objects.only("vector")]


def seal(**fields) -> int:
    return seal_namespace(**{"namespace": "default", "reason": REASON, "scope": staff_scope(), **fields})


def test_a_namespace_begins_with_the_default_policy():
    create(sealed=True)

    row = in_force("billing")
    assert (row.policy, row.sealed, row.purpose) == ({}, True, "Questions about invoices")
    assert kept("billing") == [(1, {})]
    assert AuditEntry.objects.get(action="namespace.created").target_id == str(row.pk)


@pytest.mark.parametrize("name", ["", "two words", "ünder", "x" * 65])
def test_a_name_is_a_short_word(name):
    with pytest.raises(InvalidField) as refused:
        create(name)

    assert refused.value.facts["pointer"] == "/name"


def test_a_name_is_taken_once():
    create()

    with pytest.raises(InvalidField) as refused:
        create()

    assert refused.value.facts["pointer"] == "/name"


def test_an_agent_makes_and_seals_nothing():
    make_namespace()
    for ask in (lambda: create(scope=make_scope()), lambda: seal(scope=make_scope())):
        with pytest.raises(ScopeMissing):
            ask()


def test_sealing_takes_the_vectors_away_and_keeps_the_memories():
    make_memory(embedded=True)

    assert seal() == 1

    assert vectors() == [False]
    assert get_namespace(namespace_id=in_force().pk, scope=staff_scope()).active == 1
    assert (in_force().sealed, in_force().policy_version) == (True, 2)


def test_sealing_leaves_other_namespaces_alone():
    make_memory(embedded=True, namespace="support")
    make_namespace()

    assert seal() == 0

    assert vectors() == [True]


def test_a_write_that_began_before_the_sealing_leaves_no_vector():
    memory = make_memory(embedded=True)
    seal()

    with transaction.atomic():
        isolation.open_everything()
        row = Memory.objects.get(pk=memory.row.pk)
        keys = key_vault().subject(row.subject_id)
        index_memory(row, open_current(row, keys=keys), keys=keys, sealed=False)

    assert vectors() == [False]


def test_a_sealed_namespace_is_not_sealed_again():
    make_namespace()
    seal()

    with pytest.raises(InvalidTransition):
        seal()


def test_the_list_counts_what_is_served():
    make_memory(namespace="support")
    make_memory("Pays late.", namespace="support")
    make_memory("Left.", namespace="support", status="forgotten")

    rows = {row.namespace.name: row.active for row in namespace_rows(scope=staff_scope())}

    assert rows["support"] == 2
