"""POST /sessions for a subject that the calling application signed for."""

from __future__ import annotations

import hashlib
import hmac
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from audit.log import Actor
from audit.models import AuditEntry
from tests.api.callers import Caller, token_for
from tests.factories import staff_scope
from tests.lifecycle.subject_rights.people import Application, encoded, part
from tests.lifecycle.test_erasure import erased
from vault.lifecycle import retention
from vault.lifecycle.subject_rights import proofs
from vault.lifecycle.subject_rights.assertion_keys import revoke_key
from vault.lifecycle.subject_rights.restriction import restrict_subject
from vault.models import Agent, Namespace, Session, SpentAssertion, isolation
from vault.retrieval.scope import Right
from vault.retrieval.subjects import find_subject
from vault.sessions.identity import link_audience, session_audience

pytestmark = pytest.mark.django_db(transaction=True)

HERE = session_audience("default")
# A moment that no clock of a test has reached, in whole seconds.
FAR = 4_102_444_800


@pytest.fixture
def application(agent: Caller) -> Application:
    """The application whose agent calls."""
    return Application("support-bot")


def signed(application: Application, subject: str = "S1", **claims: Any) -> str:
    return application.assert_that(subject, **{"aud": HERE, **claims})


def start(caller: Caller, assertion: object, **fields: Any) -> Any:
    return caller.post("/sessions", {"assertion": assertion, **fields})


def sessions() -> int:
    with transaction.atomic():
        isolation.open_everything()
        found = Session.objects.count()
        isolation.close()
    return found


def refusals() -> list[tuple[str, str]]:
    rows = AuditEntry.objects.filter(action="auth.failed", target_kind="assertion")
    return [(row.outcome, row.reason) for row in rows.order_by("pk")]


def check_refused(response: Any, reason: str) -> None:
    """Raise unless nothing was started, the answer is the one for all reasons, and the log knows which it was."""
    assert (response.status_code, response.json()["code"]) == (403, "assertion_refused")
    assert response.json()["detail"].startswith("The confirmation by the application is not valid")
    assert sessions() == 0
    assert refusals() == [("denied", f"assertion_{reason}")]


def test_a_session_is_for_whom_the_application_signed(agent, application):
    response = start(agent, signed(application))

    assert response.status_code == 201, response.content
    assert (response.json()["subject"], response.json()["visitor"]) == ("S1", None)


def test_an_accepted_assertion_is_recorded_with_its_session_under_one_reference(agent, application):
    start(agent, signed(application))

    accepted = AuditEntry.objects.get(action="assertion.accepted")
    began = AuditEntry.objects.get(action="session.started")
    assert accepted.target_id == str(application.key.pk)
    assert accepted.subject_ref == began.subject_ref != ""
    assert began.facts["asserted"] is True


def test_the_same_subject_may_be_named_besides(agent, application):
    assert start(agent, signed(application), subject="S1").status_code == 201


def test_another_subject_named_besides_is_refused_by_its_field(agent, application):
    response = start(agent, signed(application), subject="S2")

    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/subject")
    assert sessions() == 0


def test_a_refused_call_uses_no_assertion_up(agent, application):
    assertion = signed(application)
    start(agent, assertion, subject="S2")

    assert start(agent, assertion).status_code == 201


def test_an_assertion_works_once(agent, application):
    assertion = signed(application)
    start(agent, assertion)

    response = start(agent, assertion)

    assert response.json()["code"] == "assertion_refused"
    assert sessions() == 1
    assert refusals() == [("denied", "assertion_replayed")]


def test_a_repeat_under_its_key_gets_the_first_answer(agent, application):
    assertion = signed(application)
    first = start(agent, assertion).json()
    again = {"assertion": signed(application)}
    opened = agent.post("/sessions", again, Idempotency_Key="k1").json()

    repeated = agent.post("/sessions", again, Idempotency_Key="k1")

    assert repeated.headers["Idempotent-Replayed"] == "true"
    assert repeated.json()["id"] == opened["id"] != first["id"]


def test_two_applications_may_use_the_same_number(agent, application):
    other = Caller(token_for("other-bot"))
    second = Application("other-bot")

    assert start(agent, signed(application, jti="n" * 20)).status_code == 201
    assert start(other, signed(second, jti="n" * 20)).status_code == 201


