"""Two reviewers at the same instant: what one decides or takes, the other finds decided or taken."""

from __future__ import annotations

import pytest

from tests.factories import make_quarantined_write, staff_scope
from tests.lifecycle.reviewing.desk import CLAIM, actions_on, memories, row, verdict_of
from tests.lifecycle.test_races import at_once
from vault.errors import AlreadyClaimed, VaultError
from vault.lifecycle.approvals import approve
from vault.lifecycle.reviewing.bulk import BulkResult, BulkVerb, Choice, decide_many
from vault.lifecycle.reviewing.claims import claim_write
from vault.lifecycle.reviewing.four_eyes import ask_release, carry_out_release
from vault.models import ApprovalKind

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("judged")]


@pytest.mark.parametrize("verb", BulkVerb)
def test_of_two_bulk_decisions_on_the_same_writes_one_is_whole_and_one_is_none(verb):
    writes = [make_quarantined_write(f"Boat {number} is blue.") for number in range(4)]
    choices = [Choice(write.pk, 1) for write in writes]

    def decide(order):
        scope = staff_scope()
        return lambda: decide_many(choices=order, verb=verb, reason_code="fine", scope=scope)

    results = [r for r in at_once(decide(choices), decide(choices[::-1])) if isinstance(r, BulkResult)]

    assert sorted(result.done for result in results) == [False, True]
    states = {row(write).status for write in writes}
    assert states == {"released" if verb is BulkVerb.RELEASE else "rejected"}
    assert len(memories()) == (4 if verb is BulkVerb.RELEASE else 0)


def test_of_two_claims_one_holds():
    write = make_quarantined_write()
    scopes = [staff_scope(), staff_scope()]

    answers = at_once(
        lambda: claim_write(write_id=write.pk, scope=scopes[0]),
        lambda: claim_write(write_id=write.pk, scope=scopes[1]),
    )

    assert sum(isinstance(answer, AlreadyClaimed) for answer in answers) == 1
    assert row(write).assigned_to in {scope.author for scope in scopes}


def test_what_two_agreed_on_is_carried_out_once_by_two_at_once():
    write = make_quarantined_write("Refunds are approved by two people.", verdict=verdict_of(CLAIM))
    asked = ask_release(write_id=write.pk, revision=1, reason_code="fine", scope=staff_scope())
    approval = approve(approval_id=asked.pk, kinds={ApprovalKind.RELEASE}, scope=staff_scope())
    scopes = [staff_scope(), staff_scope()]

    answers = at_once(
        lambda: carry_out_release(approval, scopes[0]), lambda: carry_out_release(approval, scopes[1])
    )

    assert sum(isinstance(answer, VaultError) for answer in answers) == 1
    assert len(memories()) == 1
    assert actions_on(write.pk).count("quarantine.released") == 1
