"""The desk while a second person is asked about a write: list, page, bulk."""

from __future__ import annotations

import pytest

from tests.console.desk import RELEASE, act, let_detectors_rest, page_of, state, verdict
from tests.console.test_queue import decide
from tests.factories import ago, make_quarantined_write
from vault.models import Approval

pytestmark = pytest.mark.django_db
BADGE = "Waits for a second person"


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


@pytest.fixture
def asked(reviewer):
    """A high-impact write whose release `reviewer` asked for."""
    write = make_quarantined_write(
        "Refunds are approved by two people.", verdict=verdict("high_impact_claim")
    )
    act(reviewer, write, "release", RELEASE)
    return write


def request_page() -> str:
    return f"/console/approvals/{Approval.objects.get().pk}/"


def queue(client) -> str:
    return client.get("/console/queue/").content.decode()


def test_the_list_says_what_waits_and_leads_to_the_request(asked, officer):
    page = queue(officer)

    assert BADGE in page
    assert f'href="{request_page()}"' in page
    assert "(you asked)" not in page


def test_the_list_tells_the_one_who_asked_that_it_was_them(asked, reviewer):
    assert "(you asked)" in queue(reviewer)


def test_the_list_of_an_auditor_says_it_too(asked, auditor):
    assert BADGE in queue(auditor)


def test_what_waits_cannot_be_marked(asked, officer):
    other = make_quarantined_write()

    page = queue(officer)

    assert f'value="{other.pk}:1"' in page
    assert f'value="{asked.pk}:1"' not in page


def test_a_request_that_ran_out_frees_the_row(asked, officer):
    Approval.objects.update(expires_at=ago(minutes=1))

    page = queue(officer)

    assert BADGE not in page
    assert f'value="{asked.pk}:1"' in page


def test_the_one_who_asked_is_told_that_somebody_else_decides(asked, reviewer):
    page = page_of(reviewer, asked)

    assert "Somebody else has to decide" in page
    assert f"/console/queue/{asked.pk}/release/" not in page


def test_a_second_person_is_led_to_the_request_by_button_and_key(asked, officer):
    page = page_of(officer, asked)

    assert f'href="{request_page()}" data-key="r">Decide on the request' in page
    assert f"/console/queue/{asked.pk}/release/" not in page


def test_a_page_from_before_asks_for_nothing_twice(asked, officer):
    response = act(officer, asked, "release", {**RELEASE, "variant": "redacted"})

    assert response["Location"] == request_page()
    assert Approval.objects.count() == 1


def test_one_person_can_keep_it_out_still(asked, officer):
    act(officer, asked, "reject", {"reason": "not_needed", "revision": 1})

    assert state(asked).status == "rejected"


def test_many_are_decided_without_what_waits_and_the_page_says_so(asked, officer):
    other = make_quarantined_write()

    response = decide(officer, other, asked, verb="reject", reject_reason="not_needed")

    page = response.content.decode()
    assert (response.status_code, state(other).status, state(asked).status) == (200, "rejected", "pending")
    assert "1 of 2 are rejected" in page
    assert "Skipped" in page
    assert request_page() in page


def test_nothing_is_decided_where_all_that_is_marked_waits(asked, officer):
    response = decide(officer, asked, verb="release", release_reason="false_positive")

    assert response["Location"] == "/console/queue/?overdue=on"
    assert "waits for a second person" in queue(officer)
    assert state(asked).status == "pending"
