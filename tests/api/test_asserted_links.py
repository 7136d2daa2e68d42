"""POST /visitor-links with what the application signed: a proof of the subject besides the right, not instead of it."""

from __future__ import annotations

from typing import Any

import pytest

from audit.models import AuditEntry
from tests.api.callers import Caller, token_for
from tests.api.test_sessions import added, started, user
from tests.lifecycle.subject_rights.people import Application
from vault.models import Namespace
from vault.retrieval.scope import Right
from vault.sessions.identity import link_audience, session_audience

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def application(agent: Caller) -> Application:
    """The application whose agent calls."""
    return Application("support-bot")


@pytest.fixture
def visit(agent: Caller) -> dict[str, Any]:
    return started(agent, namespace="default")


def signed(application: Application, subject: str = "S1", **claims: Any) -> str:
    return application.assert_that(subject, **{"aud": link_audience(), **claims})


def link(caller: Caller, visit: dict[str, Any], **fields: Any) -> Any:
    return caller.post("/visitor-links", {"visitor": visit["visitor"], **fields})


def subject_of(caller: Caller, visit: dict[str, Any]) -> str:
    return str(caller.get(f"/sessions/{visit['id']}").json()["subject"])


def test_a_visitor_is_whom_the_application_signed_for(agent, application, visit):
    response = link(agent, visit, assertion=signed(application))

    assert response.status_code == 201, response.content
    assert response.json()["subject"] == "S1"
    assert subject_of(agent, visit) == "S1"


def test_the_proof_is_recorded_under_the_subjects_reference(agent, application, visit):
    link(agent, visit, assertion=signed(application))

    accepted = AuditEntry.objects.get(action="assertion.accepted")
    sides = AuditEntry.objects.filter(action="subject.linked").values_list("subject_ref", flat=True)
    assert accepted.subject_ref in sides


def test_another_subject_named_besides_is_refused_by_its_field(agent, application, visit):
    response = link(agent, visit, assertion=signed(application), subject="S2")

    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/subject")
    assert subject_of(agent, visit) == visit["subject"]


def test_who_the_visitor_is_has_to_be_said(agent, visit):
    response = link(agent, visit)

    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/subject")


def test_a_proof_for_sessions_links_nobody(agent, application, visit):
    response = link(agent, visit, assertion=signed(application, aud=session_audience("default")))

    assert (response.status_code, response.json()["code"]) == (403, "assertion_refused")
    assert subject_of(agent, visit) == visit["subject"]


def test_a_refused_proof_is_one_entry_with_its_reason(agent, application, visit):
    link(agent, visit, assertion=signed(application, aud="https://elsewhere.example/"))

    entry = AuditEntry.objects.get(action="auth.failed")
    assert (entry.outcome, entry.reason, entry.subject_ref) == ("denied", "assertion_audience", "")
    assert not AuditEntry.objects.filter(action="subject.linked").exists()


def test_a_false_proof_is_not_made_good_by_a_name(agent, application, visit):
    response = link(agent, visit, assertion="x", subject="S1")

    assert response.json()["code"] == "assertion_refused"
    assert subject_of(agent, visit) == visit["subject"]


def test_a_proof_works_once_and_what_it_came_with_stays_undone(agent, application, visit):
    assertion = signed(application)
    link(agent, visit, assertion=assertion)
    other = started(agent, namespace="default")

    assert link(agent, other, assertion=assertion).json()["code"] == "assertion_refused"
    assert subject_of(agent, other) == other["subject"]


def test_the_same_link_by_another_proof_moves_nothing(agent, application, visit):
    first = link(agent, visit, assertion=signed(application)).json()
    again = link(agent, visit, assertion=signed(application))

    assert (again.status_code, again.json()["id"]) == (200, first["id"])


def test_a_proof_is_not_the_right(application, caller_for, visit):
    narrow = caller_for("narrow", scopes=[Right.SESSION_WRITE, Right.MEMORY_WRITE])
    own = Application("narrow")

    assert link(narrow, visit, assertion=signed(own)).json()["code"] == "scope_missing"


def test_a_token_of_one_subject_links_nobody_whatever_is_signed(agent, application, visit):
    body = {"subject": "S1", "scopes": ["session:write"], "ttl_seconds": 600}
    bound = Caller(agent.post("/subject-tokens", body).json()["token"])

    assert link(bound, visit, assertion=signed(application)).status_code == 403
    assert subject_of(agent, visit) == visit["subject"]


def test_another_applications_proof_says_nothing_to_this_agent(agent, stranger, visit):
    assert link(agent, visit, assertion=signed(Application("stranger"))).json()["code"] == "assertion_refused"


def test_a_stranger_with_a_proof_of_its_own_moves_no_visitor_of_others(stranger, agent, visit):
    own = Application("stranger")

    assert link(stranger, visit, assertion=signed(own)).status_code == 404
    assert subject_of(agent, visit) == visit["subject"]


@pytest.fixture
def strict(agent: Caller) -> None:
    Namespace.objects.filter(name="default").update(policy={"asserted_sessions": True})


def test_where_a_policy_wants_it_signed_a_name_makes_no_visitor_a_subject(agent, strict, visit):
    agent.written("Prefers the blue folder for contracts.", subject="S1", source={"type": "user"})

    response = link(agent, visit, subject="S1")

    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/assertion")
    assert subject_of(agent, visit) == visit["subject"]


def test_under_that_policy_no_name_brings_a_subjects_memories_into_a_visitors_window(agent, strict, visit):
    agent.written("Prefers the blue folder for contracts.", subject="S1", source={"type": "user"})
    link(agent, visit, subject="S1")
    added(agent, visit, user("Which folder is preferred for contracts?"))

    asked = {"max_tokens": 2000, "query": "folder for contracts"}
    shown = agent.post(f"/sessions/{visit['id']}/window", asked)

    assert shown.status_code == 200
    assert "blue folder" not in shown.content.decode()


def test_under_that_policy_a_name_that_is_repeated_is_refused_again(agent, strict, visit):
    fields = {"visitor": visit["visitor"], "subject": "S1"}
    answers = [agent.post("/visitor-links", fields, Idempotency_Key="once") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert subject_of(agent, visit) == visit["subject"]


def test_under_that_policy_the_refusal_is_recorded(agent, strict, visit):
    link(agent, visit, subject="S1")

    entry = AuditEntry.objects.get(action="subject.linked")
    assert (entry.outcome, entry.reason, entry.subject_ref) == ("refused", "invalid", "")


def test_under_that_policy_what_the_application_signed_links_and_shows_the_subjects_memories(
    agent, application, strict, visit
):
    agent.written("Prefers the blue folder for contracts.", subject="S1", source={"type": "user"})

    assert link(agent, visit, assertion=signed(application)).status_code == 201
    assert subject_of(agent, visit) == "S1"
    asked = {"max_tokens": 2000, "query": "folder for contracts"}
    assert "blue folder" in agent.post(f"/sessions/{visit['id']}/window", asked).content.decode()


def test_the_policy_of_one_namespace_is_nothing_to_another(agent, strict):
    token_for(namespace="open")
    elsewhere = started(agent, namespace="open")

    assert link(agent, elsewhere, subject="S1").status_code == 201


def test_under_that_policy_a_link_is_taken_back_without_a_signature(agent, application, strict, visit):
    made = link(agent, visit, assertion=signed(application)).json()

    assert agent.delete(f"/visitor-links/{made['id']}").status_code == 204
    assert subject_of(agent, visit) == visit["subject"]
