"""POST /memories/search and /context."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


@pytest.fixture
def filled(agent):
    agent.written("Invoice 8841 was rejected for code E12", kind="event", source={"type": "user"})
    agent.written("The cat sleeps in the afternoon", source={"type": "user"})
    agent.written("Invoice 7000 was paid", subject="S2", source={"type": "user"})
    return agent


def search(agent, **fields):
    return agent.post(
        "/memories/search", {"subject": "S1", "query": "why was invoice 8841 rejected", **fields}
    )


def test_a_search_ranks_what_answers_and_tells_the_parts(filled):
    response = search(filled)

    best = response.json()["results"][0]
    assert response.status_code == 200, response.content
    assert "8841" in best["memory"]["text"]
    assert {"score", "similarity", "recency", "importance", "semantic", "keyword"} < set(best)
    assert response.json()["query"]["used"] == "why was invoice 8841 rejected"
    assert response.json()["took_ms"] > 0
    assert response.json()["held_back"] == 0


def test_a_search_never_reaches_another_subject(filled):
    texts = [
        hit["memory"]["text"] for hit in search(filled, query="invoice 7000 paid", k=100).json()["results"]
    ]

    assert not any("7000" in text for text in texts)


@pytest.mark.parametrize(
    "narrowed",
    [
        {"k": 1},
        {"kinds": ["event"]},
        {"mode": "keyword"},
        {"mode": "semantic", "k": 1},
        {"weights": {"similarity": 1, "recency": 0, "importance": 0}, "k": 1},
        {"decay": "hyperbolic", "half_life_days": 7, "k": 1},
        {"created_after": "2020-01-01T00:00:00Z", "created_before": "2100-01-01T00:00:00Z", "k": 1},
        {"namespaces": ["default"], "min_trust": "stated", "min_similarity": 0.2, "k": 1},
    ],
)
def test_a_search_can_be_narrowed(filled, narrowed):
    results = search(filled, **narrowed).json()["results"]

    assert ["8841" in hit["memory"]["text"] for hit in results] == [True]


def test_looking_back_shows_nothing_that_came_later(filled):
    assert search(filled, as_of="2020-01-01T00:00:00Z").json()["results"] == []


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"query": ""}, "/query"),
        ({"query": "\u200b"}, "/query"),
        ({"k": 0}, "/k"),
        ({"k": 101}, "/k"),
        ({"k": "5"}, "/k"),
        ({"k": True}, "/k"),
        ({"mode": "psychic"}, "/mode"),
        ({"kinds": ["rumour"]}, "/kinds/0"),
        ({"kinds": []}, "/kinds"),
        ({"attribute": ""}, "/attribute"),
        ({"created_after": "2026-03-02"}, "/created_after"),
        ({"occurred_before": ""}, "/occurred_before"),
        ({"weights": {"similarity": -1}}, "/weights/similarity"),
        ({"weights": {"similarity": 0, "recency": 0, "importance": 0}}, "/weights"),
        ({"weights": {"luck": 1}}, "/weights/luck"),
        ({"half_life_days": 0}, "/half_life_days"),
        ({"as_of": "2020-01-01"}, "/as_of"),
        ({"min_similarity": 2}, "/min_similarity"),
        ({"filter": {}}, "/filter"),
    ],
)
def test_a_search_that_breaks_the_contract_is_named(agent, fields, pointer):
    response = search(agent, **fields)

    assert response.status_code == 400
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


def test_a_search_of_an_unknown_subject_is_not_found_and_says_so(agent):
    response = search(agent)

    assert response.status_code == 404
    assert (response.json()["code"], response.json()["missing"]) == ("not_found", "subject")


def test_a_namespace_out_of_scope_is_not_found_and_no_subject_is_missing(filled):
    response = search(filled, namespaces=["elsewhere"])

    assert response.status_code == 404
    assert "missing" not in response.json()


def test_an_idempotency_key_does_not_freeze_a_search(filled):
    body = {"subject": "S1", "query": "cat"}
    filled.post("/memories/search", body, Idempotency_Key="k1")

    assert "Idempotent-Replayed" not in filled.post("/memories/search", body, Idempotency_Key="k1")


def test_the_context_is_one_block_within_its_budget(filled):
    response = filled.post("/context", {"subject": "S1", "query": "invoice 8841", "max_tokens": 120})

    block = response.json()
    assert response.status_code == 200, response.content
    assert block["text"].startswith("Relevant memories")
    assert "8841" in block["text"]
    assert block["tokens"] <= 120
    assert len(block["memories"]) >= 1


def test_the_context_takes_so_many_of_each_kind(filled):
    body = {"subject": "S1", "query": "invoice cat", "per_kind": {"event": 1, "fact": 0}}

    assert len(filled.post("/context", body).json()["memories"]) == 1


@pytest.mark.parametrize(
    "fields",
    [{"max_tokens": 0}, {"max_tokens": "500"}, {"per_kind": {"rumour": 1}}, {"per_kind": {"fact": -1}}],
)
def test_a_context_that_breaks_the_contract_is_refused(agent, fields):
    assert agent.post("/context", {"subject": "S1", "query": "invoice", **fields}).status_code == 400
