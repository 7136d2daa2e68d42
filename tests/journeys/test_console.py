"""The main ways through the console, in a real browser."""

from __future__ import annotations

import re

import pytest
from django.db import transaction

from audit.log import Actor
from console.staff import create_staff
from tests.console.people import PASSWORD, code_of
from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject
from tests.journeys.looks import REPEATED_IDS, WITHOUT_A_NAME, low_contrast, too_wide
from vault.lifecycle.erasure_run import execute_erasure
from vault.models import ErasureRequest, QuarantinedWrite, isolation
from vault.types import Action, Category, Finding, Verdict
from vault.writing.change import change_memory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def decided(write: QuarantinedWrite) -> str:
    with transaction.atomic():
        isolation.open_everything()
        return QuarantinedWrite.objects.get(pk=write.pk).status


def high_impact() -> Verdict:
    finding = Finding(Category.INJECTION, "high_impact:approval", 0, 7, 0.9, Action.QUARANTINE)
    return Verdict(Action.QUARANTINE, (finding,), ("high_impact_claim",))


def come_in_by_the_link(visitor) -> None:
    invitation = create_staff(email="ilse@vault.example", role="reviewer", actor=Actor("system", "tests"))
    visitor.go("/accounts/" + invitation.link.partition("/accounts/")[2])
    visitor.page.get_by_label("New password", exact=True).fill(PASSWORD)
    visitor.page.get_by_label("New password confirmation").fill(PASSWORD)
    visitor.press("Set password and go on")
    visitor.page.get_by_label("Authenticator code").fill(
        code_of(visitor.page.inner_text("#authenticator_secret"))
    )
    visitor.press("Activate")
    visitor.page.get_by_role("link", name="I have saved them").click()


@pytest.mark.parametrize("script", [True, False])
def test_a_new_member_comes_in_by_the_link_with_and_without_scripts(script, visit):
    visitor = visit(java_script_enabled=script)

    come_in_by_the_link(visitor)

    assert visitor.page.get_by_role("heading", name="Review queue").is_visible()


def test_the_key_of_the_second_factor_is_drawn_as_a_picture(visit):
    visitor = visit()
    invitation = create_staff(email="ilse@vault.example", role="reviewer", actor=Actor("system", "tests"))
    visitor.go("/accounts/" + invitation.link.partition("/accounts/")[2])
    visitor.page.get_by_label("New password", exact=True).fill(PASSWORD)
    visitor.page.get_by_label("New password confirmation").fill(PASSWORD)
    visitor.press("Set password and go on")

    assert visitor.page.eval_on_selector(".qr img", "image => image.naturalWidth") > 0


@pytest.mark.parametrize("script", [True, False])
def test_a_reviewer_decides_with_and_without_scripts(script, visit):
    write = make_quarantined_write()
    visitor = visit(java_script_enabled=script)
    visitor.come_in("reviewer")
    visitor.page.locator("[data-row] a").first.click()
    visitor.page.get_by_label("Reject, because").select_option("untrusted_source")
    visitor.page.locator("form[action$='/reject/'] button").click()

    assert visitor.sees("Nothing waits for you")
    assert decided(write) == "rejected"


def test_a_reviewer_decides_by_keyboard(visit):
    write = make_quarantined_write()
    visitor = visit()
    visitor.sign_in("reviewer")
    for key in ("j", "Enter"):
        visitor.page.keyboard.press(key)
    visitor.page.wait_for_url(f"**/{write.pk}/")
    for key in ("x", "ArrowDown", "Tab", "Enter"):
        visitor.page.keyboard.press(key)

    assert visitor.sees("Nothing waits for you")
    assert decided(write) == "rejected"


def test_filters_change_the_list_without_a_new_page_and_stand_in_the_address(visit):
    make_quarantined_write(verdict=high_impact())
    make_quarantined_write()
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.page.evaluate("window.same = true")
    visitor.page.get_by_role("link", name="High impact claim 1").click()
    visitor.page.wait_for_url("**reason=high_impact_claim**")
    visitor.page.wait_for_function("document.querySelectorAll('[data-row]').length === 1")

    assert visitor.page.evaluate("window.same")


