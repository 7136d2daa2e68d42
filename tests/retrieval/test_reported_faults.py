"""Faults that users of similar systems reported: D22, D23, D33, D34 and D35."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.db import connections, transaction
from django.utils import timezone
from numpy.typing import NDArray

from tests import factories
from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject
from tests.lifecycle.test_erasure import approved, counts_of
from vault.database import OWNER
from vault.embedding import EmbeddingFailed, unit
from vault.errors import NotFound
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.upkeep.proposing import propose
from vault.lifecycle.versions import list_versions, roll_back
from vault.models import Memory, MemoryIndex, isolation
from vault.retrieval import gathering
from vault.retrieval.candidates import Filter, nearest
from vault.retrieval.read import ListQuery, get_memory, list_memories, subject_overview
from vault.retrieval.recall import build_context
from vault.retrieval.search import Mode, SearchQuery, search
from vault.types import Kind, Status
from vault.writing import judge
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db

T = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
Vector = NDArray[np.float32]


def paths(query: str, subject: str = "S1") -> Iterator[tuple[str, str]]:
    """Every way in which an agent gets texts of a subject without naming a status."""
    scope = make_scope()
    for mode in Mode:
        hits = search(query=SearchQuery(subject, query, k=20, mode=mode), scope=scope).results
        yield mode.value, " ".join(hit.memory.content.text for hit in hits)
    context = build_context(query=SearchQuery(subject, query, k=20), max_tokens=2000, scope=scope)
    yield "context", context.text
    listed = list_memories(query=ListQuery(subject), scope=scope).results
    yield "list", " ".join(memory.content.text for memory in listed)
    settled = timezone.now() + timedelta(days=1)
    proposals = propose(subject_id=make_subject(subject).pk, scope=scope, settled_by=settled, same_matter=0.1)
    yield "consolidation", " ".join(proposal.extract.text for proposal in proposals)


# --- D22: the boundary of expiry, with no job run ---


@pytest.fixture
def clock(monkeypatch):
    def set_to(moment: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: moment)

    return set_to


def ending() -> Memory:
    return make_memory("The kestrel nests on the mill.", subject="S1", embedded=True, expires_at=T).row


@pytest.mark.parametrize(("moment", "visible"), [(T - SECOND, True), (T, False), (T + SECOND, False)])
def test_a_memory_is_out_of_every_read_at_the_instant_it_is_due(clock, moment, visible):
    clock(T - timedelta(days=1))
    memory = ending()
    clock(moment)

    seen = {path for path, texts in paths("kestrel") if "kestrel" in texts}

    assert seen == ({"hybrid", "semantic", "keyword", "context", "list"} if visible else set())
    overview = subject_overview(subject="S1", scope=make_scope())
    assert overview.by_status == ({"active": 1} if visible else {"expired": 1})
    assert sum(overview.by_kind.values()) == visible
    assert is_readable(memory) == visible


def is_readable(memory: Memory) -> bool:
    try:
        get_memory(memory_id=memory.pk, scope=make_scope())
        list_versions(memory_id=memory.pk, scope=make_scope())
    except NotFound:
        return False
    return True


def test_what_is_due_stands_in_no_new_statement_s_way(clock):
    clock(T - timedelta(days=1))
    make_memory(
        "Her shoe size is 38.",
        subject="S1",
        expires_at=T,
        trust="verified",
        content={"attribute": "shoe_size"},
    )
    clock(T)

    written = write_memory(
        draft=make_draft("Her shoe size is 39.", attribute="shoe_size"), scope=make_agent_scope()
    )

    assert (written.superseded, written.conflicts) == ((), ())


# --- D23: one path forgets the status filter ---


def test_only_what_is_active_appears_on_any_path():
    for status in Status:
        make_memory(f"KESTREL-{status} nests on the mill", subject="S1", embedded=True, status=status.value)
    for status in ("pending", "rejected"):
        make_quarantined_write(f"KESTREL-{status} nests on the mill", subject="S1", status=status)

    hidden = [f"KESTREL-{status}" for status in (*Status, "pending", "rejected") if status != Status.ACTIVE]
    for path, texts in paths("KESTREL nests on the mill"):
        assert not any(mark in texts for mark in hidden), path
        assert path == "consolidation" or "KESTREL-active" in texts, path


def test_a_repeat_of_what_is_not_active_is_news_and_is_told_nothing_of_it():
    for status in ("superseded", "expired", "forgotten", "archived"):
        make_memory("The kestrel nests on the mill.", subject="S1", embedded=True, status=status)

    written = write_memory(draft=make_draft("The kestrel nests on the mill."), scope=make_agent_scope())

    assert (written.outcome, written.superseded, written.conflicts) == ("created", (), ())


def test_counts_of_kinds_are_of_what_is_active():
    make_memory(subject="S1")
    make_memory("An old one.", subject="S1", status="superseded")

    assert subject_overview(subject="S1", scope=make_scope()).by_kind == {"fact": 1}


# --- D33: a filtered search returns all it should ---


def along(angle: float, axis: int = 1) -> Vector:
    vector = np.zeros(384, dtype=np.float32)
    vector[0], vector[axis] = np.cos(angle), np.sin(angle)
    return vector


@pytest.fixture
def vectors(monkeypatch) -> dict[str, Vector]:
    """What the model says of each text."""
    known: dict[str, Vector] = {"the query": along(0.0)}
    monkeypatch.setattr(factories, "embed_or_none", lambda text: known[text])
    monkeypatch.setattr(gathering, "embed", lambda texts: [known[text] for text in texts])
    return known


def place(text: str, vector: Vector, subject: str, vectors: dict[str, Vector], **labels: object) -> Memory:
    vectors[text] = vector
    return make_memory(text, subject=subject, embedded=True, **labels).row


# One row of S1 as so many rows of 200 others: as near to the query as S1 turns it, which a real stranger's never are.
CROWD = 2000
SPREAD = """
    WITH strangers AS (
        INSERT INTO vault_subject (id, reference_hash, sealed_reference, created_at, manifest_value,
            manifest_count, manifest_sequence, manifest_mac, erased_in)
        SELECT gen_random_uuid(), sha256(number::text::bytea), '', now(), '', 0, 0, '', '{}'
        FROM generate_series(1, 200) number RETURNING id
    ), memories AS (
        INSERT INTO vault_memory (id, subject_id, namespace_id, version, kind, source_type, trust, status, importance,
            volatile, created_at, updated_at, fingerprint, derived_from, pinned, seen_count, use_count,
            useful_count, useless_count, life_extends, consolidated)
        SELECT gen_random_uuid(), strangers.id, m.namespace_id, 1, m.kind, m.source_type, m.trust, 'active',
            m.importance, m.volatile, m.created_at, m.updated_at, sha256(copy::text::bytea), m.derived_from, false,
            1, 0, 0, 0, false, false
        FROM strangers, generate_series(1, %(copies)s) copy, vault_memory m WHERE m.id = %(memory)s
        RETURNING id, subject_id, namespace_id
    )
    INSERT INTO vault_memoryindex (memory_id, subject_id, namespace_id, vector, length)
    SELECT n.id, n.subject_id, n.namespace_id, i.vector, i.length
    FROM memories n, vault_memoryindex i WHERE i.memory_id = %(memory)s
