"""D38: an Idempotency-Key that is used again, at the same time, for something else, or after a failure."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connections

from tests.api.callers import Caller
from tests.api.erasing import erase
from vault.models import IdempotencyRecord, Memory, isolation

BODY = {"subject": "S1", "text": "The depot opens at six."}
ONE_KEY = {"Idempotency_Key": "order-1"}


def together(*calls: Any) -> list[Any]:
    """The answers of calls that start at the same moment."""
    start, answers = threading.Barrier(len(calls)), [None] * len(calls)

    def run(place: int) -> None:
        start.wait()
        try:
            answers[place] = calls[place]()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.django_db(transaction=True)
def test_d38_two_at_once_make_one_memory_and_get_one_answer(agent):
    callers = [Caller(agent.token) for _ in range(2)]

    answers = together(*(lambda c=caller: c.post("/memories", BODY, **ONE_KEY) for caller in callers))

    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert len(agent.get("/memories?subject=S1").json()["results"]) == 1
    assert sorted("Idempotent-Replayed" in answer for answer in answers) == [False, True]


@pytest.mark.django_db
def test_d38_another_body_is_refused_and_stores_nothing(agent):
    agent.post("/memories", BODY, **ONE_KEY)

    response = agent.post("/memories", {**BODY, "text": "The depot opens at seven."}, **ONE_KEY)

    assert response.status_code == 422
    assert len(agent.get("/memories?subject=S1").json()["results"]) == 1


@pytest.mark.django_db
def test_d38_another_endpoint_and_another_subject_are_independent(agent):
    agent.post("/memories", BODY, **ONE_KEY)

    token = agent.post(
        "/subject-tokens", {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": 60}, **ONE_KEY
    )
    other = agent.post("/memories", {**BODY, "subject": "S2"}, **ONE_KEY)

    assert (token.status_code, other.status_code) == (201, 201)
    assert other.json()["memory"]["subject"] == "S2"


@pytest.mark.django_db
def test_d38_a_failed_attempt_is_not_replayed_as_a_success(agent, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("vault.writing.pipeline.land", lambda *_, **__: 1 / 0)
        failed = agent.post("/memories", BODY, **ONE_KEY)

    response = agent.post("/memories", BODY, **ONE_KEY)

    assert failed.status_code == 500
    assert response.status_code == 201
    assert "Idempotent-Replayed" not in response


@pytest.mark.django_db
def test_d38_after_an_erasure_nothing_is_replayed_or_kept(agent):
    agent.post("/memories", BODY, **ONE_KEY)
    erase(agent)

    response = agent.post("/memories", BODY, **ONE_KEY)

    isolation.open_everything()
    assert response.status_code == 410
    assert not IdempotencyRecord.objects.filter(subject_id__isnull=False).exists()
    assert not Memory.objects.exists()
