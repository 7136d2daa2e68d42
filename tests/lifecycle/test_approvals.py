"""Four eyes: two people, one exact act, in time, once."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from audit.models import AuditEntry
from tests.factories import make_scope, make_staff, staff_scope
from vault.errors import (
    AlreadyDecided,
    ApprovalRequired,
    InvalidTransition,
    NotFound,
    SameApprover,
    ScopeMissing,
)
from vault.lifecycle import approvals
from vault.lifecycle.acts import carry_out
from vault.lifecycle.approvals import Act
from vault.models import Agent, Approval, ApprovalKind, StaffUser
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db

ACT = Act(ApprovalKind.KEY_EPOCH, None, {"epoch": 3})
KINDS = frozenset(ApprovalKind)
particulars = st.dictionaries(st.text(max_size=8), st.one_of(st.integers(), st.text(max_size=8), st.none()))


def ask(act: Act = ACT, scope=None) -> Approval:
    with transaction.atomic():
        return approvals.ask(act=act, reason_code="due", scope=scope or staff_scope())


def approve(approval: Approval, scope=None) -> Approval:
    return approvals.approve(approval_id=approval.pk, kinds=KINDS, scope=scope or staff_scope())


def spend(act: Act = ACT) -> Approval:
    with transaction.atomic():
        return approvals.spend(act=act, scope=staff_scope())


def out_of_time(approval: Approval) -> None:
    Approval.objects.filter(pk=approval.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def test_what_another_person_approved_can_be_done_once():
    approve(ask())

    spend()

    with pytest.raises(ApprovalRequired):
        spend()


def test_what_was_only_asked_for_cannot_be_done():
    ask()

    with pytest.raises(ApprovalRequired):
        spend()


def test_who_asked_cannot_approve():
    scope = staff_scope(make_staff())
    asked = ask(scope=scope)

    with pytest.raises(SameApprover):
        approve(asked, scope)


def test_who_asked_cannot_refuse_either():
    scope = staff_scope(make_staff())
    asked = ask(scope=scope)

    with pytest.raises(SameApprover):
        approvals.refuse(approval_id=asked.pk, kinds=KINDS, ground_code="not_justified", scope=scope)


def test_the_database_itself_refuses_one_person_twice():
    asked = ask()

    with pytest.raises(IntegrityError), transaction.atomic():
        Approval.objects.filter(pk=asked.pk).update(status="approved", decided_by=asked.requested_by)


def test_the_database_refuses_a_decision_without_a_decider():
    asked = ask()

    with pytest.raises(IntegrityError), transaction.atomic():
        Approval.objects.filter(pk=asked.pk).update(status="approved")


def test_an_approval_holds_for_its_own_act_and_no_other():
    approve(ask())

    with pytest.raises(ApprovalRequired):
        spend(Act(ApprovalKind.KEY_EPOCH, None, {"epoch": 4}))


def test_a_refused_act_cannot_be_done():
    asked = ask()
    approvals.refuse(approval_id=asked.pk, kinds=KINDS, ground_code="not_justified", scope=staff_scope())

    with pytest.raises(ApprovalRequired):
        spend()


def test_the_second_who_decides_is_told_who_was_quicker():
    asked = ask()
    first = staff_scope()
    approve(asked, first)

    with pytest.raises(AlreadyDecided) as refusal:
        approvals.refuse(approval_id=asked.pk, kinds=KINDS, ground_code="not_justified", scope=staff_scope())

    assert refusal.value.facts["decided_by"] == first.author


def test_an_approval_that_came_too_late_is_not_taken():
    asked = ask()
    out_of_time(asked)

    with pytest.raises(InvalidTransition):
        approve(asked)


def test_an_approval_that_was_not_used_in_time_is_void():
    out_of_time(approve(ask()))

    with pytest.raises(ApprovalRequired):
        spend()


def test_the_same_act_asked_for_twice_is_one_request():
    assert ask().pk == ask().pk


def test_an_act_can_be_asked_for_again_after_its_time():
    first = ask()
    out_of_time(first)

    second = ask()

    first.refresh_from_db()
    assert (first.status, second.status) == ("expired", "asked")


def test_what_is_out_of_time_is_closed_with_an_entry():
    out_of_time(ask())

    assert approvals.expire_due(now=timezone.now(), limit=10) == 1

    assert Approval.objects.get().status == "expired"
    assert AuditEntry.objects.filter(action="approval.expired").count() == 1


def test_a_role_that_does_not_decide_on_a_kind_sees_no_such_request():
    asked = ask()

    with pytest.raises(NotFound):
        approvals.approve(approval_id=asked.pk, kinds=[ApprovalKind.EXPORT], scope=staff_scope())


def test_an_agent_cannot_approve():
    asked = ask()

    with pytest.raises(ScopeMissing):
        approve(asked, make_scope())


def test_what_an_agent_asked_for_a_person_may_approve():
    assert approve(ask(scope=make_scope())).status == "approved"


def test_a_refused_attempt_leaves_an_entry():
    scope = staff_scope(make_staff())
    asked = ask(scope=scope)

    with pytest.raises(SameApprover):
        approve(asked, scope)

    entry = AuditEntry.objects.get(action="approval.denied")
    assert (entry.target_id, entry.reason, entry.outcome) == (str(asked.pk), "four_eyes", "refused")


def test_asking_deciding_and_doing_are_an_entry_each():
    approve(ask())
    spend()

    told = AuditEntry.objects.filter(target_kind="approval").order_by("id").values_list("action", flat=True)
    assert list(told) == ["approval.requested", "approval.given", "approval.used"]


def test_nothing_is_asked_for_outside_a_transaction(transactional_db):
    with pytest.raises(RuntimeError):
        approvals.ask(act=ACT, reason_code="due", scope=staff_scope())


def test_what_is_not_approved_is_not_carried_out():
    asked = ask()
    done: list[UUID] = []

    with pytest.raises(InvalidTransition):
        carry_out(
            approval_id=asked.pk,
            scope=staff_scope(),
            executors={ApprovalKind.KEY_EPOCH: lambda approval, scope: done.append(approval.pk)},
        )

    assert not done


def test_a_kind_that_only_the_operator_does_is_not_carried_out_here():
    approve(asked := ask(Act(ApprovalKind.RESTORE, None, {"file": "0" * 64})))

    with pytest.raises(InvalidTransition):
        carry_out(approval_id=asked.pk, scope=staff_scope())


def test_open_requests_are_listed_the_first_to_expire_first():
    later, sooner = ask(), ask(Act(ApprovalKind.EXPORT, new_id()))
    Approval.objects.filter(pk=sooner.pk).update(expires_at=timezone.now() + timedelta(hours=1))

    listed = approvals.list_approvals(kinds=KINDS, scope=staff_scope())

    assert [row.pk for row in listed] == [sooner.pk, later.pk]


@given(one=particulars, other=particulars)
def test_acts_share_a_digest_only_when_they_are_the_same(one, other):
    first, second = Act(ApprovalKind.EXPORT, None, one), Act(ApprovalKind.EXPORT, None, other)

    assert (first.digest() == second.digest()) == (one == other)


def suspend(scope) -> None:
    StaffUser.objects.filter(pk=scope.actor.id).update(is_active=False)


def test_what_somebody_asked_for_who_was_suspended_since_is_not_approved():
    asker = staff_scope()
    approval = ask(scope=asker)
    suspend(asker)

    with pytest.raises(InvalidTransition):
        approve(approval)


def test_what_a_suspended_person_asked_for_can_still_be_refused():
    asker = staff_scope()
    approval = ask(scope=asker)
    suspend(asker)

    refused = approvals.refuse(
        approval_id=approval.pk, kinds=KINDS, ground_code="not_needed", scope=staff_scope()
    )

    assert refused.status == "refused"


@pytest.mark.parametrize("which", [0, 1])
def test_an_approval_of_somebody_who_was_suspended_since_is_not_spent(which):
    pair = (staff_scope(), staff_scope())
    approve(ask(scope=pair[0]), scope=pair[1])
    suspend(pair[which])

    with pytest.raises(ApprovalRequired):
        spend()


def test_somebody_else_asks_anew_for_what_a_suspended_person_had_asked_for():
    asker = staff_scope()
    first = ask(scope=asker)
    suspend(asker)

    second = ask()

    first.refresh_from_db()
    assert (first.status, second.status, second.pk == first.pk) == ("expired", "asked", False)
    approve(second)


def test_what_a_suspended_agent_asked_for_is_not_approved():
    approval = ask(scope=make_scope(agent="support-bot"))
    Agent.objects.filter(name="support-bot").update(suspended_at=timezone.now())

    with pytest.raises(InvalidTransition):
        approve(approval)
