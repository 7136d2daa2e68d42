from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_quarantined_write, make_scope, staff_scope
from tests.lifecycle.reviewing.desk import change, row
from vault.errors import AlreadyClaimed, AlreadyDecided, NotFound, ScopeMissing
from vault.lifecycle.reviewing.claims import CLAIM, claim_write, claimant, let_go
from vault.lifecycle.reviewing.deciding import reject_write
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db


def holder(write) -> str:
    return claimant(row(write), now=timezone.now())


def reasons() -> list[str]:
    return list(AuditEntry.objects.filter(action="quarantine.assigned").values_list("reason", flat=True))


def test_a_claim_says_who_works_on_it_for_a_quarter_of_an_hour():
    write, me = make_quarantined_write(), staff_scope()

    claim_write(write_id=write.pk, scope=me)

    assert holder(write) == me.author
    assert claimant(row(write), now=timezone.now() + CLAIM + timedelta(seconds=1)) == ""


def test_somebody_elses_claim_is_told_and_stands():
    write, first = make_quarantined_write(), staff_scope()
    claim_write(write_id=write.pk, scope=first)

    with pytest.raises(AlreadyClaimed) as told:
        claim_write(write_id=write.pk, scope=staff_scope())

    assert told.value.facts["claimed_by"] == first.author
    assert holder(write) == first.author


def test_a_claim_can_be_taken_over_by_who_means_to():
    write, second = make_quarantined_write(), staff_scope()
    claim_write(write_id=write.pk, scope=staff_scope())

    claim_write(write_id=write.pk, scope=second, take_over=True)

    assert holder(write) == second.author
    assert reasons() == ["claimed", "taken_over"]


def test_a_claim_that_ran_out_is_free():
    write, second = make_quarantined_write(), staff_scope()
    change(write, assigned_to="staff:1", claimed_until=timezone.now() - timedelta(seconds=1))

    claim_write(write_id=write.pk, scope=second)

    assert holder(write) == second.author


def test_letting_go_frees_ones_own_and_no_others():
    write, me = make_quarantined_write(), staff_scope()
    claim_write(write_id=write.pk, scope=me)

    let_go(write_id=write.pk, scope=staff_scope())
    assert holder(write) == me.author
    let_go(write_id=write.pk, scope=me)
    assert holder(write) == ""


def test_a_claim_blocks_no_decision():
    write = make_quarantined_write()
    claim_write(write_id=write.pk, scope=staff_scope())

    reject_write(write_id=write.pk, revision=1, reason_code="x", scope=staff_scope())

    assert row(write).status == "rejected"
    assert holder(write) == ""


def test_what_is_decided_cannot_be_claimed():
    with pytest.raises(AlreadyDecided):
        claim_write(write_id=make_quarantined_write(status="released").pk, scope=staff_scope())


def test_what_is_not_there_cannot_be_claimed():
    with pytest.raises(NotFound):
        claim_write(write_id=new_id(), scope=staff_scope())


@pytest.mark.parametrize("act", [claim_write, let_go])
def test_an_agent_claims_nothing(act):
    with pytest.raises(ScopeMissing):
        act(write_id=make_quarantined_write().pk, scope=make_scope())
