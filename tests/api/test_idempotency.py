"""Idempotency-Key: the first answer again, for the same request and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from vault.api import idempotency
from vault.models import IdempotencyRecord, Memory, isolation

pytestmark = pytest.mark.django_db

BODY = {"subject": "S1", "text": "The depot opens at six."}


def records():
    isolation.open_everything()
    return IdempotencyRecord.objects


def memories():
    isolation.open_everything()
    return Memory.objects.count()


def post(agent, body=BODY, key="k1", path="/memories"):
    return agent.post(path, body, Idempotency_Key=key)


def test_the_same_request_gets_the_first_answer(agent):
    first = post(agent)

    second = post(agent)

    assert (second.status_code, second.json()) == (201, first.json())
    assert second["Idempotent-Replayed"] == "true"
    assert second["ETag"] == first["ETag"]
    assert memories() == 1


def test_the_order_of_fields_does_not_make_another_request(agent):
    post(agent)

    assert post(agent, dict(reversed(BODY.items())))["Idempotent-Replayed"] == "true"


def test_the_first_answer_is_no_replay(agent):
    assert "Idempotent-Replayed" not in post(agent)


def test_a_replay_is_recorded_as_skipped(agent):
    post(agent)
    post(agent)

    assert AuditEntry.objects.filter(outcome="skipped", reason="idempotent_replay").count() == 1


def test_another_body_under_the_same_key_is_refused_and_not_stored(agent):
    post(agent)

    response = post(agent, {**BODY, "text": "The depot opens at seven."})

    assert (response.status_code, response.json()["code"]) == (422, "idempotency_mismatch")
    assert memories() == 1


def test_another_subject_under_the_same_key_is_another_request(agent):
    post(agent)

    assert post(agent, {**BODY, "subject": "S2"}).status_code == 201


def test_another_endpoint_under_the_same_key_is_another_request(agent):
    post(agent)

    assert post(agent, [BODY], path="/memories/batch").status_code == 200


def test_another_caller_under_the_same_key_is_another_request(agent, stranger):
    post(agent)

    assert "Idempotent-Replayed" not in post(stranger)


def test_a_request_that_still_runs_answers_409(agent, monkeypatch):
    monkeypatch.setattr(idempotency, "WAIT_SECONDS", 0.0)
    post(agent)
    records().update(status_code=None, sealed_answer=b"")

    response = post(agent)

    assert (response.status_code, response.json()["code"]) == (409, "idempotency_in_progress")


def test_a_reservation_that_was_left_behind_is_taken_over(agent):
    post(agent)
    records().update(status_code=None, sealed_answer=b"", created_at=timezone.now() - timedelta(minutes=5))

    assert post(agent).json()["outcome"] == "merged"


def test_an_answer_that_is_too_old_is_not_given_again(agent):
    post(agent)
    records().update(expires_at=timezone.now())

    assert post(agent).json()["outcome"] == "merged"


def test_a_failed_attempt_frees_its_key(agent, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("vault.api.writes.write_memory", lambda **_: 1 / 0)
        assert post(agent).status_code == 500

    assert post(agent).status_code == 201


def test_a_refused_attempt_frees_its_key(agent):
    refused = post(agent, {"subject": "S1", "text": "password: " + "-".join(["Gr4vel", "Otter", "19"])})

    assert refused.status_code == 422
    assert not records().exists()


def test_an_answer_is_kept_sealed(agent):
    post(agent, {**BODY, "text": "The canary word is MARZIPAN"})

    assert b"MARZIPAN" not in bytes(records().get().sealed_answer)


def test_an_answer_belongs_to_its_subject(agent):
    memory = post(agent).json()["memory"]

    record = records().get()
    assert record.subject_id == Memory.objects.get(pk=memory["id"]).subject_id


def test_key_and_request_stand_as_keyed_digests_only(agent):
    post(agent, key="visible-key")

    record = records().get()
    assert b"visible" not in bytes(record.key_hash)
    assert "S1" not in record.endpoint


@pytest.mark.parametrize("key", ["", "with space", "ü", "x" * 256])
def test_what_is_no_key_is_refused(agent, key):
    response = post(agent, key=key)

    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/Idempotency-Key"


def test_a_restore_is_replayed(agent):
    memory = agent.written("The depot opens at six.")
    agent.delete(f"/memories/{memory['id']}", If_Match='"v1"')
    path = f"/memories/{memory['id']}/restore"
    first = post(agent, {}, path=path)

    second = post(agent, {}, path=path)

    assert first.status_code == 200
    assert (second.json(), second["Idempotent-Replayed"]) == (first.json(), "true")


def test_a_token_is_issued_once(agent):
    body = {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": 60}

    first, second = (post(agent, body, path="/subject-tokens") for _ in range(2))

    assert first.json()["token"] == second.json()["token"]
