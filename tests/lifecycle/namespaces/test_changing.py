"""A change of policy: at once, or on a second person's word; whole or not at all; kept."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from audit.models import AuditEntry
from tests.factories import make_namespace, make_scope, make_staff, staff_scope
from tests.lifecycle.namespaces.policies import (
    LOOSER,
    REASON,
    STRICTER,
    change,
    in_force,
    kept,
    officer_scope,
)
from vault.errors import ApprovalRequired, InvalidField, NotFound, SameApprover, ScopeMissing, StaleVersion
from vault.lifecycle.acts import carry_out
from vault.lifecycle.approvals import approve
from vault.lifecycle.desk import system_scope
from vault.lifecycle.namespaces.changing import carry_out_policy, change_policy
from vault.lifecycle.namespaces.listing import get_namespace, namespace_rows, policy_history
from vault.lifecycle.retrieval_policy import write_rankings
from vault.lifecycle.rules.drafting import create_rule
from vault.models import Approval, ApprovalKind, NamespacePolicyVersion, PolicyProposal
from vault.retrieval.score import Ranking, Weights
from vault.types import Kind, RuleAction

pytestmark = pytest.mark.django_db

KINDS = frozenset({ApprovalKind.POLICY})


def approved(approval: Approval | None) -> Approval:
    assert approval is not None
    return approve(approval_id=approval.pk, kinds=KINDS, scope=officer_scope())


def test_a_stricter_policy_is_in_force_at_once():
    changed = change(STRICTER)

    assert (changed.approval, changed.loosened) == (None, ())
    assert (in_force().policy, in_force().policy_version) == (STRICTER, 2)


def test_a_change_is_an_entry_of_codes_and_counts():
    change(STRICTER)

    entry = AuditEntry.objects.get(action="policy.changed")
    assert (entry.reason, entry.facts) == ("changed", {"policy_version": 2, "loosened": 0})


def test_every_version_is_kept_with_who_and_why():
    person = make_staff()
    change(STRICTER, scope=staff_scope(person))
    change({}, scope=system_scope("operator"))

    assert kept() == [(1, {}), (2, STRICTER), (3, {})]
    second = NamespacePolicyVersion.objects.get(version=2)
    assert (second.author, second.reason) == (f"staff:{person.pk}", REASON)


def test_what_was_written_past_the_vault_is_kept_before_it_goes():
    row = make_namespace()
    row.policy = {"upkeep": {"cap": 5}}
    row.save()

    change(STRICTER)

    assert kept() == [(1, {"upkeep": {"cap": 5}}), (2, STRICTER)]


def test_a_policy_that_was_written_past_its_history_gets_a_version_of_its_own():
    change(STRICTER)
    row = in_force()
    row.policy = {"upkeep": {"cap": 5}}
    row.save()

    change({"upkeep": {"cap": 4}}, scope=system_scope("operator"))

    assert kept()[1:] == [(2, STRICTER), (3, {"upkeep": {"cap": 5}}), (4, {"upkeep": {"cap": 4}})]


def test_the_history_cannot_be_changed():
    change(STRICTER)

    with pytest.raises(DatabaseError), transaction.atomic():
        NamespacePolicyVersion.objects.update(policy={})


def test_a_looser_policy_waits_for_a_second_person():
    changed = change(LOOSER)

    assert changed.approval is not None
    assert changed.loosened == ("/screening/allowed_sensitive/health",)
    assert (in_force().policy, in_force().policy_version) == ({}, 1)


def test_an_approved_policy_is_in_force_with_both_names():
    person, officer = staff_scope(), officer_scope()
    asked = change(LOOSER, scope=person, purpose="A clinic's front desk").approval

    approve(approval_id=asked.pk, kinds=KINDS, scope=officer)
    carry_out(approval_id=asked.pk, scope=officer)

    newest = NamespacePolicyVersion.objects.first()
    assert (newest.author, newest.approved_by) == (person.author, officer.author)
    assert (in_force().policy, in_force().purpose) == (LOOSER, "A clinic's front desk")
    assert Approval.objects.get().status == "used"


def test_who_asks_cannot_approve():
    person = officer_scope()
    asked = change(LOOSER, scope=person).approval

    with pytest.raises(SameApprover):
        approve(approval_id=asked.pk, kinds=KINDS, scope=person)


def test_what_nobody_approved_is_not_carried_out():
    asked = change(LOOSER).approval

    with pytest.raises(ApprovalRequired):
        carry_out_policy(asked, officer_scope())

    assert in_force().policy == {}


def test_an_approval_of_a_policy_that_changed_meanwhile_is_refused_and_says_so():
    asked = approved(change(LOOSER).approval)
    change(STRICTER)

    with pytest.raises(StaleVersion, match="stale_version") as refused:
        carry_out(approval_id=asked.pk, scope=officer_scope())

    assert "changed since this was asked for" in refused.value.detail
    assert in_force().policy == STRICTER


def test_a_rule_that_was_written_meanwhile_leaves_an_approval_good():
    asked = approved(change(LOOSER).approval)
    create_rule(
        name="falcon", namespace=None, pattern="falcon", action=RuleAction.REFUSE, scope=staff_scope()
    )
    make_namespace().refresh_from_db()
    row = in_force()
    row.policy_version += 1
    row.save()

    carry_out(approval_id=asked.pk, scope=officer_scope())

    assert in_force().policy == LOOSER


def test_an_approval_is_used_once():
    asked = approved(change(LOOSER).approval)
    carry_out(approval_id=asked.pk, scope=officer_scope())
    change({})

    with pytest.raises(ApprovalRequired):
        carry_out_policy(asked, officer_scope())


def test_a_proposal_that_was_altered_is_not_what_was_approved():
    asked = approved(change(LOOSER).approval)
    PolicyProposal.objects.update(after={"screening": {"allowed_sensitive": ["religion"]}})

    with pytest.raises(ApprovalRequired):
        carry_out(approval_id=asked.pk, scope=officer_scope())


def test_the_same_asked_twice_is_one_request():
    person = staff_scope()

    first, second = (change(LOOSER, scope=person).approval for _ in range(2))

    assert first == second


def test_the_operator_loosens_at_once_and_the_entry_says_so():
    change(LOOSER, scope=system_scope("operator"))

    entry = AuditEntry.objects.get(action="policy.changed")
    assert (entry.actor_kind, entry.actor_id, entry.reason) == ("system", "operator", "loosened")
    assert in_force().policy == LOOSER


def test_of_two_who_change_the_same_version_the_second_is_told():
    change(STRICTER)

    with pytest.raises(StaleVersion):
        change({}, expected_version=1)

    assert in_force().policy == STRICTER


def test_what_is_not_valid_is_not_stored_and_leaves_an_entry():
    with pytest.raises(InvalidField):
        change({"nonsense": 1})

    assert (in_force().policy, kept()) == ({}, [])
    assert AuditEntry.objects.get(action="policy.changed").outcome == "refused"


@pytest.mark.parametrize(
    "reason", ["", "  ", "x" * 201, "two\nlines", "Asked by ilse.winter" + "@example.com"]
)
def test_a_reason_is_one_line_that_identifies_nobody(reason):
    with pytest.raises(InvalidField) as refused:
        change(STRICTER, reason=reason)

    assert refused.value.facts["pointer"] == "/reason"
    assert in_force().policy == {}


def test_nothing_is_no_change():
    with pytest.raises(InvalidField, match="invalid"):
        change({})


def test_a_purpose_changes_by_itself():
    change({}, purpose="Support tickets")

    assert (in_force().purpose, in_force().policy_version) == ("Support tickets", 2)


def test_a_purpose_identifies_nobody():
    with pytest.raises(InvalidField) as refused:
        change({}, purpose="Notes on ilse.winter" + "@example.com")

    assert refused.value.facts["pointer"] == "/purpose"


def test_rankings_that_were_fitted_are_kept_like_any_change():
    rankings = {Kind.EVENT: Ranking(Weights(0.7, 0.2, 0.1), 14.0)}

    for _ in range(2):
        write_rankings(namespace="default", rankings=rankings, scope=system_scope("evaluate"))

    assert [version for version, _ in kept()] == [1, 2]
    assert AuditEntry.objects.get(action="policy.changed").reason == "retrieval_fitted"
    assert NamespacePolicyVersion.objects.first().author == "system:evaluate"


def test_an_agent_changes_and_reads_nothing():
    stranger = make_scope()
    for ask in (
        lambda: change(STRICTER, scope=stranger),
        lambda: namespace_rows(scope=stranger),
        lambda: get_namespace(namespace_id=1, scope=stranger),
        lambda: policy_history(namespace_id=1, scope=stranger),
    ):
        with pytest.raises(ScopeMissing):
            ask()


def test_a_namespace_that_is_not_there_is_not_found():
    with pytest.raises(NotFound):
        change_policy(namespace="nowhere", policy={}, expected_version=1, reason=REASON, scope=staff_scope())
