"""Which writes wait for a second person."""

from __future__ import annotations

import pytest

from tests.factories import ago, make_quarantined_write, make_scope, make_staff, staff_scope
from tests.lifecycle.reviewing.desk import CLAIM, verdict_of
from vault.errors import ScopeMissing
from vault.lifecycle.approvals import approve, refuse
from vault.lifecycle.reviewing.deciding import Variant
from vault.lifecycle.reviewing.four_eyes import ask_release
from vault.lifecycle.standing_requests import waiting_releases
from vault.models import Approval, ApprovalKind

pytestmark = pytest.mark.django_db


def asked(write, scope=None, variant: Variant = Variant.AS_IS) -> Approval:
    return ask_release(
        write_id=write.pk, revision=1, reason_code="source_confirmed", scope=scope or staff_scope(),
        variant=variant,
    )  # fmt: skip


def claim():
    return make_quarantined_write("Refunds need one person.", verdict=verdict_of(CLAIM))


def waiting(*writes, revision: int = 1) -> dict:
    return waiting_releases(revisions={write.pk: revision for write in writes}, scope=staff_scope())


def test_only_those_that_were_asked_for_wait():
    write, other = claim(), claim()
    request = asked(write)

    assert waiting(write, other) == {write.pk: request}


def test_one_that_is_approved_and_not_carried_out_waits_still():
    write = claim()
    approve(approval_id=asked(write).pk, kinds={ApprovalKind.RELEASE}, scope=staff_scope())

    assert write.pk in waiting(write)


def test_a_refused_request_keeps_nobody_waiting():
    write = claim()
    refuse(approval_id=asked(write).pk, kinds={ApprovalKind.RELEASE}, ground_code="x", scope=staff_scope())

    assert waiting(write) == {}


def test_a_request_that_ran_out_keeps_nobody_waiting():
    write = claim()
    Approval.objects.filter(pk=asked(write).pk).update(expires_at=ago(minutes=1))

    assert waiting(write) == {}


def test_a_request_of_somebody_suspended_keeps_nobody_waiting():
    write, staff = claim(), make_staff()
    asked(write, staff_scope(staff))
    staff.is_active = False
    staff.save()

    assert waiting(write) == {}


def test_a_request_for_another_revision_keeps_nobody_waiting():
    write = claim()
    asked(write)

    assert waiting(write, revision=2) == {}


def test_of_two_requests_the_newest_counts():
    write = claim()
    asked(write)
    newest = asked(write, variant=Variant.REDACTED)

    assert waiting(write) == {write.pk: newest}


def test_an_agent_is_told_nothing():
    with pytest.raises(ScopeMissing):
        waiting_releases(revisions={claim().pk: 1}, scope=make_scope())
