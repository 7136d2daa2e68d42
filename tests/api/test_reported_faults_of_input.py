"""D25 to D29: numbers, times, characters and signs that a careless API takes, or takes for something else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

pytestmark = pytest.mark.django_db


def texts(agent, subject, query="lantern code word", **fields):
    response = agent.post("/memories/search", {"subject": subject, "query": query, "k": 100, **fields})
    assert response.status_code == 200, response.content
    return [hit["memory"]["text"] for hit in response.json()["results"]]


def error_pointers(response):
    assert response.status_code == 400, response.content
    return [error["pointer"] for error in response.json()["errors"]]


# --- D25: bad importance, and dates to come ---
@pytest.mark.parametrize("literal", ["NaN", '"NaN"', "1e400", "-0.1", "1.5", "Infinity", "true", "null"])
def test_d25_every_bad_importance_is_refused(agent, literal):
    response = agent.call(
        "post", "/memories", f'{{"subject": "S1", "text": "Pays late.", "importance": {literal}}}'
    )

    assert error_pointers(response) == ["/importance"]


def test_d25_a_memory_cannot_be_dated_into_the_future(agent):
    later = (datetime.now(UTC) + timedelta(days=60)).isoformat()

    assert error_pointers(agent.write("Pays late.", created_at=later)) == ["/created_at"]


# --- D26: offsets and local times ---
@pytest.mark.parametrize("value", ["2027-03-14T02:30:00", "2027-11-07T01:30:00"])
def test_d26_a_local_time_is_refused_and_never_guessed(agent, value):
    assert error_pointers(agent.write("The shop moved.", occurred_at=value)) == ["/occurred_at"]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_d26_every_route_tells_a_time_in_the_same_way(agent, settings, zone):
    settings.TIME_ZONE = zone
    memory = agent.written("The shop moved.", kind="event", occurred_at="2026-05-03T20:30:00-05:00")

    hit = agent.post("/memories/search", {"subject": "S1", "query": "shop"}).json()["results"][0]["memory"]
    row = agent.get("/memories?subject=S1").json()["results"][0]
    one = agent.get(f"/memories/{memory['id']}").json()
    for told in (memory, hit, row, one):
        assert told["occurred_at"] == "2026-05-04T01:30:00Z"
        assert told["created_at"] == memory["created_at"]


# --- D27: what JSON can spell and a database cannot hold ---
RAW = [
    (r'"text": "ok", "metadata": {"k": "a\u0000b"}', "/metadata/k"),
    (r'"text": "ok", "metadata": {"k": "\ud83d"}', "/metadata/k"),
    (r'"text": "ok", "metadata": {"a\u0000": 1}', "/metadata/~key~0"),
    (r'"text": "a\ud83d"', "/text"),
    (r'"text": "ok", "tags": ["x\u0000"]', "/tags/0"),
]


@pytest.mark.parametrize(("fields", "pointer"), RAW)
def test_d27_writes_batches_and_searches_name_the_field(agent, fields, pointer):
    one = f'{{"subject": "S1", {fields}}}'

    assert error_pointers(agent.call("post", "/memories", one)) == [pointer]
    assert error_pointers(agent.call("post", "/memories/search", one)) == [pointer]
    assert error_pointers(agent.call("post", "/memories/batch", f'{{"memories": [{one}]}}')) == [
        f"/memories/0{pointer}"
    ]


@pytest.mark.parametrize(("fields", "pointer"), RAW)
def test_d27_a_change_names_the_field(agent, fields, pointer):
    memory = agent.written("The depot opens at six.")

    response = agent.call("patch", f"/memories/{memory['id']}", f"{{{fields}}}", If_Match='"v1"')

    assert error_pointers(response) == [pointer]


@pytest.mark.parametrize("spelled", ["%00", "abc%00"])
def test_d27_a_query_names_the_parameter(agent, spelled):
    assert error_pointers(agent.get(f"/memories?subject={spelled}")) == ["/subject"]


# --- D28: nothing to see ---
INVISIBLE = ["", "   ", "\t\n", "\u3000", "\u200b\u200b", "\ufeff", "\u202e\u202c", "\u2060"]


@pytest.mark.parametrize("value", INVISIBLE)
def test_d28_nothing_to_see_is_neither_stored_nor_searched(agent, value):
    assert error_pointers(agent.write(value)) == ["/text"]
    assert error_pointers(agent.post("/memories/search", {"subject": "S1", "query": value})) == ["/query"]
    assert error_pointers(agent.post("/context", {"subject": "S1", "query": value})) == ["/query"]


@pytest.mark.parametrize("value", ["👩\u200d👩\u200d👧", "ok"])
def test_d28_what_can_be_seen_is_taken(agent, value):
    assert agent.write(value).status_code in (201, 202)


# --- D29: signs that are wildcards elsewhere ---
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("100%", {"Discount is 100% today"}),
        ("file_name", {"see file_name"}),
        ("%", {"Discount is 100% today"}),
        ("_", {"see file_name"}),
        ("\\", {"path C:\\temp"}),
        ("' OR 1=1 --", set()),
    ],
)
def test_d29_a_sign_stands_for_itself(agent, query, found):
    for text in (
        "Discount is 100% today", "Discount is 100 euros", "see file_name", "see fileXname", "path C:\\temp",
    ):  # fmt: skip
        agent.written(text)

    assert set(texts(agent, "S1", query, mode="keyword")) == found
