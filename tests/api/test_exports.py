"""/subjects/{subject}/export and /exports/{id}."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.api.callers import Caller, token_for
from tests.api.erasing import erase
from tests.factories import staff_scope
from tests.lifecycle.access_export.making import approval_of, fresh
from vault.keys import key_vault
from vault.lifecycle.access_export import carry_out_export, execute_export, expire_exports
from vault.lifecycle.approvals import approve
from vault.lifecycle.verify_export import verify_export
from vault.models import AccessExport, ApprovalKind, isolation
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db


@pytest.fixture
def memory(agent):
    return agent.written("The depot opens at six.")


def ask(agent: Caller, subject: str = "S1", body=None, **headers):
    return agent.post(f"/subjects/{subject}/export", body or {}, **headers)


def row_of(export_id: str) -> AccessExport:
    isolation.open_everything()
    return AccessExport.objects.get(pk=UUID(export_id))


def ready(agent: Caller, subject: str = "S1") -> str:
    """An export that was asked for over HTTP, approved and made; its id."""
    export_id = ask(agent, subject).json()["id"]
    officer = staff_scope()
    approval = approve(
        approval_id=approval_of(row_of(export_id)).pk, kinds=[ApprovalKind.EXPORT], scope=officer
    )
    carry_out_export(approval, officer)
    execute_export(UUID(export_id))
    return export_id


def body_of(response) -> bytes:
    return b"".join(response.streaming_content)


def test_an_export_is_asked_for_and_followed(agent, memory):
    response = ask(agent)

    assert (response.status_code, set(response.json())) == (202, {"id", "status"})
    assert response["Location"] == f"/api/v1/exports/{response.json()['id']}"
    state = agent.get(f"/exports/{response.json()['id']}").json()
    assert (state["status"], state["reason"], state["download"]) == (
        "waiting_for_approval",
        "access_request",
        None,
    )


def test_the_file_is_there_when_it_is_ready(agent, memory):
    export_id = ready(agent)

    state = agent.get(f"/exports/{export_id}").json()
    file = agent.get(state["download"]["href"].removeprefix("/api/v1"), Accept="application/zip")

    assert state["status"] == "ready"
    assert state["progress"]["done"] == state["progress"]["total"]
    assert (file.status_code, file["Content-Type"]) == (200, "application/zip")
    assert file["Cache-Control"] == "no-store"
    raw = body_of(file)
    assert int(file["Content-Length"]) == len(raw) == state["download"]["bytes"]
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        told = json.loads(archive.read("export.json"))
    assert [record["text"] for record in told["memories"]] == ["The depot opens at six."]
    assert verify_export(io.BytesIO(raw), public_keys=key_vault().signer().public_keys())["files"] == 3


def test_there_is_no_file_before_it_is_ready(agent, memory):
    response = agent.get(f"/exports/{ask(agent).json()['id']}/file")

    assert (response.status_code, response.json()["code"]) == (409, "invalid_transition")


def test_a_file_whose_time_is_up_is_gone_whether_or_not_a_job_has_met_it(agent, memory):
    export_id = ready(agent)
    row_of(export_id)
    AccessExport.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    before = agent.get(f"/exports/{export_id}/file")
    expire_exports(now=timezone.now(), limit=10)
    after = agent.get(f"/exports/{export_id}/file")

    assert {(r.status_code, r.json()["code"]) for r in (before, after)} == {(410, "export_expired")}
    assert agent.get(f"/exports/{export_id}").json()["status"] == "expired"


def test_a_stranger_sees_no_such_export(agent, stranger, memory):
    export_id = ready(agent)

    answers = [stranger.get(f"/exports/{export_id}{path}") for path in ("", "/file")]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_another_agent_of_the_namespace_sees_no_such_export(agent, caller_for, memory):
    export_id = ready(agent)

    assert caller_for("teammate").get(f"/exports/{export_id}").status_code == 404


def test_a_stranger_cannot_ask_for_a_subject_of_other_namespaces(stranger, agent, memory):
    there, absent = ask(stranger), ask(stranger, "nobody")

    assert there.status_code == absent.status_code == 404
    assert there.json() == absent.json()


def test_asking_needs_its_right(reader, memory):
    assert ask(reader).status_code == 403


def test_a_subject_token_that_carries_the_right_asks_for_its_own_subject(agent, memory):
    agent.written("The yard opens at nine.", subject="S2")
    issue = {"subject": "S1", "scopes": ["subject:export"], "ttl_seconds": 60}
    bound = Caller(agent.post("/subject-tokens", issue).json()["token"])

    export_id = ready(bound)

    assert bound.get(f"/exports/{export_id}").status_code == 200
    assert ask(bound, "S2").status_code == 404


def test_a_token_bound_to_another_subject_sees_no_such_export(agent, memory):
    agent.written("The yard opens at nine.", subject="S2")
    export_id = ready(agent)
    issue = {"subject": "S2", "scopes": ["subject:export"], "ttl_seconds": 60}
    bound = Caller(agent.post("/subject-tokens", issue).json()["token"])

    assert bound.get(f"/exports/{export_id}").status_code == 404
    assert bound.get(f"/exports/{export_id}/file").status_code == 404


def test_a_file_is_not_handed_out_any_more_when_the_right_was_taken_back(agent, memory):
    export_id = ready(agent)
    token_for(scopes=[Right.MEMORY_READ])

    assert agent.get(f"/exports/{export_id}/file").status_code == 403


def test_the_same_key_asks_once(agent, memory):
    first, again = (ask(agent, Idempotency_Key="k1") for _ in range(2))

    assert (again.status_code, again.json()) == (202, first.json())
    assert again["Idempotent-Replayed"] == "true"


def test_asking_twice_is_one_request(agent, memory):
    assert ask(agent).json()["id"] == ask(agent, body={"reason": "again"}).json()["id"]


def test_an_unknown_field_is_refused(agent, memory):
    assert ask(agent, body={"reason": "x", "everything": True}).status_code == 400


def test_a_subject_whose_id_ends_like_the_route_can_be_read(agent):
    agent.written("The yard opens at nine.", subject="S1/export")

    assert agent.get("/subjects/S1/export").json()["subject"] == "S1/export"
    assert ask(agent, "S1/export").status_code == 202
    assert ask(agent, "S1").status_code == 404


def test_every_step_is_an_entry(agent, memory):
    export_id = ready(agent)
    body_of(agent.get(f"/exports/{export_id}/file"))
    row_of(export_id)
    AccessExport.objects.update(expires_at=timezone.now())
    expire_exports(now=timezone.now(), limit=10)

    entries = AuditEntry.objects.filter(target_id=export_id).order_by("pk")

    assert [entry.action for entry in entries] == [
        "export.requested",
        "export.completed",
        "export.downloaded",
        "export.expired",
    ]
    assert {entry.subject_ref for entry in entries} == {
        key_vault().subject(row_of(export_id).subject_id).audit_reference
    }


def test_an_erased_subject_has_no_export(agent, memory):
    export_id = ready(agent)
    erase(agent)

    assert agent.get(f"/exports/{export_id}").status_code == 404
    assert ask(agent).status_code == 410


def test_a_refused_attempt_is_recorded(stranger, agent, memory):
    export_id = ready(agent)
    stranger.get(f"/exports/{export_id}/file")

    entry = AuditEntry.objects.get(action="access.denied", target_id=export_id)
    assert (entry.outcome, entry.reason) == ("denied", "not_found")
    assert fresh(row_of(export_id)).status == "ready"
