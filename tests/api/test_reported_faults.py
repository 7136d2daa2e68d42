"""Faults that users of similar systems reported, as this API must answer them.

The numbers are those of the collected cases; inputs are restated here. Bad input, paging and repeated requests
stand in the files test_reported_faults_of_input.py, _of_lists.py and _of_keys.py.
"""

from __future__ import annotations

import statistics
import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from audit.models import AuditEntry
from tests.api.erasing import erase
from vault.models import Memory, isolation

pytestmark = pytest.mark.django_db


def texts(agent, subject, query="lantern code word", **fields):
    response = agent.post("/memories/search", {"subject": subject, "query": query, "k": 100, **fields})
    assert response.status_code == 200, response.content
    return [hit["memory"]["text"] for hit in response.json()["results"]]


def listed(agent, subject):
    return [memory["text"] for memory in agent.get(f"/memories?subject={subject}").json()["results"]]


def error_pointers(response):
    assert response.status_code == 400, response.content
    return [error["pointer"] for error in response.json()["errors"]]


# --- D01: a subject's id taken for a prefix or a pattern ---
LOOKALIKES = ["acct-7", "acct-70", "acct-7-archive", "ACCT-7", "acct_7", "acctX7"]


@pytest.fixture
def lookalikes(agent):
    for number, subject in enumerate(LOOKALIKES):
        word = (
            "Lantern code word is MARZIPAN" if subject == "acct-70" else f"Shelf {number} holds spare lamps"
        )
        agent.written(word, subject=subject)
    return agent


@pytest.mark.parametrize("mode", ["semantic", "keyword", "hybrid"])
def test_d01_a_search_reaches_the_exact_subject_only(lookalikes, mode):
    for subject in set(LOOKALIKES) - {"acct-70"}:
        assert not any("MARZIPAN" in text for text in texts(lookalikes, subject, mode=mode))


def test_d01_lists_counts_and_contexts_reach_the_exact_subject_only(lookalikes):
    for number, subject in enumerate(LOOKALIKES):
        if subject == "acct-70":
            continue
        block = lookalikes.post("/context", {"subject": subject, "query": "lantern code word"}).json()
        assert listed(lookalikes, subject) == [f"Shelf {number} holds spare lamps"]
        assert lookalikes.get(f"/subjects/{subject}").json()["by_status"] == {"active": 1}
        assert "MARZIPAN" not in block["text"]


# --- D02: metadata of the caller moves a memory to another subject ---
RESERVED = {
    "subject_id": "B", "user_id": "B", "owner": "B", "status": "active",
    "created_at": "2001-01-01T00:00:00Z", "version": 99,
}  # fmt: skip


@pytest.mark.parametrize("way", ["create", "batch", "patch", "rollback"])
def test_d02_keys_of_metadata_are_inert(agent, way):
    agent.written("Keeps a bicycle.", subject="B")
    fields = {"metadata": RESERVED} if way in ("create", "batch") else {}
    if way == "batch":
        body = [{"subject": "A", "text": "Prefers aisle seats", **fields}]
        memory = agent.post("/memories/batch", body).json()["results"][0]["memory"]
    else:
        memory = agent.written("Prefers aisle seats", subject="A", **fields)
    at = f"/memories/{memory['id']}"
    if way in ("patch", "rollback"):
        agent.patch(at, {"metadata": RESERVED}, If_Match='"v1"')
    if way == "rollback":
        agent.post(f"{at}/rollback", {"version": 1, "reason": "undo"}, If_Match='"v2"')

    after = agent.get(at).json()
    assert {**after, "version": 1, "updated_at": "", "metadata": {}} == {
        **memory, "version": 1, "updated_at": "", "metadata": {},
    }  # fmt: skip
    assert after["version"] == {"create": 1, "batch": 1, "patch": 2, "rollback": 3}[way]
    assert listed(agent, "B") == ["Keeps a bicycle."]
    assert texts(agent, "B", "aisle seats") == ["Keeps a bicycle."]


def test_d02_the_log_still_names_the_owner(agent):
    memory = agent.written("Prefers aisle seats", subject="A", metadata=RESERVED)
    other = agent.written("Keeps a bicycle.", subject="B")

    owner, stranger = (
        AuditEntry.objects.get(action="memory.written", target_id=m["id"]).subject_ref
        for m in (memory, other)
    )
    assert owner
    assert owner != stranger


