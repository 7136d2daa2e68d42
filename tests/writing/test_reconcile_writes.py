"""Repeats and contradictions through the whole pipeline."""

from __future__ import annotations

import threading
from uuid import UUID

import numpy as np
import pytest
from django.db import connection, transaction
from numpy.typing import NDArray

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from vault.lifecycle.versions import list_versions
from vault.models import Conflict, Memory, isolation
from vault.retrieval.search import SearchQuery, search
from vault.types import SourceType, Status
from vault.writing import pipeline
from vault.writing.pipeline import write_memory
from vault.writing.results import WriteResult

pytestmark = pytest.mark.django_db(transaction=True)

COSINE = 0.97


def write(text: str, subject: str = "S1", **fields: object) -> WriteResult:
    return write_memory(draft=make_draft(text, subject, **fields), scope=make_agent_scope())


def active() -> list[UUID]:
    with transaction.atomic():
        isolation.open_everything()
        return list(
            Memory.objects.filter(status=Status.ACTIVE).order_by("created_at").values_list("pk", flat=True)
        )


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every two different texts have a cosine of 0.97, so that only their words tell them apart."""
    places: dict[str, int] = {}

    def embed(text: str) -> NDArray[np.float32]:
        vector = np.zeros(384, dtype=np.float32)
        vector[0] = np.sqrt(COSINE)
        vector[1 + places.setdefault(text, len(places))] = np.sqrt(1 - COSINE)
        return vector

    monkeypatch.setattr(pipeline, "embed_or_none", embed)


def test_a_repeat_keeps_the_memory_and_a_contradiction_leaves_the_newer_one() -> None:
    first = write("Loves Thai food")
    again = write("Loves Thai food")
    assert (again.memory.row.pk, active()) == (first.memory.row.pk, [first.memory.row.pk])

    new = write("Cannot stand Thai food any more")

    assert active() == [new.memory.row.pk]
    assert new.superseded == (first.memory.row.pk,)


def test_what_was_superseded_points_forward_and_keeps_its_history() -> None:
    old = write("Loves Thai food").memory.row.pk
    new = write("Cannot stand Thai food any more").memory.row.pk

    scope = make_agent_scope()
    with transaction.atomic():
        isolation.open_everything()
        row = Memory.objects.get(pk=old)
    found = search(query=SearchQuery("S1", "Thai food"), scope=scope)

    assert (row.status, row.superseded_by_id) == (Status.SUPERSEDED, new)
    assert "Loves Thai food" in [v.opened.content.text for v in list_versions(memory_id=old, scope=scope)]
    assert [hit.memory.row.pk for hit in found.results] == [new]


def test_no_script_folds_to_nothing() -> None:
    texts = ["猫を二匹飼っている", "毎朝六時に起きる", "Живёт в Перми", "تحب القهوة بدون سكر", "👍", "👎"]

    outcomes = {write(text).outcome for text in texts}

    assert outcomes == {"created"}
    assert len(active()) == len(texts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café Zoë opens at nine", "Cafe\u0301 Zoe\u0308 opens at nine"),
        ("Likes  green tea", "likes green tea "),
    ],
)
def test_forms_of_one_text_are_one_memory(one: str, other: str) -> None:
    write(one)

    assert write(other).outcome == "merged"
    assert len(active()) == 1


@pytest.mark.usefixtures("alike")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Sister's favourite colour is purple", "Brother's favourite colour is purple"),
        ("Locker code at the gym is 4417", "Locker code at work is 4471"),
    ],
)
def test_alike_statements_of_two_things_both_stay(old: str, new: str) -> None:
    kept = [write(old).memory.row.pk, write(new).memory.row.pk]

    assert active() == kept


@pytest.mark.usefixtures("alike")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Takes the blue tablets daily", "No longer takes the blue tablets"),
        ("Prefers calls before noon", "Prefers no calls before noon"),
    ],
)
def test_a_denial_supersedes_and_is_no_duplicate(old: str, new: str) -> None:
    first = write(old).memory.row.pk

    result = write(new)

    assert (result.outcome, result.superseded) == ("created", (first,))
    assert active() == [result.memory.row.pk]


def test_a_doubt_leaves_both_and_opens_a_conflict() -> None:
    write("The lamp is green.")

    result = write("The lamp is red.")

    assert (len(result.conflicts), len(active())) == (1, 2)


def test_a_contradiction_from_an_agent_does_not_replace_what_the_user_said() -> None:
    old = write("Her shoe size is 38.").memory.row.pk

    result = write("Her shoe size is 39.", source=SourceType.AGENT)

    assert result.superseded == ()
    assert active() == [old, result.memory.row.pk]
    with transaction.atomic():
        isolation.open_everything()
        assert Conflict.objects.count() == 1


def test_another_subject_with_the_same_words_is_left_alone() -> None:
    foreign = write("Her shoe size is 38.", "A").memory.row.pk

    result = write("Her shoe size is 39.", "B")

    assert result.superseded == result.conflicts == ()
    assert foreign in active()


def test_fifty_variants_in_parallel_make_one_memory_seen_fifty_times() -> None:
    scope = make_agent_scope()
    variants = [
        spell(f"The kiosk shuts at {time}{end}")
        for time in ("6 pm", "18:00", "6 p.m.", "six in the evening", "6pm")
        for end in ("", ".", " ", " .", "!")
        for spell in (str, str.upper)
    ]
    outcomes: list[str] = []
    waiting = iter(variants)
    turn = threading.Lock()

    def work() -> None:
        while True:
            with turn:
                text = next(waiting, None)
            if text is None:
                break
            outcomes.append(write_memory(draft=make_draft(text), scope=scope).outcome)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["created"] + ["merged"] * 49
    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.get().seen_count == 50
    assert AuditEntry.objects.filter(action="memory.written").count() == 1
