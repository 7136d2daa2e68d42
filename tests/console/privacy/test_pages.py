"""The public pages: what they answer, what they keep to themselves, and what they leave in the browser."""

from __future__ import annotations

import json

import pytest
from django.core import mail
from django.test import Client

from audit.models import AuditEntry
from tests.console.people import at_the_console
from tests.factories import make_memory, make_subject, staff_scope
from tests.lifecycle.subject_rights.people import EMAIL, Application, proved, rows, subject_with_contact, work
from tests.lifecycle.subject_rights.test_decisions import passed_on
from vault.lifecycle.erasure import approve_erasure
from vault.lifecycle.erasure_run import execute_erasure
from vault.models import CallRate, PrivacyInquiry, RequestKind, Role

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_calls_counted_before(db: None) -> None:
    CallRate.objects.all().delete()


@pytest.fixture
def visitor() -> Client:
    return Client()


def ask(visitor: Client, email: str = EMAIL, kind: str = "erasure"):
    return visitor.post("/privacy/", {"kind": kind, "email": email})


def link(index: int = -1) -> str:
    return "/privacy/link/" + mail.outbox[index].body.partition("/privacy/link/")[2].split()[0]


def follow(visitor: Client, number: str):
    return visitor.post("/privacy/status/", {"number": number})


def test_every_address_is_answered_in_the_same_words(visitor):
    subject_with_contact()

    known, unknown = ask(visitor), ask(visitor, "nobody@example.com")

    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)


def test_an_erased_subject_is_answered_like_everybody(visitor):
    make_memory(subject="S1")
    erasure = passed_on(proved())
    approve_erasure(request_id=erasure.pk, scope=staff_scope())
    execute_erasure(erasure.pk)
    mail.outbox.clear()

    known, unknown = ask(visitor), ask(visitor, "nobody@example.com")
    work()

    assert known.content == unknown.content
    assert mail.outbox == []


@pytest.mark.parametrize(
    "fields", [{}, {"kind": "erasure"}, {"email": EMAIL}, {"kind": "all", "email": EMAIL}]
)
def test_what_is_missing_is_asked_for_again(visitor, fields):
    assert visitor.post("/privacy/", fields).status_code == 400
    assert not PrivacyInquiry.objects.exists()


def test_who_asks_too_often_has_to_wait(visitor):
    answers = [ask(visitor) for _ in range(8)]

    assert [answer.status_code for answer in answers] == [200] * 6 + [429] * 2
    assert int(answers[-1]["Retry-After"]) > 0


def test_numbers_cannot_be_guessed_at_speed(visitor):
    answers = {follow(visitor, f"WRONG{number}").status_code for number in range(25)}

    assert answers == {404, 429}


def test_another_address_is_not_held_up(visitor):
    for _ in range(7):
        ask(visitor)

    assert (
        Client(REMOTE_ADDR="192.0.2.7").post("/privacy/", {"kind": "access", "email": EMAIL}).status_code
        == 200
    )


def test_the_way_from_the_link_to_the_number(visitor):
    subject_with_contact()
    ask(visitor)
    work()
    assert visitor.get(link()).status_code == 200
    assert visitor.get(link()).status_code == 200

    receipt = visitor.post(link(), {"text": ""}).context["receipt"]

    assert follow(visitor, receipt.number).context["tracked"].status == "verified"
    assert visitor.get(link()).status_code == 404


def test_a_link_that_is_used_up_and_one_that_never_was_look_alike(visitor):
    subject_with_contact()
    ask(visitor)
    work()
    visitor.post(link(), {"text": ""})

    used, never = visitor.get(link()), visitor.get("/privacy/link/never-was/")

    assert used.status_code == never.status_code == 404
    assert used.content == never.content


def test_a_correction_says_what_is_wrong(visitor):
    subject_with_contact()
    ask(visitor, kind="correction")
    work()

    assert visitor.post(link(), {"text": ""}).status_code == 400
    assert visitor.post(link(), {"text": "My street is wrong."}).context["receipt"]


def test_a_password_in_the_words_comes_back_and_nothing_is_used_up(visitor):
    subject_with_contact()
    ask(visitor, kind="correction")
    work()
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"

    assert visitor.post(link(), {"text": f"token {secret}"}).status_code == 400
    assert visitor.post(link(), {"text": "My street is wrong."}).context["receipt"]


