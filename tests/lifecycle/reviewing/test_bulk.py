from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.factories import make_quarantined_write, make_scope, make_subject, staff_scope
from tests.lifecycle.reviewing.desk import CLAIM, actions_on, change, memories, row, verdict_of
from vault.errors import InvalidField, ScopeMissing
from vault.lifecycle.reviewing.bulk import MAX_BULK, BulkVerb, Choice, decide_many
from vault.models.identifiers import new_id

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]


def decide(*writes, verb=BulkVerb.RELEASE, scope=None):
    return decide_many(
        choices=[Choice(write.pk, 1) for write in writes], verb=verb, reason_code="fine",
        scope=scope or staff_scope(),
    )  # fmt: skip


def states(*writes) -> list[str]:
    return [row(write).status for write in writes]


def codes(result) -> list[str]:
    return [item.refusal.code if item.refusal else "" for item in result.items]


def test_all_that_were_marked_are_let_in():
    writes = [make_quarantined_write(f"Boat {number} is blue.") for number in range(3)]

    result = decide(*writes)

    assert result.done
    assert states(*writes) == ["released"] * 3
    assert {item.memory_id for item in result.items} == {memory.pk for memory in memories()}


def test_writes_of_one_subject_are_decided_together():
    subject = make_subject()
    writes = [make_quarantined_write(f"Boat {number} is blue.", subject=subject) for number in range(3)]

    assert decide(*writes).done
    assert len(memories()) == 3


def test_all_that_were_marked_are_kept_out():
    writes = [make_quarantined_write() for _ in range(3)]

    assert decide(*writes, verb=BulkVerb.REJECT).done
    assert states(*writes) == ["rejected"] * 3


@pytest.mark.parametrize("verb", BulkVerb)
def test_if_one_is_decided_already_none_is(verb):
    free, decided = make_quarantined_write(), make_quarantined_write(status="rejected")

    result = decide(free, decided, verb=verb)

    assert not result.done
    assert codes(result) == ["", "already_decided"]
    assert states(free) == ["pending"]
    assert memories() == []


def test_one_that_fails_in_the_transaction_takes_the_others_back():
    first, last = make_quarantined_write("A boat."), make_quarantined_write("A car.", memory_id=new_id())

    result = decide(first, last)

    assert codes(result) == ["", "invalid_transition"]
    assert states(first, last) == ["pending", "pending"]
    assert memories() == []
    assert actions_on(first.pk) == []


def test_a_high_impact_claim_is_never_let_in_this_way():
    plain, claim = make_quarantined_write(), make_quarantined_write(verdict=verdict_of(CLAIM))

    result = decide(plain, claim)

    assert codes(result) == ["", "approval_required"]
    assert states(plain, claim) == ["pending", "pending"]


def test_a_claim_that_only_todays_screening_sees_is_not_let_in_this_way(judged):
    write = make_quarantined_write()
    judged[0] = verdict_of(CLAIM)

    assert codes(decide(write)) == ["approval_required"]


def test_a_high_impact_claim_may_be_kept_out_this_way():
    claim = make_quarantined_write(verdict=verdict_of(CLAIM))

    assert decide(claim, verb=BulkVerb.REJECT).done


def test_one_that_changed_since_it_was_listed_stops_all():
    write, changed = make_quarantined_write(), make_quarantined_write()
    change(changed, revision=2)

    assert codes(decide(write, changed, verb=BulkVerb.REJECT)) == ["", "stale_version"]
    assert states(write) == ["pending"]


def test_a_refusal_of_one_is_an_entry_of_its_own():
    write = make_quarantined_write(status="rejected")

    decide(write)

    entry = AuditEntry.objects.get(action="quarantine.decision_refused")
    assert (entry.target_id, entry.reason) == (str(write.pk), "already_decided")


def test_results_come_in_the_order_of_the_marks():
    writes = [make_quarantined_write(f"Boat {number} is blue.") for number in range(4)][::-1]

    assert [item.write_id for item in decide(*writes).items] == [write.pk for write in writes]


@pytest.mark.parametrize("count", [0, MAX_BULK + 1])
def test_none_or_too_many_is_refused(count):
    choices = [Choice(new_id(), 1) for _ in range(count)]

    with pytest.raises(InvalidField):
        decide_many(choices=choices, verb=BulkVerb.REJECT, reason_code="x", scope=staff_scope())


def test_the_same_write_twice_is_refused():
    write = make_quarantined_write()

    with pytest.raises(InvalidField):
        decide(write, write)


def test_an_agent_decides_nothing():
    with pytest.raises(ScopeMissing):
        decide(make_quarantined_write(), scope=make_scope())