def test_sent_twice_at_once_it_starts_one_session(agent, application):
    assertion, gate = signed(application), threading.Barrier(4)
    codes: list[int] = []

    def use() -> None:
        gate.wait()
        try:
            codes.append(start(agent, assertion).status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(codes) == [201, 403, 403, 403]
    assert sessions() == 1


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"aud": "https://elsewhere.example/sessions/default/"}, "audience"),
        ({"aud": session_audience("billing")}, "audience"),
        ({"aud": proofs.audience()}, "audience"),
        ({"aud": link_audience()}, "audience"),
        ({"exp": FAR}, "life"),
        ({"iat": 1_600_000_000, "exp": 1_600_000_300}, "time"),
        ({"iat": FAR, "exp": FAR + 300}, "time"),
        ({"jti": "short"}, "nonce"),
        ({"sub": "visitor:" + "0" * 64}, "subject"),
        ({"sub": "\u0000S1"}, "subject"),
        ({"sub": " \t"}, "subject"),
        ({"namespace": "default"}, "claims"),
    ],
)
def test_what_it_says_has_to_be_as_it_should(agent, application, claims, reason):
    check_refused(start(agent, signed(application, **claims)), reason)


def test_one_for_another_namespace_starts_nothing_where_the_agent_may_too(agent, application):
    token_for(namespace="billing")

    check_refused(start(agent, signed(application), namespace="billing"), "audience")


def test_one_for_sessions_is_no_proof_on_the_public_page(agent, application):
    agent.written("Invoice 7000 was paid.", subject="S1")

    with pytest.raises(proofs.AssertionRefused) as refused:
        proofs.accept_assertion(token=signed(application), scope=proofs.public_scope())

    assert refused.value.facts["reason"] == "audience"


def test_a_key_that_nobody_registered_is_not_believed(agent, application):
    header = application.header(kid="01890a5d-ac96-774b-bcce-b302099a8057")

    check_refused(start(agent, signed(application, header=header)), "key")


def test_a_revoked_key_is_not_believed(agent, application):
    revoke_key(key_id=application.key.pk, actor=Actor("system", "tests"))

    check_refused(start(agent, signed(application)), "key")


def test_a_repeated_call_gets_its_old_answer_and_starts_nothing_once_the_key_is_revoked(agent, application):
    body = {"assertion": signed(application)}
    opened = agent.post("/sessions", body, Idempotency_Key="k1").json()
    revoke_key(key_id=application.key.pk, actor=Actor("system", "tests"))

    repeated = agent.post("/sessions", body, Idempotency_Key="k1")

    assert (repeated.status_code, repeated.json()["id"], sessions()) == (201, opened["id"], 1)
    assert repeated.headers["Idempotent-Replayed"] == "true"
    assert start(agent, signed(application)).status_code == 403


def test_a_key_signs_for_itself_only(agent, application):
    other = Application("support-bot")

    check_refused(start(agent, signed(application, header=other.header())), "signature")


def test_another_agents_application_says_nothing_to_this_one(agent, application):
    token_for("other-bot")
    other = Application("other-bot")

    check_refused(start(agent, signed(other)), "agent")


@pytest.mark.parametrize("algorithm", ["none", "HS256", "ES256", "eddsa"])
def test_no_other_algorithm_is_taken(agent, application, algorithm):
    header = application.header(alg=algorithm)

    check_refused(start(agent, signed(application, header=header)), "algorithm")


def test_the_public_key_is_no_secret_to_sign_with(agent, application):
    signed_part = f"{part(application.header(alg='HS256'))}.{part(application.claims('S1', aud=HERE))}"
    mac = hmac.digest(bytes(application.key.public_key), signed_part.encode(), hashlib.sha256)

    check_refused(start(agent, f"{signed_part}.{encoded(mac)}"), "algorithm")


@pytest.mark.parametrize("text", ["x", "a.b", "a.b.c", "....", "\u00e9.\u00e9.\u00e9"])
def test_what_is_no_assertion_is_refused_like_a_false_one(agent, text):
    response = start(agent, text)

    assert (response.status_code, response.json()["code"]) == (403, "assertion_refused")
    assert refusals() == [("denied", "assertion_format")]


@pytest.mark.parametrize("value", ["", " ", None, 7, ["a"], {"a": 1}, True, "a" * 4097])
def test_what_could_be_none_never_starts_a_session_for_somebody_new(agent, value):
    response = start(agent, value)

    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "/assertion"
    assert sessions() == 0


def test_a_false_assertion_falls_back_to_no_cookie_and_no_name(agent, application):
    assertion = signed(application, aud="https://elsewhere.example/")
    visitor = agent.post("/sessions", {}).json()["visitor"]

    for fields in ({"visitor": visitor}, {"subject": "S1"}):
        assert start(agent, assertion, **fields).json()["code"] == "assertion_refused"
    assert sessions() == 1


