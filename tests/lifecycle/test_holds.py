from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.test_erasure import approved
from tests.open_rows import everything_open
from vault.errors import ApprovalRequired, InvalidTransition, NotFound, ScopeMissing
from vault.lifecycle.approvals import approve
from vault.lifecycle.erasure import approve_erasure, get_request, request_erasure, verify_request
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.holds import (
    ask_hold_release,
    list_holds,
    place_hold,
    preview_hold_release,
    release_hold,
    requeue_approved,
)
from vault.models import ApprovalKind, ErasureRequest, Job
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db


def hold(subject: str = "S1"):
    return place_hold(subject=subject, reason_code="litigation", scope=staff_scope())


def lift(placed):
    approval = ask_hold_release(hold_id=placed.pk, reason_code="case_closed", scope=staff_scope())
    approve(approval_id=approval.pk, kinds=[ApprovalKind.HOLD_RELEASE], scope=staff_scope())
    return release_hold(hold_id=placed.pk, reason_code="case_closed", scope=staff_scope())


def status_of(request) -> str:
    return get_request(request_id=request.pk, scope=staff_scope()).status


def verified(subject: str = "S1") -> ErasureRequest:
    request = request_erasure(subject=subject, reason_code="withdrawn_consent", scope=staff_scope())
    return verify_request(request_id=request.pk, scope=staff_scope())


def test_a_request_under_a_hold_waits_instead_of_being_approved():
    make_memory(subject="S1")
    request = verified()
    hold()

    approve_erasure(request_id=request.pk, scope=staff_scope())

    assert status_of(request) == "on_hold"
    assert not Job.objects.exists()


def test_an_approved_erasure_that_meets_a_hold_waits():
    make_memory(subject="S1")
    request = approved("S1")
    hold()

    execute_erasure(request.pk)

    assert status_of(request) == "on_hold"
    assert find_subject("S1").erased_at is None


def test_a_hold_that_the_request_missed_stops_the_job_itself():
    make_memory(subject="S1")
    request = approved("S1")
    hold()
    with everything_open():
        ErasureRequest.objects.filter(pk=request.pk).update(status="approved")

    execute_erasure(request.pk)

    assert status_of(request) == "on_hold"


def test_an_approved_erasure_goes_on_when_the_hold_is_lifted():
    make_memory(subject="S1")
    request = approved("S1")
    placed = hold()
    Job.objects.update(status="done")

    lift(placed)

    assert status_of(request) == "approved"
    assert Job.objects.filter(target_id=request.pk, status="queued").count() == 1
    execute_erasure(request.pk)
    assert status_of(request) == "done"


def test_a_hold_lifted_while_its_job_was_ending_leaves_no_request_behind():
    make_memory(subject="S1")
    request = approved("S1")
    placed = hold()
    Job.objects.update(status="running")
    lift(placed)
    Job.objects.update(status="done")

    assert requeue_approved() == 1

    assert Job.objects.filter(target_id=request.pk, status="queued").count() == 1
    assert requeue_approved() == 0


def test_a_request_that_nobody_approved_still_needs_that_after_the_hold():
    make_memory(subject="S1")
    request = verified()
    placed = hold()

    lift(placed)

    assert status_of(request) == "verified"


def test_the_last_hold_counts():
    make_memory(subject="S1")
    request = verified()
    first, _ = hold(), hold()

    lift(first)

    assert status_of(request) == "on_hold"


def test_a_hold_comes_too_late_once_the_erasure_has_begun():
    make_memory(subject="S1")
    request = approved("S1")
    with everything_open():
        ErasureRequest.objects.filter(pk=request.pk).update(status="executing")

    with pytest.raises(InvalidTransition):
        hold()


def test_a_hold_is_lifted_once():
    make_memory(subject="S1")
    placed = hold()
    lift(placed)

    with pytest.raises(InvalidTransition):
        lift(placed)


def test_both_are_entries_with_their_reasons():
    make_memory(subject="S1")
    placed = hold()
    lift(placed)

    entries = AuditEntry.objects.filter(target_id=str(placed.pk)).order_by("pk")
    assert [(entry.action, entry.reason) for entry in entries] == [
        ("hold.placed", "litigation"),
        ("hold.released", "case_closed"),
    ]


def test_holds_are_listed_the_newest_first():
    make_memory(subject="S1")
    first, second = hold(), hold()

    assert [row.pk for row in list_holds(subject="S1", scope=staff_scope())] == [second.pk, first.pk]


def test_an_unknown_hold_is_not_found():
    with pytest.raises(NotFound):
        release_hold(hold_id=make_memory().row.pk, reason_code="x", scope=staff_scope())


def test_an_agent_cannot_hold():
    make_memory(subject="S1")

    with pytest.raises(ScopeMissing):
        place_hold(subject="S1", reason_code="x", scope=make_scope())


def test_a_hold_is_not_lifted_by_one_person_alone():
    make_memory(subject="S1")
    placed = hold()

    with pytest.raises(ApprovalRequired):
        release_hold(hold_id=placed.pk, reason_code="case_closed", scope=staff_scope())

    assert list_holds(subject="S1", scope=staff_scope())[0].released_at is None


def test_an_approval_to_lift_a_hold_holds_for_the_reason_that_was_given():
    make_memory(subject="S1")
    placed = hold()
    asked = ask_hold_release(hold_id=placed.pk, reason_code="case_closed", scope=staff_scope())
    approve(approval_id=asked.pk, kinds=[ApprovalKind.HOLD_RELEASE], scope=staff_scope())

    with pytest.raises(ApprovalRequired):
        release_hold(hold_id=placed.pk, reason_code="another", scope=staff_scope())


def test_nobody_asks_to_lift_a_hold_twice_that_was_lifted():
    make_memory(subject="S1")
    placed = hold()
    lift(placed)

    with pytest.raises(InvalidTransition):
        ask_hold_release(hold_id=placed.pk, reason_code="case_closed", scope=staff_scope())


def test_a_preview_of_its_end_names_what_goes_on_and_changes_nothing():
    make_memory(subject="S1")
    request = verified()
    placed = hold()

    end = preview_hold_release(hold_id=placed.pk, scope=staff_scope())

    assert (end.others, [each.pk for each in end.erasures]) == (0, [request.pk])
    assert status_of(request) == "on_hold"


def test_a_preview_counts_the_holds_that_stand_beside_it():
    make_memory(subject="S1")
    lifted, other, placed = hold(), hold(), hold()
    lift(lifted)

    assert preview_hold_release(hold_id=placed.pk, scope=staff_scope()).others == 1
    assert other.released_at is None


def test_an_agent_is_shown_no_end_of_a_hold():
    make_memory(subject="S1")

    with pytest.raises(ScopeMissing):
        preview_hold_release(hold_id=hold().pk, scope=make_scope())