# --- D03: the check for duplicates looks across subjects ---
def test_d03_the_same_sentence_of_two_subjects_is_two_memories(agent):
    sentence = "The boiler was serviced on 3 May."
    first = agent.written(sentence, subject="A")

    response = agent.write(sentence, subject="B")

    second = response.json()["memory"]
    assert response.status_code == 201
    assert second["id"] != first["id"]
    assert (second["seen_count"], second["supersedes"], response.json()["conflicts"]) == (1, [], [])
    agent.delete(f"/memories/{first['id']}", If_Match='"v1"')
    assert agent.get(f"/memories/{second['id']}").json()["status"] == "active"


def test_d03_the_key_that_finds_duplicates_differs_between_subjects(agent):
    sentence = "The boiler was serviced on 3 May."
    for subject in ("A", "B"):
        agent.written(sentence, subject=subject)

    isolation.open_everything()
    assert len({bytes(value) for value in Memory.objects.values_list("fingerprint", flat=True)}) == 2


# --- D22: the moment of expiry ---
def expire(memory, **ago):
    isolation.open_everything()
    Memory.objects.filter(pk=memory["id"]).update(expires_at=datetime.now(UTC) - timedelta(**ago))


def test_d22_it_is_served_until_its_moment(agent):
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    memory = agent.written("The voucher is valid.", expires_at=soon)

    assert texts(agent, "S1", "voucher") == ["The voucher is valid."]
    assert agent.get(f"/memories/{memory['id']}").status_code == 200


def test_d22_it_is_served_nowhere_from_its_moment_on(agent):
    memory = agent.written("The voucher is valid.", expires_at="2999-01-01T00:00:00Z")
    expire(memory, seconds=0)

    assert listed(agent, "S1") == []
    assert texts(agent, "S1", "voucher") == []
    assert agent.post("/context", {"subject": "S1", "query": "voucher"}).json()["memories"] == []
    assert agent.get(f"/memories/{memory['id']}").status_code == 404


@pytest.mark.parametrize("value", ["2030-01-31", "2001-01-01T00:00:00Z", "2030-01-31T00:00:00"])
def test_d22_a_bare_date_and_a_past_moment_are_refused(agent, value):
    assert error_pointers(agent.write("The voucher is valid.", expires_at=value)) == ["/expires_at"]


# --- D36: an answer tells that a record exists ---
CALLS = {
    "get": ("get", "", None),
    "patch": ("patch", "", {"text": 5}),
    "delete": ("delete", "", {"reason": 5}),
    "versions": ("get", "/versions", None),
    "rollback": ("post", "/rollback", {"version": "x"}),
    "restore": ("post", "/restore", {"x": 1}),
}


@pytest.fixture
def three_ids(agent, stranger):
    """An id of somebody else's, one that never was, and one of the caller's own that was erased."""
    foreign = stranger.written("The depot opens at six.")["id"]
    erased = agent.written("The depot opens at six.", subject="gone")["id"]
    erase(agent, "gone")
    return foreign, str(uuid4()), erased


@pytest.mark.parametrize("name", CALLS)
def test_d36_foreign_absent_and_erased_answer_alike(agent, three_ids, name):
    method, rest, body = CALLS[name]
    answers = [agent.call(method, f"/memories/{one}{rest}", body) for one in three_ids]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.parametrize("name", CALLS)
def test_d36_the_attempt_on_a_foreign_id_is_recorded(agent, three_ids, name):
    method, rest, body = CALLS[name]
    agent.call(method, f"/memories/{three_ids[0]}{rest}", body)

    assert AuditEntry.objects.filter(target_id=three_ids[0], outcome="denied").exists()


def test_d36_the_time_of_an_answer_tells_nothing(agent, three_ids):
    times: dict[str, list[float]] = {one: [] for one in three_ids}
    for _ in range(25):
        for one, taken in times.items():
            started = time.perf_counter()
            agent.get(f"/memories/{one}")
            taken.append(time.perf_counter() - started)

    medians = sorted(statistics.median(taken) for taken in times.values())
    assert medians[-1] < 1.5 * medians[0]
