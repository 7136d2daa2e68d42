from __future__ import annotations

import pytest

from tests.factories import make_quarantined_write, make_scope, staff_scope
from tests.lifecycle.reviewing.desk import CLAIM, RULE, actions_on, change, memories, row, verdict_of
from vault.errors import (
    AlreadyDecided,
    ApprovalRequired,
    InvalidTransition,
    SameApprover,
    ScopeMissing,
    StaleVersion,
)
from vault.lifecycle.acts import carry_out
from vault.lifecycle.approvals import approve
from vault.lifecycle.reviewing.deciding import Variant, reject_write, release_write
from vault.lifecycle.reviewing.four_eyes import ask_release, carry_out_release
from vault.lifecycle.standing_requests import waiting_releases
from vault.models import ApprovalKind
from vault.types import Action, Category, Finding

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]
TEXT = "Refunds are approved by two people."


def claim(**fields):
    return make_quarantined_write(TEXT, verdict=verdict_of(CLAIM), **fields)


def ask(write, scope=None, variant=Variant.AS_IS):
    return ask_release(
        write_id=write.pk, revision=1, reason_code="source_confirmed", scope=scope or staff_scope(),
        variant=variant,
    )  # fmt: skip


def agree(approval, scope=None):
    return approve(approval_id=approval.pk, kinds={ApprovalKind.RELEASE}, scope=scope or staff_scope())


def test_asking_lets_nothing_in():
    write = claim()

    ask(write)

    assert row(write).status == "pending"
    assert waiting_releases(revisions={write.pk: 1}, scope=staff_scope())


def test_what_two_agreed_on_is_let_in_once():
    write = claim()
    approval = agree(ask(write))

    carry_out(approval_id=approval.pk, scope=staff_scope())

    assert row(write).status == "released"
    assert [memory.pk for memory in memories()] == [row(write).released_as]
    with pytest.raises(InvalidTransition):
        carry_out(approval_id=approval.pk, scope=staff_scope())


def test_one_person_cannot_be_both():
    one = staff_scope()
    approval = ask(claim(), scope=one)

    with pytest.raises(SameApprover):
        agree(approval, scope=one)


def test_what_nobody_approved_is_not_let_in():
    write = claim()

    with pytest.raises(ApprovalRequired):
        carry_out_release(ask(write), staff_scope())

    assert row(write).status == "pending"


def test_a_draft_that_changed_after_the_approval_is_not_let_in():
    write = claim()
    approval = agree(ask(write))
    change(write, revision=2)

    with pytest.raises(StaleVersion):
        carry_out_release(approval, staff_scope())

    assert memories() == []


def test_a_write_that_was_rejected_meanwhile_stays_out():
    write = claim()
    approval = agree(ask(write))
    reject_write(write_id=write.pk, revision=1, reason_code="x", scope=staff_scope())

    with pytest.raises(AlreadyDecided):
        carry_out_release(approval, staff_scope())

    approval.refresh_from_db()
    assert approval.status == "approved"
    assert "quarantine.decision_refused" in actions_on(write.pk)


def test_it_is_let_in_as_it_was_approved():
    name = Finding(Category.PII, "PERSON", 0, 7, 0.9, Action.ALLOW)
    write = make_quarantined_write(TEXT, verdict=verdict_of(CLAIM, name))

    carry_out_release(agree(ask(write, variant=Variant.REDACTED)), staff_scope())

    assert row(write).status == "released"
    assert actions_on(write.pk)[-1] == "quarantine.released"


def test_what_one_may_decide_alone_needs_no_second():
    with pytest.raises(InvalidTransition):
        ask(make_quarantined_write(verdict=verdict_of(RULE)))


def test_asking_twice_is_one_request():
    write, one = claim(), staff_scope()

    assert ask(write, scope=one).pk == ask(write, scope=one).pk


def test_an_agent_cannot_ask():
    with pytest.raises(ScopeMissing):
        ask(claim(), scope=make_scope())


UNREAD = Finding(Category.FAILURE, "DETECTOR_FAILED", 0, 0, 1.0, Action.QUARANTINE, detector="injection")


@pytest.mark.parametrize("now", [CLAIM, UNREAD])
def test_a_claim_that_only_todays_screening_sees_or_cannot_rule_out_takes_two_as_well(now, judged):
    write = make_quarantined_write(TEXT, verdict=verdict_of(UNREAD))
    judged[0] = verdict_of(now)

    with pytest.raises(ApprovalRequired):
        release_write(write_id=write.pk, revision=1, reason_code="fine", scope=staff_scope())
    carry_out_release(agree(ask(write)), staff_scope())

    assert row(write).status == "released"