def test_nothing_that_an_agent_wrote_runs(visit):
    write = make_quarantined_write(
        "</script><script>alert(1)</script>", subject='"><img src=x onerror=alert(1)>'
    )
    visitor = visit()
    dialogs: list[str] = []
    visitor.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visitor.sign_in("privacy_officer")
    for path in (f"/console/queue/{write.pk}/", f"/console/subjects/{write.subject_id}/"):
        visitor.go(path)

    assert dialogs == []
    assert visitor.page.locator("main img").count() == 0


def test_a_memory_goes_back_to_what_it_was(visit):
    memory = make_memory("The boat is red.")
    change_memory(
        memory_id=memory.row.pk, changes={"text": "The boat is blue."}, expected_version=1,
        reason="correction", scope=make_scope(),
    )  # fmt: skip
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.go(f"/console/memories/{memory.row.pk}/")
    visitor.page.get_by_text("Go back to version 1").click()
    visitor.page.get_by_label("Because").first.select_option("correction")
    visitor.press("Roll back")

    assert visitor.sees("The memory has the content of version 1 again.")


def test_an_erasure_takes_two_people_and_ends_in_a_certificate(visit):
    make_memory("Prefers tea.", subject=make_subject("acct-7"))
    first, second = visit(), visit()
    first.come_in("privacy_officer")
    first.go("/console/subjects/")
    first.page.get_by_label("Subject", exact=True).fill("acct-7")
    first.press("Find")
    first.page.get_by_text("File a request").click()
    first.page.locator("#erasure_reason").select_option("subject_request")
    first.press("File the request")
    first.press("It is verified")
    second.sign_in("privacy_officer")
    second.go(first.page.url)
    second.press("Approve the erasure")
    second.confirm()
    assert second.sees("Approved. The erasure runs now")

    with transaction.atomic():
        isolation.open_everything()
        request = ErasureRequest.objects.get()
    execute_erasure(request.pk)
    second.page.get_by_role("link", name="Load again").click()
    second.page.get_by_role("link", name="Certificate").click()

    assert second.sees("Certificate of erasure")
    assert not re.search("acct-7", second.page.inner_text("main"))


def test_text_has_enough_contrast_in_both_schemes(visit):
    write = make_quarantined_write(verdict=high_impact())
    visitor = visit()
    visitor.sign_in("privacy_officer")
    for path in ("/console/queue/", f"/console/queue/{write.pk}/", "/console/audit/", "/console/erasure/"):
        visitor.go(path)
        assert low_contrast(visitor.page) == []


def test_every_control_has_a_name_and_every_id_is_used_once(visit):
    write = make_quarantined_write(verdict=high_impact())
    memory = make_memory(subject="acct-7")
    visitor = visit()
    visitor.sign_in("privacy_officer")
    for path in (
        "/console/queue/", f"/console/queue/{write.pk}/", f"/console/memories/{memory.row.pk}/",
        f"/console/subjects/{memory.row.subject_id}/", "/console/audit/", "/accounts/password/change/",
    ):  # fmt: skip
        visitor.go(path)
        assert visitor.page.evaluate(WITHOUT_A_NAME) == []
        assert visitor.page.evaluate(REPEATED_IDS) == []


def test_a_passkey_opens_the_door_without_a_password(visit):
    visitor = visit()
    visitor.has_authenticator()
    visitor.come_in("reviewer")
    visitor.go("/accounts/2fa/webauthn/add/")
    visitor.confirm()
    visitor.page.get_by_label("Name").fill("Desk key")
    visitor.page.get_by_label("Passwordless").check()
    visitor.press("Add")
    visitor.page.wait_for_url("**/recovery-codes/**")
    visitor.go("/accounts/logout/")
    visitor.press("Sign out")
    visitor.press("Sign in with a passkey")

    visitor.page.wait_for_url("**/console/**")


def test_no_page_is_wider_than_the_screen(visit):
    write = make_quarantined_write()
    visitor = visit()
    visitor.sign_in("privacy_officer")
    for path in ("/console/queue/", f"/console/queue/{write.pk}/", "/console/audit/", "/console/subjects/"):
        visitor.go(path)
        assert too_wide(visitor.page, 390, 768, 1280) == []
