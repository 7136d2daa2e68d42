"""A restricted subject over the API: as if nothing were kept, while writes are taken."""

from __future__ import annotations

import pytest

from tests.factories import staff_scope
from vault.lifecycle.subject_rights.restriction import restrict_subject
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(agent):
    written = agent.written("The depot opens at six.")
    restrict_subject(subject_id=find_subject("S1").pk, reason_code="x", scope=staff_scope())
    return written


def test_reads_answer_as_for_nothing(agent, memory):
    question = {"subject": "S1", "query": "depot"}

    assert agent.get("/memories?subject=S1").json()["results"] == []
    assert agent.post("/memories/search", question).json()["results"] == []
    assert agent.post("/context", question).json()["text"] == ""
    overview = agent.get("/subjects/S1").json()
    assert (overview["by_status"], overview["last_activity_at"]) == ({}, None)


@pytest.mark.parametrize(
    "call",
    [
        lambda agent, path: agent.get(path),
        lambda agent, path: agent.get(f"{path}/versions"),
        lambda agent, path: agent.patch(path, {"importance": 0.1}, If_Match='"v1"'),
        lambda agent, path: agent.delete(path, If_Match='"v1"'),
        lambda agent, path: agent.post(f"{path}/restore", {}, If_Match='"v1"'),
        lambda agent, path: agent.post(f"{path}/rollback", {"version": 1, "reason": "x"}, If_Match='"v1"'),
    ],
)
def test_a_memory_looks_like_one_that_never_was(agent, memory, call):
    mine = call(agent, f"/memories/{memory['id']}")
    never = call(agent, "/memories/01890a5d-ac96-774b-bcce-b302099a8057")

    assert (mine.status_code, mine.json()) == (404, never.json())


def test_writes_are_taken_alone_and_in_a_batch(agent, memory):
    assert agent.write("The depot was flooded.").status_code == 201

    one = {"subject": "S1", "text": "The depot has a new gate."}
    assert agent.post("/memories/batch", {"memories": [one]}).json()["results"][0]["status"] == 201
    assert agent.get("/memories?subject=S1").json()["results"] == []


def test_a_token_of_the_subject_reads_no_more(agent, memory, caller_for):
    issued = agent.post(
        "/subject-tokens", {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": 60}
    ).json()
    agent.token = issued["token"]

    assert agent.get("/memories?subject=S1").json()["results"] == []
    assert agent.get(f"/memories/{memory['id']}").status_code == 404