def test_an_application_sends_its_user_along(visitor):
    make_subject("S1")
    # As another site's page would: without the token of our forms.
    strict = Client(enforce_csrf_checks=True)
    page = strict.post("/privacy/confirmation/", {"assertion": Application().assert_that("S1")})
    token = page.context["token"]

    answer = visitor.post("/privacy/confirmed/", {"token": token, "kind": "access", "text": ""})

    assert answer.context["receipt"].kind is RequestKind.ACCESS
    assert (
        visitor.post("/privacy/confirmed/", {"token": token, "kind": "access", "text": ""}).status_code == 404
    )


def test_after_an_assertion_something_has_to_be_chosen(visitor):
    make_subject("S1")
    token = visitor.post("/privacy/confirmation/", {"assertion": Application().assert_that("S1")}).context[
        "token"
    ]

    assert visitor.post("/privacy/confirmed/", {"token": token, "text": ""}).status_code == 400


def test_a_bad_assertion_gets_one_answer_whatever_is_wrong(visitor):
    make_subject("S1")
    app = Application()
    bad = [app.assert_that(name, aud="https://elsewhere.example/") for name in ("S1", "nobody")]
    said = [visitor.post("/privacy/confirmation/", {"assertion": each}) for each in [*bad, "a.b.c"]]

    assert {answer.status_code for answer in said} == {400}
    assert len({str(answer.context["form"].errors) for answer in said}) == 1


def test_who_is_known_to_the_application_alone_learns_that_nothing_is_kept(visitor):
    answer = visitor.post("/privacy/confirmation/", {"assertion": Application().assert_that("nobody")})

    assert b"Nothing is kept about you" in answer.content


def test_every_other_form_carries_the_token_of_our_pages():
    strict = Client(enforce_csrf_checks=True)

    for path in (
        "/privacy/",
        "/privacy/status/",
        "/privacy/confirmed/",
        "/privacy/certificate/",
        "/privacy/export/",
    ):
        assert strict.post(path, {"number": "x"}).status_code == 403


def test_the_certificate_is_fetched_by_the_number(visitor):
    make_memory(subject="S1")
    receipt = proved()
    assert visitor.post("/privacy/certificate/", {"number": receipt.number}).status_code == 404
    erasure = passed_on(receipt)
    approve_erasure(request_id=erasure.pk, scope=staff_scope())
    execute_erasure(erasure.pk)

    answer = visitor.post("/privacy/certificate/", {"number": receipt.number})

    assert json.loads(answer.content)["request"] == str(erasure.pk)
    assert "attachment" in answer["Content-Disposition"]


def test_a_file_that_is_not_there_is_said_to_be_not_there(visitor):
    receipt = proved(RequestKind.ACCESS)

    assert visitor.post("/privacy/export/", {"number": receipt.number}).status_code == 404
    assert visitor.post("/privacy/export/", {"number": "WRONG"}).status_code == 404


@pytest.mark.parametrize(
    "path", ["/privacy/", "/privacy/status/", "/privacy/confirmation/", "/privacy/link/x/"]
)
def test_a_page_leaves_no_cookie_but_that_of_forms_and_is_kept_by_nobody(visitor, path):
    answer = visitor.get(path)

    assert set(visitor.cookies) <= {"csrftoken"}
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Robots-Tag"] == "noindex, nofollow"


@pytest.mark.parametrize("path", ["/privacy/confirmed/", "/privacy/certificate/", "/privacy/export/"])
def test_what_is_personal_goes_by_post_alone(visitor, path):
    assert visitor.get(path).status_code == 405


def test_a_number_in_an_address_is_not_looked_at(visitor):
    receipt = proved()

    assert b"Somebody is looking" not in visitor.get(f"/privacy/status/?number={receipt.number}").content


def test_staff_who_are_signed_in_see_the_same_page():
    assert at_the_console(Role.REVIEWER).get("/privacy/").status_code == 200


def test_nothing_that_was_typed_in_is_in_the_log(visitor):
    subject_with_contact()
    ask(visitor)
    follow(visitor, "MY-WRONG-NUMBER")
    work()

    log = str(list(AuditEntry.objects.values()))
    assert EMAIL not in log
    assert "WRONG" not in log


def test_what_is_typed_in_is_shown_as_text(visitor):
    page = visitor.post("/privacy/", {"kind": "erasure", "email": '"><img src=x onerror=alert(1)>'})

    assert b"<img src=x" not in page.content


def test_an_access_request_for_a_link_names_its_right(visitor):
    subject_with_contact()
    ask(visitor, kind="access")
    work()

    assert b"See what is kept about me" in visitor.get(link()).content
    assert rows()[0].kind == "access"
