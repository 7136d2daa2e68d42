"""A subject that only other namespaces know looks to a caller as one that nobody knows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.callers import Caller
from tests.api.erasing import ask, erase
from tests.api.test_sessions import started
from tests.factories import staff_scope
from vault.lifecycle.holds import place_hold

pytestmark = pytest.mark.django_db(transaction=True)

READS = {
    "overview": lambda caller, subject: caller.get(f"/subjects/{subject}"),
    "list": lambda caller, subject: caller.get(f"/memories?subject={subject}"),
    "search": lambda caller, subject: caller.post("/memories/search", {"subject": subject, "query": "when?"}),
    "context": lambda caller, subject: caller.post("/context", {"subject": subject, "query": "when?"}),
    "erasure": lambda caller, subject: ask(caller, subject),
}


def answer(response):
    told = response.json()
    told.pop("request_id", None)
    told.pop("instance", None)
    return response.status_code, told


def hold(subject: str = "S1") -> None:
    place_hold(subject=subject, reason_code="litigation", scope=staff_scope())


def linked(caller: Caller, subject: str):
    visit = started(caller, namespace="elsewhere")
    return caller.post("/visitor-links", {"visitor": visit["visitor"], "subject": subject})


def token(caller: Caller, subject: str) -> Caller:
    body = {"subject": subject, "scopes": ["memory:read"], "ttl_seconds": 600}
    response = caller.post("/subject-tokens", body)
    assert response.status_code == 201, response.content
    return Caller(response.json()["token"])


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_after_an_erasure_elsewhere_it_is_still_as_if_nobody_knew_it(agent, stranger, read):
    agent.written("The depot opens at six.")
    erase(agent)

    assert answer(read(stranger, "S1")) == answer(read(stranger, "nobody"))
    assert read(agent, "S1").status_code == 410


def test_a_write_to_an_erased_subject_is_refused_to_everybody(agent, stranger):
    agent.written("The depot opens at six.")
    erase(agent)

    assert stranger.write("The depot opens at seven.").status_code == 410


def test_no_query_more_or_less_is_made_for_one_that_others_know(agent, stranger):
    agent.written("The depot opens at six.")
    stranger.get("/subjects/S1")
    asked = []
    for subject in ("S1", "nobody"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            stranger.get(f"/subjects/{subject}")
        asked.append(len(queries))

    assert asked[0] == asked[1]


def test_when_others_last_wrote_is_not_told(agent, stranger):
    stranger.written("The depot opens at six.", namespace="elsewhere")
    before = stranger.get("/subjects/S1").json()["last_activity_at"]

    agent.written("The depot closes at nine.")

    assert stranger.get("/subjects/S1").json()["last_activity_at"] == before


def test_a_hold_is_told_to_who_keeps_something_of_the_subject(agent, stranger):
    agent.written("The depot opens at six.")
    hold()
    started(stranger, namespace="elsewhere", subject="S1")

    assert agent.get("/subjects/S1").json()["holds"] == 1
    assert stranger.get("/subjects/S1").json()["holds"] == 0
    assert token(stranger, "S1").get("/subjects/S1").json()["holds"] == 0


def test_a_visitor_is_linked_to_one_out_of_reach_as_to_one_that_is_new(agent, stranger):
    for subject in ("S1", "S2"):
        agent.written("The depot opens at six.", subject=subject)
    hold("S1")
    assert ask(agent, "S2").status_code == 201

    assert [linked(stranger, subject).status_code for subject in ("S1", "S2", "nobody")] == [201, 201, 201]


def test_a_visitor_is_not_linked_to_one_in_reach_that_is_held(agent, stranger):
    stranger.written("The depot opens at six.", namespace="elsewhere")
    hold()

    assert linked(stranger, "S1").status_code == 409


def test_of_the_erasure_that_another_asked_for_nothing_is_told(agent, stranger):
    agent.written("The depot opens at six.")
    stranger.written("The depot opens at seven.", namespace="elsewhere")
    filed = ask(agent).json()

    refused = ask(stranger)

    assert (refused.status_code, refused.json()["code"]) == (409, "invalid_transition")
    assert filed["id"] not in refused.content.decode()
    assert ask(agent).json()["id"] == filed["id"]


def test_who_issued_a_token_for_a_new_subject_knows_it(agent):
    token(agent, "new")

    assert agent.get("/subjects/new").json()["by_status"] == {}
    assert agent.call("put", "/subjects/new/contact", {"email": "new@example.com"}).status_code == 204
    assert agent.post("/subjects/new/export", {"reason": "asked"}).status_code == 202
    assert ask(agent, "new").status_code == 201


def test_a_token_that_another_issued_makes_nobody_else_know_it(agent, stranger):
    token(agent, "new")

    assert stranger.get("/subjects/new").status_code == 404
