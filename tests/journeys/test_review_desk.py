"""The review desk in a real browser: by keyboard alone, in bulk, and by two people."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.console.desk import let_detectors_rest, state
from tests.factories import make_quarantined_write, make_scope, staff_scope
from tests.journeys.axe import grave_faults
from tests.journeys.looks import FITS, REPEATED_IDS, WITHOUT_A_NAME, low_contrast
from vault.lifecycle.reviewing.claims import claim_write
from vault.lifecycle.reviewing.four_eyes import ask_release
from vault.models import AllowedPattern
from vault.types import Action, Category, Finding, Verdict

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PERSON = Finding(Category.PII, "PERSON", 0, 4, 0.9, Action.ALLOW, detector="names")
RULE = Finding(Category.INJECTION, "override", 5, 11, 0.9, Action.QUARANTINE, detector="injection-rule")
CLAIM = Finding(
    Category.INJECTION, "high_impact:approval", 0, 7, 0.9, Action.QUARANTINE, detector="high-impact"
)


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


def suspected(*findings: Finding, reason: str = "injection_suspected") -> Verdict:
    return Verdict(Action.QUARANTINE, findings, (reason,))


def waiting(count: int, **fields):
    """Writes in the order of the queue."""
    now = timezone.now()
    return [
        make_quarantined_write(f"Boat {number} is blue.", due_at=now + timedelta(hours=number + 1), **fields)
        for number in range(count)
    ]


def press(visitor, *keys: str) -> None:
    for key in keys:
        visitor.page.keyboard.press(key)


def test_a_shift_at_the_desk_by_keyboard_alone(visit):
    first, second, third = waiting(3)
    visitor = visit()
    staff = visitor.sign_in("reviewer")
    press(visitor, "j", "Enter")
    visitor.page.wait_for_url(f"**/{first.pk}/")
    # On to the next, claim it, and reject it.
    press(visitor, "j")
    visitor.page.wait_for_url(f"**/{second.pk}/")
    press(visitor, "a")
    assert visitor.sees("You work on this")
    assert state(second).assigned_to == f"staff:{staff.pk}"
    press(visitor, "x", "ArrowDown", "Tab", "Enter")
    visitor.page.wait_for_url("**/queue/")
    assert state(second).status == "rejected"
    # Skip the first, and release the one after it.
    press(visitor, "j", "Enter")
    visitor.page.wait_for_url(f"**/{first.pk}/")
    press(visitor, "s")
    visitor.page.wait_for_url(f"**/{third.pk}/")
    press(visitor, "r", "ArrowDown", "Tab", "Enter")
    assert visitor.sees("Released as memory")

    assert (state(first).status, state(third).status) == ("pending", "released")


def test_marks_are_set_and_decided_by_keyboard(visit):
    first, second, third = waiting(3)
    visitor = visit()
    visitor.sign_in("reviewer")
    press(visitor, "j", "x", "j", "j", "x")
    assert visitor.page.locator("[data-marked]").inner_text() == "2"
    press(visitor, "r", "ArrowDown", "Tab", "Enter")

    assert visitor.sees("All 2 are released")
    assert [state(write).status for write in (first, second, third)] == ["released", "pending", "released"]


@pytest.mark.parametrize("script", [True, False])
def test_many_are_rejected_at_once_with_and_without_scripts(script, visit):
    writes = waiting(3)
    visitor = visit(java_script_enabled=script)
    visitor.sign_in("reviewer")
    for box in visitor.page.locator("[data-mark]").all():
        box.check()
    visitor.page.get_by_label("Reason to reject what is marked").select_option("not_needed")
    visitor.press("Reject marked")

    assert visitor.sees("All 3 are rejected")
    assert {state(write).status for write in writes} == {"rejected"}


def test_a_bulk_decision_that_cannot_be_whole_is_none_and_says_which(visit):
    writes = waiting(2)
    (claim,) = waiting(1, verdict=suspected(CLAIM, reason="high_impact_claim"))
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.page.get_by_label("Mark all in this list").check()
    visitor.page.get_by_label("Reason to release what is marked").select_option("false_positive")
    visitor.press("Release marked")

    assert visitor.sees("Nothing was decided")
    row = visitor.page.locator("tr", has_text="approval_required")
    assert row.locator("a").first.get_attribute("title") == str(claim.pk)
    assert {state(write).status for write in (*writes, claim)} == {"pending"}


def test_two_reviewers_at_one_write(visit):
    (write,) = waiting(1)
    first, second = visit(), visit()
    one = first.sign_in("reviewer")
    second.sign_in("reviewer")
    first.go(f"/console/queue/{write.pk}/")
    first.press("Assign to me")
    second.go(f"/console/queue/{write.pk}/")
    assert second.sees(f"{one.email} works on this")
    first.page.get_by_label("Reject, because").select_option("untrusted_source")
    first.press("Reject")
    first.page.wait_for_url("**/queue/")
    second.page.get_by_label("Release, because").select_option("false_positive")
    second.page.locator("button[value=as_is]").click()

    assert second.sees("Somebody was quicker")
    assert one.email in second.page.inner_text("main")
    assert state(write).status == "rejected"


def test_a_high_impact_claim_takes_two_people(visit):
    (write,) = waiting(1, verdict=suspected(CLAIM, reason="high_impact_claim"))
    first, second = visit(), visit()
    first.sign_in("reviewer")
    first.go(f"/console/queue/{write.pk}/")
    first.page.get_by_label("Release, because").select_option("source_confirmed")
    first.page.locator("button[value=as_is]").click()
    assert first.sees("It waits for somebody else")
    second.sign_in("reviewer")
    second.go(f"/console/queue/{write.pk}/")
    second.page.get_by_role("link", name="Decide on the request").click()
    assert second.sees("What was submitted, redacted")
    second.press("Approve")
    second.confirm()

    assert second.sees("Approved and carried out")
    assert state(write).status == "released"


def test_a_text_is_revealed_for_a_purpose_and_read_as_the_detectors_did(visit):
    write = make_quarantined_write("Ilse orders marzipan.", verdict=suspected(PERSON, RULE))
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.go(f"/console/queue/{write.pk}/")
    assert "Ilse" not in visitor.page.inner_text("main")
    visitor.page.get_by_label("To see the text as it is").select_option("decide")
    visitor.press("Reveal")
    assert visitor.sees("Ilse")
    visitor.press("Normalised")
    assert visitor.sees("What the detectors saw")
    visitor.page.get_by_role("link", name="Redacted").click()
    visitor.page.wait_for_url(f"**/{write.pk}/")

    assert "Ilse" not in visitor.page.inner_text("main")


def test_a_pattern_is_allowed_with_a_release_and_revoked(visit):
    agent = make_scope(agent="web-reader")
    write = make_quarantined_write("Boats are blue.", agent_id=agent.agent_id, verdict=suspected(RULE))
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.go(f"/console/queue/{write.pk}/")
    visitor.page.get_by_label("Release, because").select_option("false_positive")
    visitor.page.locator("summary", has_text="Release and allow the pattern").click()
    visitor.page.get_by_label("Last day").fill(f"{timezone.now() + timedelta(days=20):%Y-%m-%d}")
    visitor.press("Release and allow the pattern")
    assert visitor.sees("Released as memory")
    visitor.page.get_by_role("link", name="Allowed patterns").click()
    visitor.press("Revoke the pattern of web-reader")

    assert visitor.sees("no longer allowed")
    assert AllowedPattern.objects.get().revoked_at is not None


def test_a_view_is_saved_and_opened_again(visit):
    waiting(1, reasons=["hidden_carrier"])
    waiting(1)
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.page.get_by_role("link", name="Hidden carrier 1").click()
    visitor.page.wait_for_url("**reason=hidden_carrier**")
    visitor.page.get_by_text("Save this view").click()
    visitor.page.get_by_label("Name of the view").fill("Carriers")
    visitor.press("Save")
    visitor.go("/console/queue/")
    visitor.page.get_by_role("link", name="Carriers", exact=True).click()
    visitor.page.wait_for_url("**reason=hidden_carrier**")

    visitor.page.wait_for_function("document.querySelectorAll('[data-row]').length === 1")


def test_keys_that_are_off_do_nothing(visit):
    waiting(2)
    visitor = visit()
    visitor.sign_in("reviewer")
    press(visitor, "?")
    visitor.page.get_by_label("Keys are on").uncheck()
    visitor.page.locator("h1").click()
    press(visitor, "j")

    assert visitor.page.locator("tr.selected").count() == 0


def test_every_key_is_also_a_button(visit):
    waiting(2)
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.press("Next")
    visitor.press("Mark x")
    visitor.press("Skip")

    assert visitor.page.locator("[data-mark]:checked").count() == 0
    assert visitor.page.locator("tr").nth(2).evaluate("row => row.classList.contains('selected')")


def faults_of(visitor) -> dict[str, list[str]]:
    page = visitor.page
    found = {
        "contrast": low_contrast(page),
        "without a name": page.evaluate(WITHOUT_A_NAME),
        "repeated ids": page.evaluate(REPEATED_IDS),
        "axe": grave_faults(page),
        "too wide": [] if page.evaluate(FITS) else ["yes"],
    }
    return {name: faults for name, faults in found.items() if faults}


def test_the_desk_is_legible_named_and_no_wider_than_the_screen(visit):
    agent = make_scope(agent="web-reader")
    first, second, *_ = waiting(3, agent_id=agent.agent_id, verdict=suspected(PERSON, RULE))
    (claim,) = waiting(1, verdict=suspected(CLAIM, reason="high_impact_claim"))
    claim_write(write_id=second.pk, scope=staff_scope())
    ask_release(write_id=claim.pk, revision=1, reason_code="source_confirmed", scope=staff_scope())
    visitor = visit(viewport={"width": 390, "height": 800})
    visitor.sign_in("privacy_officer")
    for path in (
        "/console/queue/?reason=injection_suspected", f"/console/queue/{first.pk}/",
        f"/console/queue/{second.pk}/", f"/console/queue/{claim.pk}/", "/console/queue/patterns/",
    ):  # fmt: skip
        visitor.go(path)
        assert faults_of(visitor) == {}, path
    visitor.go(f"/console/queue/{first.pk}/")
    visitor.page.get_by_label("To see the text as it is").select_option("decide")
    visitor.press("Reveal")
    assert visitor.sees("Each look is an entry")
    assert faults_of(visitor) == {}
    visitor.press("Normalised")
    assert visitor.sees("What the detectors saw")
    assert faults_of(visitor) == {}


def test_the_results_of_a_bulk_decision_are_legible_and_named(visit):
    waiting(2, verdict=suspected(CLAIM, reason="high_impact_claim"))
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.page.get_by_label("Mark all in this list").check()
    visitor.page.get_by_label("Reason to release what is marked").select_option("false_positive")
    visitor.press("Release marked")
    assert visitor.sees("Nothing was decided")

    assert faults_of(visitor) == {}
