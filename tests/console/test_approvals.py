"""The page of approvals: what waits, what exactly, and the second person's decision."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from console.approvers import rests_on_their_roles
from tests.console.people import confirm
from tests.factories import make_memory, make_staff, staff_scope
from vault.lifecycle import approvals
from vault.lifecycle.approvals import Act
from vault.lifecycle.holds import ask_hold_release, list_holds, place_hold
from vault.models import Approval, ApprovalKind, Role, StaffUser

pytestmark = pytest.mark.django_db


def asked_release(by=None) -> Approval:
    """A request to lift a hold."""
    make_memory(subject="S1")
    placed = place_hold(subject="S1", reason_code="litigation", scope=staff_scope())
    return ask_hold_release(
        hold_id=placed.pk,
        reason_code="inquiry_closed",
        scope=staff_scope(by or make_staff(role=Role.PRIVACY_OFFICER)),
    )


def asked_restore() -> Approval:
    with transaction.atomic():
        act = Act(ApprovalKind.RESTORE, None, {"file": "0" * 64})
        return approvals.ask(act=act, reason_code="disaster", scope=staff_scope())


def released() -> bool:
    return list_holds(subject="S1", scope=staff_scope())[0].released_at is not None


def test_the_list_shows_what_waits_for_the_role(officer):
    asked_release()

    page = officer.get("/console/approvals/").content.decode()

    assert "Release of a legal hold" in page


def test_the_list_is_empty_for_a_role_that_has_no_say(reviewer):
    asked_release()

    page = reviewer.get("/console/approvals/").content.decode()

    assert "Nothing waits for a second person" in page


def test_a_role_that_has_no_say_finds_no_such_request(reviewer):
    asked = asked_release()

    assert reviewer.get(f"/console/approvals/{asked.pk}/").status_code == 404


def test_an_auditor_reads_and_is_offered_no_decision(auditor):
    asked = asked_release()

    page = auditor.get(f"/console/approvals/{asked.pk}/").content.decode()

    assert "The inquiry is closed" in page
    assert "/approve/" not in page


def test_an_auditor_who_posts_a_decision_finds_no_such_request(auditor):
    asked = asked_release()

    assert confirm(auditor).post(f"/console/approvals/{asked.pk}/approve/").status_code == 404
    assert not released()


def test_approving_carries_the_act_out(officer):
    asked = asked_release()

    confirm(officer).post(f"/console/approvals/{asked.pk}/approve/")

    assert released()


def test_approving_asks_for_the_password_again(officer):
    asked = asked_release()

    response = officer.post(f"/console/approvals/{asked.pk}/approve/")

    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert not released()


def test_who_asked_is_told_that_it_waits_for_somebody_else(officer):
    asked = asked_release(by=officer.staff)

    page = officer.get(f"/console/approvals/{asked.pk}/").content.decode()

    assert "It waits for somebody else" in page


def test_who_asked_cannot_approve_by_posting(officer):
    asked = asked_release(by=officer.staff)

    assert confirm(officer).post(f"/console/approvals/{asked.pk}/approve/").status_code == 403
    assert not released()


def test_a_refusal_needs_a_ground(officer):
    asked = asked_release()

    officer.post(f"/console/approvals/{asked.pk}/refuse/", {})

    assert Approval.objects.get().status == "asked"


def test_a_refused_request_is_not_carried_out(officer):
    asked = asked_release()

    officer.post(f"/console/approvals/{asked.pk}/refuse/", {"reason": "not_justified"})

    assert Approval.objects.get().status == "refused"
    assert not released()


def test_the_second_decision_is_told_that_somebody_was_quicker(officer, second_officer):
    asked = asked_release()
    confirm(officer).post(f"/console/approvals/{asked.pk}/approve/")

    response = second_officer.post(f"/console/approvals/{asked.pk}/refuse/", {"reason": "not_justified"})

    assert response.status_code == 409


def test_an_act_that_cannot_be_done_now_stays_approved(officer):
    asked = asked_release()
    Approval.objects.filter(pk=asked.pk).update(reason_code="another")

    page = confirm(officer).post(f"/console/approvals/{asked.pk}/approve/", follow=True).content.decode()

    assert "Approved, but not carried out" in page
    assert "Carry it out" in page


def test_what_only_the_operator_does_is_approved_and_told(administrator):
    asked = asked_restore()

    page = (
        confirm(administrator).post(f"/console/approvals/{asked.pk}/approve/", follow=True).content.decode()
    )

    assert f"--approval {asked.pk}" in page


def test_what_was_approved_and_failed_can_be_carried_out_later(officer):
    asked = asked_release()
    approver = staff_scope(make_staff(role=Role.PRIVACY_OFFICER))
    approvals.approve(approval_id=asked.pk, kinds=list(ApprovalKind), scope=approver)

    confirm(officer).post(f"/console/approvals/{asked.pk}/carry-out/")

    assert released()


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.ADMINISTRATOR])
def test_what_somebody_asked_for_who_may_not_any_more_is_not_approved(officer, role):
    asker = make_staff(role=Role.PRIVACY_OFFICER)
    row = asked_release(asker)
    StaffUser.objects.filter(pk=asker.pk).update(role=role)

    shown = officer.get(f"/console/approvals/{row.pk}/").content.decode()
    confirm(officer)
    officer.post(f"/console/approvals/{row.pk}/approve/")

    assert "one has another role since" in shown
    assert not released()
    assert Approval.objects.get().status == "asked"


def test_what_somebody_approved_who_may_not_any_more_is_not_carried_out(officer):
    approver = make_staff(role=Role.PRIVACY_OFFICER)
    row = asked_release()
    approvals.approve(approval_id=row.pk, kinds=list(ApprovalKind), scope=staff_scope(approver))
    StaffUser.objects.filter(pk=approver.pk).update(role=Role.AUDITOR)

    confirm(officer)
    officer.post(f"/console/approvals/{row.pk}/carry-out/")

    assert not released()


def test_another_role_that_may_ask_as_well_changes_nothing(officer):
    with transaction.atomic():
        asker = make_staff(role=Role.REVIEWER)
        act = Act(ApprovalKind.ROLLBACK, None, {})
        row = approvals.ask(act=act, reason_code="poisoned", scope=staff_scope(asker))
    StaffUser.objects.filter(pk=asker.pk).update(role=Role.PRIVACY_OFFICER)

    assert rests_on_their_roles(row)


def test_what_no_job_has_met_yet_is_expired_on_the_list_and_on_its_page(officer):
    row = asked_release()
    Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    waiting = officer.get("/console/approvals/?status=asked").content.decode()
    over = officer.get("/console/approvals/?status=expired").content.decode()
    shown = officer.get(f"/console/approvals/{row.pk}/").content.decode()

    assert "Release of a legal hold" not in waiting
    assert "Release of a legal hold" in over
    assert '<span class="badge expired">Expired</span>' in shown
