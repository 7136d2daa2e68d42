"""What is repeated, what never is, and what comes of refusals."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from vault.client import (
    Conflict,
    Gone,
    InvalidRequest,
    NoSuchSubject,
    RateLimited,
    Refused,
    ServerFault,
    Unreachable,
    VaultProblem,
)
from vault.client.errors import KINDS
from vault.client.transport import Transport


class Server:
    """Answers with what it is given, in order, and keeps what it was asked."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def transport(self, **options: Any) -> Transport:
        return Transport(
            "https://vault.example/",
            "t",
            transport=httpx.MockTransport(self),
            sleep=self.slept.append,
            **options,
        )


def ok(**body: Any) -> httpx.Response:
    return httpx.Response(200, json=body)


def problem(status: int, code: str = "x", **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "errors": [{"pointer": "/text"}]}, headers=headers)


def test_a_call_carries_its_token_to_its_address():
    server = Server(ok(a=1))

    assert server.transport().call("GET", "memories", query={"subject": "a&b", "kind": None}) == {"a": 1}
    assert str(server.asked[0].url) == "https://vault.example/api/v1/memories?subject=a%26b"
    assert server.asked[0].headers["Authorization"] == "Bearer t"


@pytest.mark.parametrize(
    "lost", [httpx.ConnectError("x"), httpx.ReadTimeout("x"), problem(503), problem(502), problem(500)]
)
def test_a_read_is_repeated(lost):
    server = Server(lost, ok())

    server.transport().call("GET", "memories")

    assert len(server.asked) == 2


def test_a_write_is_repeated_under_the_same_key():
    server = Server(httpx.ReadTimeout("x"), problem(500), ok())

    server.transport().call("POST", "memories", body={})

    assert len({request.headers["Idempotency-Key"] for request in server.asked}) == 1


def test_two_writes_have_two_keys():
    server = Server(ok(), ok())
    transport = server.transport()

    transport.call("POST", "memories", body={})
    transport.call("POST", "memories", body={})

    assert len({request.headers["Idempotency-Key"] for request in server.asked}) == 2


def test_a_key_of_the_caller_is_used():
    server = Server(ok())

    server.transport().call("POST", "memories", body={}, key="order-1")

    assert server.asked[0].headers["Idempotency-Key"] == "order-1"


def test_a_search_needs_no_key():
    server = Server(ok())

    server.transport().call("POST", "memories/search", body={}, is_write=False)

    assert "Idempotency-Key" not in server.asked[0].headers


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_change_that_may_have_happened_is_not_repeated(method):
    with pytest.raises(Unreachable):
        Server(httpx.ReadTimeout("x"), ok()).transport().call(method, "memories/1", version=1)
    with pytest.raises(ServerFault):
        Server(problem(500), ok()).transport().call(method, "memories/1", version=1)


def test_a_change_that_did_not_happen_is_repeated():
    server = Server(problem(503), ok())

    server.transport().call("PATCH", "memories/1", body={}, version=3)

    assert [request.headers["If-Match"] for request in server.asked] == ['"v3"', '"v3"']


def test_it_waits_as_long_as_it_is_asked_to():
    server = Server(problem(429, **{"Retry-After": "7"}), ok())

    server.transport().call("GET", "memories")

    assert server.slept == [7.0]


def test_otherwise_it_waits_longer_each_time():
    server = Server(problem(503), problem(503), problem(503), ok())

    server.transport().call("GET", "memories")

    assert server.slept == sorted(server.slept)


def test_it_gives_up_after_its_retries():
    server = Server(*(problem(429) for _ in range(3)))

    with pytest.raises(RateLimited):
        server.transport(retries=2).call("GET", "memories")


def test_a_first_request_that_still_runs_is_waited_for():
    server = Server(problem(409, "idempotency_in_progress"), ok())

    server.transport().call("POST", "memories", body={})

    assert len(server.asked) == 2


def test_another_conflict_is_not_repeated():
    with pytest.raises(Conflict):
        Server(problem(409, "invalid_transition")).transport().call("POST", "memories/1/restore", body={})


@pytest.mark.parametrize(("status", "kind"), KINDS.items())
def test_every_refusal_is_an_exception_of_its_kind(status, kind):
    server = Server(problem(status, "some_code", **{"X-Request-Id": "trace-1"}))

    with pytest.raises(kind) as raised:
        server.transport(retries=0).call("GET", "memories")

    assert (raised.value.status, raised.value.code, raised.value.request_id) == (
        status,
        "some_code",
        "trace-1",
    )


def test_a_refusal_names_the_fields():
    with pytest.raises(InvalidRequest) as raised:
        Server(problem(400)).transport().call("POST", "memories", body={})

    assert raised.value.errors[0].pointer == "/text"
    assert "/text" in str(raised.value)


def test_an_answer_that_is_not_the_vaults_is_a_problem_too():
    with pytest.raises(VaultProblem):
        Server(httpx.Response(418, text="<html>")).transport().call("GET", "memories")


def test_a_refusal_without_findings_has_none():
    with pytest.raises(Refused) as refused:
        Server(problem(422, "idempotency_mismatch")).transport().call("GET", "memories")

    assert refused.value.findings == ()


@pytest.mark.parametrize(("status", "kind"), [(404, NoSuchSubject), (410, Gone)])
def test_only_a_404_can_say_that_there_is_no_such_subject(status, kind):
    answer = httpx.Response(status, json={"code": "x", "missing": "subject"})

    with pytest.raises(kind):
        Server(answer).transport().call("GET", "memories")