"""


@pytest.mark.django_db(transaction=True)
def test_a_crowd_of_others_near_the_query_takes_no_row_from_a_subject(vectors):
    near = place("near", along(0.01), "S1", vectors)
    with connections[OWNER].cursor() as cursor:
        cursor.execute(SPREAD, {"copies": CROWD // 200, "memory": near.pk})
        cursor.execute("SELECT count(*) FROM vault_memoryindex")
        assert cursor.fetchone() == (CROWD + 1,)
        cursor.execute("ANALYZE")
    own = [place(f"own {number}", along(0.5 + number / 20), "S1", vectors) for number in range(12)]
    events = [place(f"event {number}", along(0.4), "S1", vectors, kind="event").pk for number in range(3)]

    query = SearchQuery("S1", "the query", k=10, mode=Mode.SEMANTIC, kinds=(Kind.FACT,))
    found = [hit.memory.row.pk for hit in search(query=query, scope=make_scope()).results]
    all_kinds = search(query=replace(query, k=16, kinds=None), scope=make_scope()).results

    assert found == [near.pk, *(memory.pk for memory in own[:9])]
    assert {hit.memory.row.pk for hit in all_kinds} == {near.pk, *events, *(memory.pk for memory in own)}


def test_filters_of_status_and_kind_take_no_row_from_what_meets_them(vectors):
    for number in range(40):
        place(f"gone {number}", along(0.01), "S1", vectors, status="forgotten")
        place(f"event {number}", along(0.02), "S1", vectors, kind="event")
    own = {place(f"own {number}", along(0.9), "S1", vectors).pk for number in range(12)}

    query = SearchQuery("S1", "the query", k=12, mode=Mode.SEMANTIC, kinds=(Kind.FACT,))
    hits = search(query=query, scope=make_scope()).results

    assert {hit.memory.row.pk for hit in hits} == own


# --- D34: a zero, NaN or missing embedding ---


@pytest.fixture
def broken_model(monkeypatch) -> None:
    """A model that gives zeros for one text, a NaN for another, and fails on a third."""
    real = judge.embed
    raw = {"zzz": np.zeros(384, dtype=np.float32), "nnn": np.full(384, np.nan, dtype=np.float32)}

    def embed(texts: list[str]) -> list[Vector]:
        (text,) = texts
        if "eee" in text:
            raise EmbeddingFailed("down")
        for mark, vector in raw.items():
            if mark in text:
                return [unit(vector)]
        return list(real(texts))

    monkeypatch.setattr(judge, "embed", embed)
    monkeypatch.setattr(gathering, "embed", embed)


@pytest.mark.usefixtures("broken_model")
@pytest.mark.parametrize("mark", ["zzz", "nnn", "eee"])
def test_what_cannot_be_embedded_is_kept_found_by_its_words_and_marked(mark):
    written = write_memory(draft=make_draft(f"The parcel {mark} is blue."), scope=make_agent_scope())

    with transaction.atomic():
        isolation.open_everything()
        assert MemoryIndex.objects.get(memory=written.memory.row).vector is None
    hits = search(query=SearchQuery("S1", mark, mode=Mode.KEYWORD), scope=make_scope()).results
    assert [hit.memory.row.pk for hit in hits] == [written.memory.row.pk]


@pytest.mark.usefixtures("broken_model")
def test_what_cannot_be_embedded_never_outranks_a_match():
    write_memory(draft=make_draft("The parcel zzz is blue."), scope=make_agent_scope())
    match = write_memory(draft=make_draft("The ferry leaves at nine."), scope=make_agent_scope())

    hits = search(query=SearchQuery("S1", "When does the ferry leave?"), scope=make_scope()).results

    assert hits[0].memory.row.pk == match.memory.row.pk
    assert all(np.isfinite([hit.score, hit.similarity, hit.semantic, hit.keyword]).all() for hit in hits)


@pytest.mark.usefixtures("broken_model")
def test_a_question_that_cannot_be_embedded_falls_back_to_words():
    written = write_memory(draft=make_draft("The ferry leaves at nine."), scope=make_agent_scope())

    hits = search(query=SearchQuery("S1", "zzz ferry"), scope=make_scope()).results

    assert [hit.memory.row.pk for hit in hits] == [written.memory.row.pk]
    assert np.isfinite([hit.score for hit in hits]).all()


# --- D35: an edited memory keeps its old embedding ---

BAKERY, SHIPYARD = "Works at the bakery on Elm Row", "Works at the shipyard in Port Vane"


def edit(memory: Memory, text: str, version: int = 1) -> Memory:
    return change_memory(
        memory_id=memory.pk, changes={"text": text}, expected_version=version, reason="corrected",
        scope=make_agent_scope(),
    ).memory.row  # fmt: skip


def similarity(query: str) -> float:
    hits = search(query=SearchQuery("S1", query, mode=Mode.SEMANTIC), scope=make_scope()).results
    return hits[0].semantic if hits else 0.0


@pytest.fixture
def worker() -> Memory:
    return write_memory(draft=make_draft(BAKERY), scope=make_agent_scope()).memory.row


def test_an_edit_takes_its_own_vector_and_a_return_takes_the_old_one(worker):
    before = similarity("bakery job"), similarity("shipyard job")
    edit(worker, SHIPYARD)
    after = similarity("bakery job"), similarity("shipyard job")
    roll_back(memory_id=worker.pk, version=1, expected_version=2, reason="undo", scope=make_agent_scope())

    assert after[0] < before[0]
    assert after[1] > before[1]
    assert (similarity("bakery job"), similarity("shipyard job")) == pytest.approx(before)


def test_with_the_model_down_the_old_vector_is_not_used_again(worker, monkeypatch):
    def down(_: list[str]) -> list[Vector]:
        raise EmbeddingFailed("down")

    with monkeypatch.context() as patched:
        patched.setattr(judge, "embed", down)
        edit(worker, SHIPYARD)

    with transaction.atomic():
        isolation.open_everything()
        assert MemoryIndex.objects.get(memory=worker).vector is None
    assert get_memory(memory_id=worker.pk, scope=make_scope()).content.vector is None
    keyword = search(query=SearchQuery("S1", "shipyard", mode=Mode.KEYWORD), scope=make_scope()).results
    assert [hit.memory.row.pk for hit in keyword] == [worker.pk]


def test_no_vector_is_left_after_an_erasure(worker):
    edit(worker, SHIPYARD)

    execute_erasure(approved("S1").pk)

    assert set(counts_of(worker.subject).values()) == {0}


def test_the_nearest_are_asked_of_one_subject_alone(worker):
    make_memory(SHIPYARD, subject="S2", embedded=True)
    with transaction.atomic():
        isolation.open_everything()
        allowed = Filter(worker.subject_id, (worker.namespace_id,), timezone.now(), timezone.now())
        found = nearest(allowed, along(0.0), documents=2)

    assert found == [worker.pk]
