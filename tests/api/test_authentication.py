"""Who calls: from the token alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from audit.models import AuditEntry
from tests.api.callers import Caller
from vault.api import authentication
from vault.crypto import KeystoreUnavailable
from vault.models import Agent, AgentToken, Grant, SubjectToken

pytestmark = pytest.mark.django_db

LIST = "/memories?subject=S1"


def reason():
    return AuditEntry.objects.get(action="auth.failed").reason


def test_without_a_token_nobody_gets_in():
    response = Caller("").get(LIST)

    assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response["Content-Type"] == "application/problem+json"
    assert reason() == "token_missing"


def test_a_refusal_says_how_to_send_a_token_and_not_what_was_wrong_with_this_one():
    missing, wrong = Caller("").get(LIST).json(), Caller("mv_nobody").get(LIST).json()

    assert "Authorization: Bearer" in missing["detail"]
    assert missing == wrong


@pytest.mark.parametrize("token", ["mv_", "mv_" + "x" * 43, "mvs_" + "x" * 43, "\x01", "x" * 5000])
def test_an_unknown_token_gets_nobody_in(token):
    assert Caller(token).get(LIST).status_code == 401
    assert reason() == "token_unknown"


def test_another_scheme_is_no_token(agent):
    client = Caller("")

    response = client.get(LIST, Authorization=f"Basic {agent.token}")

    assert response.status_code == 401


@pytest.mark.parametrize(
    ("change", "code"),
    [({"revoked_at": timezone.now()}, "token_revoked"), ({"expires_at": timezone.now()}, "token_expired")],
)
def test_a_token_whose_time_is_over_gets_nobody_in(agent, change, code):
    AgentToken.objects.update(**change)

    assert agent.get(LIST).status_code == 401
    assert reason() == code


def test_a_suspended_agent_does_not_get_in(agent):
    Agent.objects.update(suspended_at=timezone.now())

    assert agent.get(LIST).status_code == 401
    assert reason() == "agent_suspended"


@pytest.mark.parametrize("change", [{"suspended_at": timezone.now()}, {"expires_at": timezone.now()}])
def test_a_grant_whose_time_is_over_carries_no_right(agent, change):
    Grant.objects.update(**change)

    response = agent.get(LIST)

    assert (response.status_code, response.json()["code"]) == (403, "scope_missing")


def test_a_missing_right_is_recorded(reader):
    reader.write("The depot opens at six.")

    entry = AuditEntry.objects.get(action="access.denied")
    assert (entry.outcome, entry.reason) == ("denied", "scope_missing")


def test_a_token_is_kept_as_a_keyed_digest_only(agent):
    assert agent.token.encode() not in bytes(AgentToken.objects.get().token_hash)


def test_an_address_that_fails_without_end_is_slowed(monkeypatch):
    monkeypatch.setattr(authentication, "FAILURES_PER_MINUTE", 2)
    statuses = [Caller("").get(LIST).status_code for _ in range(4)]

    assert statuses == [401, 401, 429, 429]
    assert AuditEntry.objects.filter(action="auth.failed").count() == 2


@pytest.mark.parametrize(
    ("error", "status"), [(OperationalError(), 503), (KeystoreUnavailable(), 503), (KeyError("x"), 500)]
)
def test_a_fault_while_looking_the_token_up_lets_nobody_in(agent, monkeypatch, error, status):
    def fail(_):
        raise error

    monkeypatch.setattr(authentication, "_find", fail)

    response = agent.get(LIST)

    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"


# --- subject tokens ---
def bound(agent, scopes=("memory:read", "memory:write"), subject="S1", ttl=600):
    response = agent.post("/subject-tokens", {"subject": subject, "scopes": list(scopes), "ttl_seconds": ttl})
    assert response.status_code == 201, response.content
    return Caller(response.json()["token"])


def test_a_subject_token_reaches_its_subject(agent):
    agent.written("The depot opens at six.")

    assert len(bound(agent).get(LIST).json()["results"]) == 1


def test_a_subject_token_reaches_no_other_subject(agent):
    agent.written("The depot opens at six.", subject="S2")

    token = bound(agent)

    assert token.get("/memories?subject=S2").status_code == 404
    assert token.write("The depot opens at six.", subject="S2").status_code == 404
    assert token.write("The depot opens at six.", subject="nobody").status_code == 404


def test_a_subject_token_finds_no_memory_of_another_subject(agent):
    memory = agent.written("The depot opens at six.", subject="S2")

    assert bound(agent).get(f"/memories/{memory['id']}").status_code == 404


def test_a_subject_token_carries_its_own_rights_only(agent):
    assert bound(agent, ["memory:read"]).write("The depot opens at six.").status_code == 403


def test_a_subject_token_loses_what_its_issuer_loses(agent):
    token = bound(agent)
    Grant.objects.update(scopes=["memory:write"])

    assert token.get(LIST).status_code == 403


def test_a_subject_token_ends(agent):
    token = bound(agent)
    SubjectToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert token.get(LIST).status_code == 401


def test_a_subject_token_issues_no_token(agent):
    body = {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": 60}

    assert bound(agent).post("/subject-tokens", body).status_code == 403


@pytest.mark.parametrize("scope", ["token:issue", "audit:read", "memory:import"])
def test_what_reaches_beyond_one_subject_is_not_handed_on(agent, scope):
    response = agent.post("/subject-tokens", {"subject": "S1", "scopes": [scope], "ttl_seconds": 60})

    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/scopes"


def test_a_right_that_the_issuer_lacks_is_not_handed_on(caller_for):
    issuer = caller_for("issuer", scopes=["token:issue", "memory:read"])

    response = issuer.post(
        "/subject-tokens", {"subject": "S1", "scopes": ["memory:write"], "ttl_seconds": 60}
    )

    assert (response.status_code, response.json()["code"]) == (403, "scope_missing")


@pytest.mark.parametrize("ttl", [0, -1, 86_401, "60", 1.5, True])
def test_a_subject_token_is_short_lived(agent, ttl):
    assert (
        agent.post(
            "/subject-tokens", {"subject": "S1", "scopes": ["memory:read"], "ttl_seconds": ttl}
        ).status_code
        == 400
    )
