"""A data subject's way from the public page to the answer, in a real browser, with the staff who answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core import mail
from django.db import transaction
from playwright.sync_api import Page

from tests.factories import make_memory
from tests.journeys.looks import REPEATED_IDS, WITHOUT_A_NAME, low_contrast, too_wide
from tests.lifecycle.subject_rights.people import EMAIL, Application, subject_with_contact, work
from vault.lifecycle.erasure_run import execute_erasure
from vault.models import ErasureRequest, isolation
from vault.retrieval.subjects import find_subject

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def ask(visitor, what: str, email: str = EMAIL) -> None:
    visitor.go("/privacy/")
    visitor.page.get_by_label(what).check()
    visitor.page.get_by_label("Your e-mail address").fill(email)
    visitor.press("Send me a link")
    assert visitor.sees("If this address belongs to somebody we know")


def confirm_by_mail(visitor, text: str = "") -> str:
    """Open the link of the last mail and confirm; the number of the request."""
    work()
    link = re.search(r"(/privacy/link/[\w-]+/)", mail.outbox[-1].body)
    assert link
    visitor.go(link[1])
    if text:
        visitor.page.get_by_role("textbox").fill(text)
    visitor.press("Confirm that it is me")
    return visitor.page.locator(".reference-number").inner_text()


def follow(visitor, number: str) -> None:
    visitor.go("/privacy/status/")
    visitor.page.get_by_label("Number of the request").fill(number)
    visitor.press("Show where it stands")


def at_the_request(visitor) -> None:
    visitor.sign_in("privacy_officer")
    visitor.page.get_by_role("link", name="Requests", exact=True).click()
    visitor.page.locator("[data-row] a").first.click()


@pytest.mark.parametrize("script", [True, False])
def test_a_subject_is_erased_by_two_officers_and_fetches_the_certificate(script, visit, tmp_path: Path):
    subject_with_contact()
    make_memory("Prefers tea.", subject="S1")
    subject, first, second = visit(java_script_enabled=script), visit(), visit()
    ask(subject, "Have it erased")
    number = confirm_by_mail(subject)
    follow(subject, number)
    assert subject.sees("Somebody is looking at your request")

    at_the_request(first)
    first.press("File the erasure")
    first.confirm()
    assert first.sees("A second person approves it")
    first.page.get_by_role("link", name="the erasure").click()
    second.sign_in("privacy_officer")
    second.go(first.page.url)
    second.press("Approve the erasure")
    second.confirm()
    assert second.sees("Approved. The erasure runs now")
    with transaction.atomic():
        isolation.open_everything()
        erasure = ErasureRequest.objects.get()
    execute_erasure(erasure.pk)

    follow(subject, number.lower().replace("-", " "))
    assert subject.sees("Certificate of erasure")
    with subject.page.expect_download() as fetched:
        subject.press("Download the certificate")
    fetched.value.save_as(tmp_path / "certificate.json")
    certificate = json.loads((tmp_path / "certificate.json").read_text())
    assert certificate["request"] == str(erasure.pk)
    assert all(store["left"] == 0 for store in certificate["stores"])
    assert subject.page.context.cookies() == [] or {
        cookie["name"] for cookie in subject.page.context.cookies()
    } == {"csrftoken"}


def test_an_address_that_nobody_knows_is_answered_alike(visit):
    subject_with_contact()
    visitor = visit()
    ask(visitor, "Have it erased")
    known = visitor.page.content()
    ask(visitor, "Have it erased", "nobody@example.com")

    assert visitor.page.content() == known


def test_a_correction_goes_from_the_subject_s_words_to_a_new_version(visit):
    subject_with_contact()
    make_memory("Lives in Harbour Street.", subject="S1")
    subject, officer = visit(), visit()
    ask(subject, "Have something corrected")
    number = confirm_by_mail(subject, "I live in Mill Lane now.")
    at_the_request(officer)
    officer.press("Read what they wrote")
    assert officer.sees("I live in Mill Lane now.")
    officer.page.get_by_role("link", name="Back to the request").click()
    officer.press("Grant the correction")
    officer.confirm()
    officer.page.get_by_role("link", name="Correct memory").click()
    officer.page.get_by_label("The text as it should be").fill("Lives in Mill Lane.")
    officer.press("Write the correction")
    assert officer.sees("Corrected: a new version was written.")
    officer.press("The correction is done")

    follow(subject, number)
    assert subject.sees("Your request was carried out.")


def test_without_a_mail_server_an_officer_hands_the_link_out(visit, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    subject_with_contact()
    subject, officer = visit(), visit()
    ask(subject, "Have its use restricted")
    work()
    at_the_request(officer)
    officer.press("Hand out a link")
    officer.confirm()
    handed = officer.page.locator(".reference-number").inner_text()
    subject.go("/privacy/link/" + handed.partition("/privacy/link/")[2])
    subject.press("Confirm that it is me")
    assert subject.sees("Your request is here")
    officer.page.get_by_role("link", name="Back to the request").click()
    officer.press("Restrict the subject")

    assert officer.sees("nothing of it is served to any agent")
    assert find_subject("S1").restricted_at is not None


def test_an_application_confirms_who_somebody_is(visit):
    subject_with_contact()
    visitor = visit(java_script_enabled=False)
    visitor.go("/privacy/confirmation/")
    visitor.page.get_by_label("Confirmation").fill(Application().assert_that("S1"))
    visitor.press("Go on")
    visitor.page.get_by_label("Have its use restricted").check()
    visitor.press("Confirm that it is me")

    assert visitor.sees("Your request is here")


PUBLIC = ("/privacy/", "/privacy/status/", "/privacy/confirmation/", "/privacy/link/none/")


def at_each_page(visit) -> Iterator[Page]:
    """Somebody who asked at each of the public pages, and an officer at each that tells of a request."""
    subject = subject_with_contact()
    visitor, officer = visit(), visit()
    ask(visitor, "Have something corrected")
    confirm_by_mail(visitor, "Wrong street.")
    yield visitor.page
    at_the_request(officer)
    private = (officer.page.url, "/console/requests/", f"/console/subjects/{subject.pk}/rights/")
    for person, paths in ((visitor, PUBLIC), (officer, private)):
        for path in paths:
            person.go(path)
            yield person.page


def test_every_page_can_be_read_in_both_schemes_and_fits_and_has_names_for_its_controls(visit):
    for page in at_each_page(visit):
        assert low_contrast(page) == [], page.url
        assert page.evaluate(WITHOUT_A_NAME) == [], page.url
        assert page.evaluate(REPEATED_IDS) == [], page.url
        assert too_wide(page, 360, 1280) == [], page.url