def test_an_assertion_goes_before_a_visitor_and_links_nothing(agent, application):
    visit = agent.post("/sessions", {}).json()

    session = start(agent, signed(application), visitor=visit["visitor"]).json()

    assert (session["subject"], session["visitor"]) == ("S1", None)
    assert agent.get(f"/sessions/{visit['id']}").json()["subject"] == visit["subject"]
    assert not AuditEntry.objects.filter(action="subject.linked").exists()


def test_the_right_on_the_namespace_is_needed_all_the_same(application, caller_for):
    reader = caller_for("support-bot", scopes=[Right.SESSION_READ])

    assert start(reader, signed(application)).json()["code"] == "scope_missing"


def test_where_the_agent_has_no_grant_there_is_no_namespace(agent, application, stranger):
    there = signed(application, aud=session_audience("elsewhere"))

    assert start(agent, there, namespace="elsewhere").status_code == 404
    assert sessions() == 0


def subject_token(agent: Caller, subject: str) -> Caller:
    body = {"subject": subject, "scopes": ["session:write"], "ttl_seconds": 600}
    return Caller(agent.post("/subject-tokens", body).json()["token"])


def test_a_token_of_one_subject_starts_nothing_for_another_that_is_signed_for(agent, application):
    agent.written("Invoice 7000 was paid.", subject="S2")
    bound = subject_token(agent, "S1")

    assert start(bound, signed(application, "S2")).status_code == 404
    assert start(bound, signed(application, "nobody yet")).status_code == 404
    assert sessions() == 0
    assert find_subject("nobody yet") is None


def test_a_token_of_one_subject_takes_what_is_signed_for_it(agent, application):
    assert start(subject_token(agent, "S1"), signed(application)).status_code == 201


def test_an_erased_subject_stays_erased(agent, application):
    agent.written("Invoice 7000 was paid.", subject="S1")
    erased("S1")

    assert start(agent, signed(application)).status_code == 410


def test_a_restricted_subject_is_started_and_served_as_little_as_by_its_name(agent, application):
    agent.written("Invoice 7000 was paid.", subject="S1")
    restrict_subject(subject_id=find_subject("S1").pk, reason_code="x", scope=staff_scope())

    by_name, by_proof = agent.post("/sessions", {"subject": "S1"}), start(agent, signed(application))

    assert by_proof.status_code == by_name.status_code == 201
    answers = [agent.get(f"/sessions/{found.json()['id']}").status_code for found in (by_name, by_proof)]
    assert answers == [404, 404]


def test_a_suspended_agent_starts_nothing_with_what_its_key_signed(agent, application):
    Agent.objects.filter(name="support-bot").update(suspended_at=timezone.now())

    assert start(agent, signed(application)).status_code == 401


def test_nothing_of_an_assertion_stands_in_the_log(agent, application, caplog):
    assertion = signed(application)
    start(agent, assertion)
    start(agent, assertion)
    start(agent, assertion[:-2] + "AA")

    log = str(list(AuditEntry.objects.values())) + caplog.text
    assert not [part for part in assertion.split(".") if part in log]


def test_no_address_takes_an_assertion(agent, application):
    response = agent.post(f"/sessions?assertion={signed(application)}", {"subject": "S1"})

    assert response.status_code == 400
    assert sessions() == 0


def test_a_spent_number_is_kept_for_longer_than_its_assertion_lives(agent, application):
    start(agent, signed(application))
    now = timezone.now()

    assert retention.drop_spent_assertions(now=now + timedelta(minutes=30), limit=10) == 0
    assert retention.drop_spent_assertions(now=now + timedelta(minutes=90), limit=10) == 1
    assert not SpentAssertion.objects.exists()


@pytest.fixture
def strict(agent: Caller) -> None:
    Namespace.objects.filter(name="default").update(policy={"asserted_sessions": True})


def test_a_policy_may_want_every_subject_signed_for(agent, application, strict):
    response = agent.post("/sessions", {"subject": "S1"})

    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/assertion")
    assert start(agent, signed(application)).status_code == 201


def test_under_that_policy_a_token_of_the_subject_is_no_signature(agent, strict):
    bound = subject_token(agent, "S1")

    assert bound.post("/sessions", {"subject": "S1"}).status_code == 400


def test_under_that_policy_a_visitor_comes_by_its_cookie_and_not_by_its_name(agent, strict):
    visit = agent.post("/sessions", {}).json()

    assert agent.post("/sessions", {"visitor": visit["visitor"]}).status_code == 201
    assert agent.post("/sessions", {"subject": visit["subject"]}).status_code == 400
