from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.console.desk import (
    REJECT,
    RELEASE,
    act,
    actions,
    change,
    let_detectors_rest,
    page_of,
    state,
    verdict,
)
from tests.console.people import confirm
from tests.factories import make_namespace, make_quarantined_write
from vault.models import Agent, AllowedPattern, Approval, Grant, Memory, isolation
from vault.types import Action, Category, Finding, Verdict

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


@pytest.fixture
def agent(db) -> Agent:
    return Agent.objects.create(name="web-reader")


def test_a_release_becomes_a_memory(reviewer):
    write = make_quarantined_write("Prefers the window seat.")

    act(reviewer, write, "release", RELEASE)

    row = state(write)
    assert (row.status, row.decided_by) == ("released", f"staff:{reviewer.staff.pk}")
    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.filter(pk=row.released_as).exists()


def test_a_rejection_needs_a_reason(reviewer):
    write = make_quarantined_write()

    act(reviewer, write, "reject", {"revision": 1})

    assert state(write).status == "pending"


def test_a_reason_outside_the_list_is_none(reviewer):
    write = make_quarantined_write()

    act(reviewer, write, "release", {"reason": "because I say so", "revision": 1})

    assert state(write).status == "pending"


def test_the_second_decision_is_told_who_was_quicker(reviewer, officer):
    write = make_quarantined_write()
    act(reviewer, write, "release", RELEASE)

    response = act(officer, write, "reject", REJECT)

    assert response.status_code == 409
    assert reviewer.staff.email in response.content.decode()
    assert state(write).status == "released"


def test_a_late_decision_leaves_one_decision_and_one_refused_attempt(reviewer, officer):
    write = make_quarantined_write()
    act(reviewer, write, "release", RELEASE)
    act(officer, write, "reject", REJECT)

    decided = actions("quarantine.released", "quarantine.rejected", "quarantine.decision_refused")
    assert sorted(decided) == ["quarantine.decision_refused", "quarantine.released"]


def test_a_double_click_decides_once(reviewer):
    write = make_quarantined_write()

    responses = [act(reviewer, write, "reject", REJECT).status_code for _ in range(2)]

    assert responses == [302, 409]
    assert actions("quarantine.rejected") == ["quarantine.rejected"]


def test_a_text_that_changed_meanwhile_is_not_released(reviewer):
    write = make_quarantined_write()
    change(write, revision=2)

    response = act(reviewer, write, "release", RELEASE)

    assert response.status_code == 409
    assert f"/console/queue/{write.pk}/" in response.content.decode()
    assert state(write).status == "pending"


def test_after_a_decision_the_list_has_its_filters_still(reviewer):
    response = act(reviewer, make_quarantined_write(), "reject", REJECT, query="?reason=x&overdue=on")

    assert response["Location"] == "/console/queue/?reason=x&overdue=on"


def test_a_decision_cuts_into_the_work_of_another_with_a_warning(reviewer, officer):
    write = make_quarantined_write()
    act(officer, write, "claim")

    act(reviewer, write, "reject", REJECT)

    assert state(write).status == "rejected"
    assert b"Somebody else was working on this" in reviewer.get("/console/queue/").content


def test_a_redacted_release_keeps_no_name(reviewer):
    name = Finding(Category.PII, "PERSON", 0, 4, 0.9, Action.ALLOW)
    write = make_quarantined_write(
        "Ilse likes marzipan.", verdict=Verdict(Action.QUARANTINE, (name,), ("injection_suspected",))
    )

    act(reviewer, write, "release", {**RELEASE, "variant": "redacted"})

    page = reviewer.get(f"/console/memories/{state(write).released_as}/").content.decode()
    assert "&lt;PERSON&gt; likes marzipan." in page


# --- the pattern ---
def allow(client, write, days: int = 30):
    until = timezone.now() + timedelta(days=days)
    return act(client, write, "release", {**RELEASE, "variant": "allow", "until": f"{until:%Y-%m-%d}"})


def test_a_pattern_is_allowed_listed_and_revoked(reviewer, agent):
    allow(reviewer, make_quarantined_write(agent_id=agent.pk))

    page = reviewer.get("/console/queue/patterns/").content.decode()
    assert "web-reader" in page
    assert "tests/instruction" in page
    reviewer.post(f"/console/queue/patterns/{AllowedPattern.objects.get().pk}/revoke/")
    assert "Revoked" in reviewer.get("/console/queue/patterns/").content.decode()


def test_a_pattern_needs_a_day(reviewer, agent):
    write = make_quarantined_write(agent_id=agent.pk)

    act(reviewer, write, "release", {**RELEASE, "variant": "allow"})

    assert state(write).status == "pending"


def test_a_pattern_beyond_ninety_days_is_refused_and_nothing_released(reviewer, agent):
    write = make_quarantined_write(agent_id=agent.pk)

    assert allow(reviewer, write, days=92).status_code == 400
    assert state(write).status == "pending"


def test_an_auditor_sees_patterns_and_revokes_none(auditor, reviewer, agent):
    allow(reviewer, make_quarantined_write(agent_id=agent.pk))

    page = auditor.get("/console/queue/patterns/").content.decode()

    assert "web-reader" in page
    assert "/revoke/" not in page


# --- the grant ---
def test_a_rejection_can_suspend_the_grant_of_its_agent(reviewer, agent):
    grant = Grant.objects.create(agent=agent, namespace=make_namespace(), scopes=[], max_trust="stated")

    act(reviewer, make_quarantined_write(agent_id=agent.pk), "reject", {**REJECT, "suspend": "on"})

    grant.refresh_from_db()
    assert grant.suspended_at is not None


# --- four eyes ---
def high_impact():
    return make_quarantined_write("Refunds are approved by two people.", verdict=verdict("high_impact_claim"))


def test_a_high_impact_release_asks_a_second_person(reviewer):
    write = high_impact()

    response = act(reviewer, write, "release", RELEASE)

    assert response["Location"] == f"/console/approvals/{Approval.objects.get().pk}/"
    assert state(write).status == "pending"
    assert "asked to release this" in page_of(reviewer, write)


def test_to_ask_a_second_person_is_not_noted_as_a_refusal(reviewer):
    act(reviewer, high_impact(), "release", RELEASE)

    assert actions("quarantine.decision_refused", "approval.requested") == ["approval.requested"]


def test_what_the_second_person_approves_is_let_in(reviewer, officer):
    write = high_impact()
    act(reviewer, write, "release", RELEASE)

    confirm(officer).post(f"/console/approvals/{Approval.objects.get().pk}/approve/")

    assert state(write).status == "released"


def test_the_second_person_is_asked_for_the_password_and_it_goes_on_where_it_stopped(reviewer, officer):
    write = high_impact()
    act(reviewer, write, "release", RELEASE)

    asked = officer.post(f"/console/approvals/{Approval.objects.get().pk}/approve/")["Location"]
    assert state(write).status == "pending"
    target = asked.partition("next=")[2].replace("%2F", "/")
    officer.post("/accounts/reauthenticate/", {"password": "long enough to be one", "next": target})

    assert state(write).status == "released"


def test_who_asked_cannot_approve(reviewer):
    write = high_impact()
    act(reviewer, write, "release", RELEASE)

    response = confirm(reviewer).post(f"/console/approvals/{Approval.objects.get().pk}/approve/")

    assert response.status_code == 403
    assert state(write).status == "pending"
