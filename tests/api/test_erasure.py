"""/erasure-requests, and what the other routes answer afterwards."""

from __future__ import annotations

import pytest

from tests.api.erasing import ask, erase
from vault.models import IdempotencyRecord, isolation

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(agent):
    return agent.written("The depot opens at six.")


def test_a_request_is_filed_and_can_be_followed(agent, memory):
    response = ask(agent)

    assert response.status_code == 201, response.content
    assert response.json()["status"] == "received"
    assert agent.get(f"/erasure-requests/{response.json()['id']}").json() == response.json()
    assert response["Location"].endswith(response.json()["id"])


def test_a_stranger_cannot_follow_it(agent, stranger, memory):
    assert stranger.get(f"/erasure-requests/{ask(agent).json()['id']}").status_code == 404


def test_there_is_no_certificate_before_it_is_done(agent, memory):
    response = agent.get(f"/erasure-requests/{ask(agent).json()['id']}/certificate")

    assert (response.status_code, response.json()["code"]) == (409, "invalid_transition")


def test_it_ends_with_a_certificate(agent, memory):
    request_id = erase(agent)

    assert agent.get(f"/erasure-requests/{request_id}").json()["status"] == "done"
    assert agent.get(f"/erasure-requests/{request_id}/certificate").status_code == 200


def test_an_unknown_subject_cannot_be_erased(agent):
    assert ask(agent, "nobody").status_code == 404


def test_erasing_needs_its_right(reader, memory):
    assert ask(reader).status_code == 403


@pytest.mark.parametrize("body", [{}, {"subject": "S1"}, {"subject": "S1", "reason": "because of Anna"}])
def test_a_request_that_breaks_the_contract_is_refused(agent, body):
    assert agent.post("/erasure-requests", body).status_code == 400


def test_writing_to_an_erased_subject_is_gone(agent, memory):
    erase(agent)

    response = agent.write("The depot opens at seven.")

    assert (response.status_code, response.json()["code"]) == (410, "subject_erased")


@pytest.mark.parametrize("path", ["/memories?subject=S1", "/subjects/S1"])
def test_reading_an_erased_subject_is_gone(agent, memory, path):
    erase(agent)

    assert agent.get(path).status_code == 410


def test_searching_an_erased_subject_is_gone(agent, memory):
    erase(agent)

    assert agent.post("/memories/search", {"subject": "S1", "query": "depot"}).status_code == 410


def test_no_token_is_issued_for_an_erased_subject(agent, memory):
    erase(agent)

    body = {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": 60}
    assert agent.post("/subject-tokens", body).status_code == 410


def test_an_answer_kept_for_replay_goes_with_its_subject(agent):
    body = {"subject": "S1", "text": "The depot opens at six."}
    agent.post("/memories", body, Idempotency_Key="k1")
    erase(agent)

    response = agent.post("/memories", body, Idempotency_Key="k1")

    isolation.open_everything()
    assert response.status_code == 410
    assert not IdempotencyRecord.objects.filter(subject_id__isnull=False).exists()
