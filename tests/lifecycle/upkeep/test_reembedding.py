from __future__ import annotations

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import make_memory, make_namespace, make_scope
from tests.lifecycle.upkeep.stored import versions_of
from vault.lifecycle.upkeep import reembedding
from vault.lifecycle.upkeep.reembedding import embed_missing
from vault.models import MemoryIndex, MemoryVersion, isolation
from vault.retrieval.search import Mode, SearchQuery, search

pytestmark = pytest.mark.django_db


def embed() -> int:
    return embed_missing(now=timezone.now(), limit=10)


def test_what_has_no_vector_gets_one_and_is_found_by_its_meaning():
    memory = make_memory("Works at the shipyard in Port Vane", subject="S1").row

    assert embed() == 1

    hits = search(query=SearchQuery("S1", "job at a dock", mode=Mode.SEMANTIC), scope=make_scope()).results
    assert [hit.memory.row.pk for hit in hits] == [memory.pk]
    assert versions_of(memory.pk)[-1].reason_code == "embedded"


def test_what_has_one_is_left_alone():
    make_memory(embedded=True)

    assert embed() == 0


def test_what_no_search_serves_is_left_alone():
    make_memory(status="forgotten")

    assert embed() == 0


def test_a_sealed_namespace_keeps_its_vectors_inside():
    make_namespace("sealed", sealed=True)
    make_memory(namespace="sealed", embedded=True)

    assert embed() == 0


def test_a_text_on_which_the_model_fails_stays_marked(monkeypatch):
    memory = make_memory()
    monkeypatch.setattr(reembedding, "embed_or_none", lambda _: None)

    assert embed() == 0
    with transaction.atomic():
        isolation.open_everything()
        assert MemoryIndex.objects.get(memory=memory.row).vector is None


def test_one_that_does_not_open_does_not_stop_the_others():
    broken = make_memory().row
    make_memory("Owns a boat.")
    with transaction.atomic():
        isolation.open_everything()
        MemoryVersion.objects.filter(memory=broken).update(ciphertext=b"\x01" * 60)

    assert embed() == 1
