"""A change that waits for a second person is asked for once, and is found again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_namespace, make_scope, make_staff, staff_scope
from tests.lifecycle.namespaces.policies import LOOSER, STRICTER, change, officer_scope
from vault.errors import NotFound, ScopeMissing
from vault.lifecycle.approvals import refuse
from vault.lifecycle.namespaces.proposals import find_proposal, proposals_of, waiting_changes
from vault.models import Approval, ApprovalKind, PolicyProposal

pytestmark = pytest.mark.django_db

LOOSEST = {"screening": {"allowed_sensitive": ["health", "religion"]}}


def waiting(namespace: str | None = None):
    row = make_namespace(namespace) if namespace else None
    return waiting_changes(scope=officer_scope(), namespace_id=row.pk if row else None)


def test_what_somebody_else_asks_for_again_is_the_request_that_waits():
    first = change(LOOSER)

    second = change(LOOSER, reason="The front desk asks for it, too.")

    assert (first.is_new, second.is_new) == (True, False)
    assert first.approval == second.approval
    assert Approval.objects.count() == PolicyProposal.objects.count() == 1


def test_another_change_is_another_request():
    first, second = change(LOOSER).approval, change(LOOSEST).approval

    assert first != second


def test_the_same_change_of_another_namespace_is_another_request():
    first, second = change(LOOSER).approval, change(LOOSER, namespace="billing").approval

    assert first != second


def test_what_was_refused_can_be_asked_for_again():
    asked = change(LOOSER).approval
    refuse(approval_id=asked.pk, kinds=list(ApprovalKind), ground_code="not_justified", scope=officer_scope())

    assert change(LOOSER).is_new


def test_what_a_suspended_person_asked_for_is_asked_for_anew_by_somebody_else():
    person = make_staff()
    change(LOOSER, scope=staff_scope(person))
    person.is_active = False
    person.save()

    again = change(LOOSER)

    assert again.is_new
    assert find_proposal(again.approval).author == again.approval.requested_by


def test_what_waits_is_found_with_what_it_would_change():
    asked = change(LOOSER)

    (found,) = waiting("default")

    assert found.approval == asked.approval
    assert (found.proposal.after, found.is_overtaken) == (LOOSER, False)


def test_each_namespace_shows_its_own():
    change(LOOSER)
    change(LOOSER, namespace="billing")

    assert [found.proposal.namespace.name for found in waiting("billing")] == ["billing"]
    assert len(waiting()) == 2


def test_what_the_policy_has_outrun_is_said_to_be_overtaken():
    change(LOOSER)
    change(STRICTER)

    assert [found.is_overtaken for found in waiting("default")] == [True]


def test_what_nobody_decided_in_time_does_not_wait_any_more():
    change(LOOSER)
    Approval.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert waiting("default") == ()


def test_a_request_for_another_act_has_no_change():
    other = Approval(kind=ApprovalKind.EXPORT, target_id=PolicyProposal().pk)

    assert proposals_of([other]) == {}
    with pytest.raises(NotFound):
        find_proposal(other)


def test_an_agent_sees_nothing_of_it():
    make_namespace()

    with pytest.raises(ScopeMissing):
        waiting_changes(scope=make_scope())
