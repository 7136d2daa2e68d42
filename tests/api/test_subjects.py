"""GET /subjects/{subject}."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.api.callers import Caller

pytestmark = pytest.mark.django_db


def test_a_subject_is_told_in_counts(agent):
    agent.written("The depot opens at six.")
    agent.written("The depot was flooded in May.", kind="event")

    body = agent.get("/subjects/S1").json()

    assert body["subject"] == "S1"
    assert body["by_kind"] == {"fact": 1, "event": 1}
    assert body["by_status"] == {"active": 2}
    assert body["by_namespace"] == {"default": 2}
    assert body["holds"] == 0


@pytest.mark.parametrize("subject", ["a/b", "ü ber", "S1?x", "acct%7", "."])
def test_any_id_of_a_subject_fits_into_the_address(agent, subject):
    agent.written("The depot opens at six.", subject=subject)

    assert agent.get(f"/subjects/{quote(subject, safe='')}").json()["subject"] == subject


def test_an_unknown_subject_is_not_found(agent):
    assert agent.get("/subjects/nobody").status_code == 404


def test_the_case_of_an_id_matters(agent):
    agent.written("The depot opens at six.", subject="acct-7")

    assert agent.get("/subjects/ACCT-7").status_code == 404


@pytest.mark.parametrize("spelled", ["%00", "a%00b", "%E2%80%8B", "x" * 257])
def test_what_no_subject_can_be_called_is_refused(agent, spelled):
    response = agent.get(f"/subjects/{spelled}")

    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/subject"


@pytest.mark.parametrize(
    "ask",
    [
        lambda caller, subject: caller.get(f"/subjects/{subject}"),
        lambda caller, subject: caller.get(f"/memories?subject={subject}"),
        lambda caller, subject: caller.post("/memories/search", {"subject": subject, "query": "when?"}),
        lambda caller, subject: caller.post("/context", {"subject": subject, "query": "when?"}),
    ],
    ids=["overview", "list", "search", "context"],
)
def test_a_subject_that_is_not_there_and_one_out_of_reach_are_told_in_the_same_words(agent, ask):
    agent.written("The depot opens at six.", subject="S2")
    issued = agent.post(
        "/subject-tokens", {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": 60}
    ).json()

    answers = [ask(Caller(issued["token"]), subject) for subject in ("S2", "nobody")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["missing"] == "subject"
