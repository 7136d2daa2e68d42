"""GET, PATCH and DELETE /memories/{id}, and /restore."""

from __future__ import annotations

import pytest

from audit.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(agent):
    return agent.written("Prefers aisle seats", metadata={"channel": "chat"})


def path(memory, rest=""):
    return f"/memories/{memory['id']}{rest}"


def test_a_memory_is_read_with_its_version_as_its_tag(agent, memory):
    response = agent.get(path(memory))

    assert response.json() == memory
    assert response["ETag"] == '"v1"'


def test_a_change_writes_a_version(agent, memory):
    response = agent.patch(
        path(memory), {"text": "Prefers window seats", "reason": "corrected"}, If_Match='"v1"'
    )

    assert response.status_code == 200, response.content
    assert response.json()["text"] == "Prefers window seats"
    assert response["ETag"] == '"v2"'


def test_a_change_without_a_version_is_told_to_send_one(agent, memory):
    response = agent.patch(path(memory), {"text": "Prefers window seats"})

    assert (response.status_code, response.json()["code"]) == (428, "precondition_required")


def test_a_change_of_an_older_version_is_stale(agent, memory):
    agent.patch(path(memory), {"importance": 0.9}, If_Match='"v1"')

    response = agent.patch(path(memory), {"importance": 0.1}, If_Match='"v1"')

    assert (response.status_code, response.json()["code"]) == (412, "stale_version")


def test_a_change_is_screened_again(agent, memory):
    secret = "-".join(["Gr4vel", "Otter", "19"])

    response = agent.patch(path(memory), {"text": f"The portal password: {secret}"}, If_Match='"v1"')

    assert response.status_code == 422
    assert agent.get(path(memory)).json()["text"] == "Prefers aisle seats"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"subject": "S2"}, "/subject"),
        ({"namespace": "elsewhere"}, "/namespace"),
        ({"trust": "verified"}, "/trust"),
        ({"created_at": "2001-01-01T00:00:00Z"}, "/created_at"),
        ({"text": "\u2060"}, "/text"),
        ({"reason": "a sentence about somebody"}, "/reason"),
        ({}, ""),
        ({"reason": "nothing"}, ""),
    ],
)
def test_a_change_that_breaks_the_contract_is_named(agent, memory, body, pointer):
    response = agent.patch(path(memory), body, If_Match='"v1"')

    assert response.status_code == 400
    assert [error["pointer"] for error in response.json()["errors"]] == [pointer]


def test_null_clears_a_time(agent):
    memory = agent.written("The voucher is valid.", expires_at="2999-01-01T00:00:00Z")

    response = agent.patch(path(memory), {"expires_at": None}, If_Match='"v1"')

    assert response.json()["expires_at"] is None


def test_forgetting_hides_a_memory_from_lists(agent, memory):
    response = agent.delete(path(memory), If_Match='"v1"')

    assert response.status_code == 200, response.content
    assert response.json()["status"] == "forgotten"
    assert agent.get("/memories?subject=S1").json()["results"] == []


def test_forgetting_wants_a_version(agent, memory):
    assert agent.delete(path(memory)).status_code == 428


def test_a_forgotten_memory_can_be_restored(agent, memory):
    agent.delete(path(memory), {"reason": "asked"}, If_Match='"v1"')

    response = agent.post(path(memory, "/restore"), {})

    assert response.status_code == 200, response.content
    assert response.json()["status"] == "active"
    assert len(agent.get("/memories?subject=S1").json()["results"]) == 1


def test_restoring_another_version_than_the_current_one_is_stale(agent, memory):
    agent.delete(path(memory), If_Match='"v1"')

    assert agent.post(path(memory, "/restore"), {}, If_Match='"v1"').status_code == 412


def test_restoring_what_is_not_forgotten_is_a_conflict(agent, memory):
    response = agent.post(path(memory, "/restore"), {})

    assert (response.status_code, response.json()["code"]) == (409, "invalid_transition")


@pytest.mark.parametrize("method", ["get", "patch", "delete"])
def test_a_stranger_finds_no_such_memory(stranger, memory, method):
    response = stranger.call(method, path(memory), {} if method != "get" else None)

    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_the_attempt_of_a_stranger_is_recorded(stranger, memory):
    stranger.get(path(memory))

    entry = AuditEntry.objects.get(action="access.denied")
    assert (entry.outcome, entry.target_id) == ("denied", memory["id"])


def test_a_reader_cannot_change(reader, memory):
    response = reader.patch(path(memory), {"importance": 1}, If_Match='"v1"')

    assert (response.status_code, response.json()["code"]) == (403, "scope_missing")


@pytest.mark.parametrize("spelled", ["not-an-id", "0", "%00"])
def test_what_is_no_id_is_not_found(agent, spelled):
    response = agent.get(f"/memories/{spelled}")

    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
