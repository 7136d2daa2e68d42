"""POST /memories/batch."""

from __future__ import annotations

import pytest

from audit.models import AuditEntry
from vault.models import Memory, isolation
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db


def item(text, subject="S1", **fields):
    return {"subject": subject, "text": text, **fields}


def memories():
    isolation.open_everything()
    return Memory.objects.count()


def test_every_write_has_its_answer_in_order(agent):
    response = agent.post(
        "/memories/batch", {"memories": [item("The depot opens at six."), item("The cat sleeps.", "S2")]}
    )

    results = response.json()["results"]
    assert response.status_code == 200
    assert [result["status"] for result in results] == [201, 201]
    assert [result["memory"]["subject"] for result in results] == ["S1", "S2"]


def test_the_list_alone_is_a_batch_too(agent):
    response = agent.post("/memories/batch", [item("The depot opens at six.")])

    assert response.json()["results"][0]["outcome"] == "created"


def test_one_that_fails_does_not_undo_the_others(agent):
    secret = "-".join(["Gr4vel", "Otter", "19"])
    batch = [item("The depot opens at six."), item(f"password: {secret}"), item(""), item("The cat sleeps.")]

    results = agent.post("/memories/batch", {"memories": batch}).json()["results"]

    assert [result["status"] for result in results] == [201, 422, 400, 201]
    assert results[1]["code"] == "secret_detected"
    assert results[2]["errors"][0]["pointer"] == "/memories/2/text"
    assert memories() == 2


@pytest.mark.parametrize(
    "body", [{}, {"memories": []}, {"memories": {}}, {"memories": [], "x": 1}, [], "x", [1] * 101]
)
def test_a_batch_holds_1_to_100_writes(agent, body):
    assert agent.post("/memories/batch", body).status_code == 400


def test_something_in_a_batch_that_is_no_object_is_refused_alone(agent):
    results = agent.post("/memories/batch", [5, item("The depot opens at six.")]).json()["results"]

    assert [result["status"] for result in results] == [400, 201]


def test_a_batch_is_replayed_as_a_whole(agent):
    body = {"memories": [item("The depot opens at six."), item("The cat sleeps.", "S2")]}
    first = agent.post("/memories/batch", body, Idempotency_Key="b1")

    second = agent.post("/memories/batch", body, Idempotency_Key="b1")

    assert second["Idempotent-Replayed"] == "true"
    assert second.json() == first.json()


def test_another_batch_under_the_same_key_is_refused(agent):
    agent.post("/memories/batch", [item("The depot opens at six.")], Idempotency_Key="b1")

    response = agent.post("/memories/batch", [item("The depot opens at seven.")], Idempotency_Key="b1")

    assert (response.status_code, response.json()["code"]) == (422, "idempotency_mismatch")


def test_a_fault_of_one_write_is_told_without_its_cause_and_recorded(agent, monkeypatch):
    real = write_memory

    def fail_once(*, draft, **options):
        if "cat" in draft.text:
            raise RuntimeError("ZEBRA-CANARY-771")
        return real(draft=draft, **options)

    monkeypatch.setattr("vault.api.writes.write_memory", fail_once)

    response = agent.post("/memories/batch", [item("The depot opens at six."), item("The cat sleeps.")])

    assert [result["status"] for result in response.json()["results"]] == [201, 500]
    assert b"ZEBRA" not in response.content
    assert AuditEntry.objects.filter(action="request.failed", outcome="failed").count() == 1
