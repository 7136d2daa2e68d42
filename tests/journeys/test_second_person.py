"""What waits for a second person, in a real browser: by keyboard, and legible."""

from __future__ import annotations

import pytest

from tests.console.desk import let_detectors_rest
from tests.factories import make_quarantined_write, make_staff, staff_scope
from tests.journeys.test_review_desk import CLAIM, PERSON, faults_of, press, suspected, waiting
from vault.lifecycle.reviewing.four_eyes import ask_release

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BAR_IS_CLEAR = """() => {
  const row = document.querySelector('tr.selected').getBoundingClientRect()
  return row.bottom <= document.querySelector('.bulk').getBoundingClientRect().top
}"""


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


@pytest.fixture
def asked(db):
    """The request of a colleague, about the only write that waits."""
    write = make_quarantined_write(
        "Ilse wants refunds.", verdict=suspected(PERSON, CLAIM, reason="high_impact_claim")
    )
    asker = staff_scope(make_staff(role="reviewer"))
    return ask_release(write_id=write.pk, revision=1, reason_code="source_confirmed", scope=asker)


def test_what_waits_is_marked_by_no_key_and_by_no_box(asked, visit):
    waiting(1)
    visitor = visit()
    visitor.sign_in("reviewer")
    press(visitor, "j", "x", "j", "x")
    assert visitor.page.locator("[data-marked]").inner_text() == "1"
    visitor.page.get_by_label("Mark all in this list").check()

    assert visitor.page.locator("[data-row] :checked").count() == 1


def test_the_key_of_a_release_leads_to_the_request(asked, visit):
    visitor = visit()
    visitor.sign_in("reviewer")
    visitor.go(f"/console/queue/{asked.target_id}/")
    press(visitor, "r")

    visitor.page.wait_for_url(f"**/approvals/{asked.pk}/")


@pytest.mark.parametrize("width", [390, 800, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_request_is_legible_named_and_no_wider_than_the_screen(scheme, width, asked, visit):
    visitor = visit(viewport={"width": width, "height": 800}, color_scheme=scheme)
    visitor.sign_in("reviewer")
    visitor.go(f"/console/approvals/{asked.pk}/")
    assert faults_of(visitor) == {}
    visitor.page.get_by_label("To see the text as it is").select_option("decide")
    visitor.press("Reveal")
    assert visitor.sees("Ilse")

    assert faults_of(visitor) == {}


@pytest.mark.parametrize("marked", [True, False])
def test_the_bar_of_decisions_hides_no_row_that_is_gone_to(marked, visit):
    waiting(20)
    visitor = visit(viewport={"width": 1000, "height": 700})
    visitor.sign_in("reviewer")
    if marked:
        press(visitor, "j", "x")
    press(visitor, *"j" * 20)

    assert visitor.page.evaluate(BAR_IS_CLEAR)
