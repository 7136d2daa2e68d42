"""What every answer carries, whoever made it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.api.callers import Caller
from vault.api.request_ids import request_id_from

pytestmark = pytest.mark.django_db


def test_the_callers_request_id_comes_back_and_stands_in_the_log(agent):
    from audit.models import AuditEntry  # noqa: PLC0415

    response = agent.post("/memories", {"subject": "S1", "text": "The depot opens."}, X_Request_Id="trace-1")

    assert response["X-Request-Id"] == "trace-1"
    assert AuditEntry.objects.get(action="memory.written").request_id == "trace-1"


@pytest.mark.parametrize("header", [None, "", "a b", "x" * 65, "<script>", "a\nb", "ü"])
def test_what_is_no_request_id_is_replaced(header):
    assert len(request_id_from(header)) == 36


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/nothing", "/api/v1/memories/x/y"])
def test_an_unknown_address_answers_with_a_problem(path):
    response = Client().get(path)

    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "not_found"


@pytest.mark.parametrize("method", ["put", "options", "delete"])
def test_a_method_that_is_not_there_answers_with_a_problem(agent, method):
    response = agent.call(method, "/memories")

    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"
    assert "POST" in response["Allow"]


def test_a_host_that_is_not_ours_answers_with_a_problem():
    response = Client(raise_request_exception=False).get("/api/v1/memories", headers={"Host": "evil.example"})

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"


def test_no_answer_of_the_api_is_cached(agent):
    for path in ("/memories?subject=S1", "/nothing", "/openapi.json"):
        assert agent.get(path)["Cache-Control"] == "no-store"


def test_a_body_of_more_than_64_kib_is_refused(agent):
    response = agent.call("post", "/memories", '{"text": "' + "x" * 65_536 + '"}')

    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
    ],
)
def test_a_body_of_another_type_is_refused(agent, content_type):
    response = agent._client.post(
        "/api/v1/memories",
        data=b"a=b",
        content_type=content_type,
        headers={"Authorization": f"Bearer {agent.token}"},
    )

    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


def test_a_caller_that_wants_no_json_is_told(agent):
    response = agent.get("/memories?subject=S1", Accept="text/html")

    assert response.status_code == 406


def test_a_fault_tells_nothing_but_its_code(agent, monkeypatch):
    def fail(**_):
        raise RuntimeError("ZEBRA-CANARY-771")

    monkeypatch.setattr("vault.api.views.memories.list_memories", fail)

    response = agent.get("/memories?subject=S1")

    assert (response.status_code, response.json()["code"]) == (500, "internal_error")
    assert b"ZEBRA" not in response.content


def test_without_credentials_a_body_is_not_even_read():
    response = Caller("").call("post", "/memories", "{not json")

    assert response.status_code == 401
