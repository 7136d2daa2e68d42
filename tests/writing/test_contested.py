"""An open conflict is not ended by one more write of whoever is believed less."""

from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import staff_scope
from vault.lifecycle.conflicts import decide_conflict, list_conflicts
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.versions import roll_back
from vault.models import Conflict, ConflictStatus, Memory, isolation
from vault.retrieval.search import SearchQuery, search
from vault.types import SourceType
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)

STOOD = "The parcel address of the customer is 12 Harbour Street in Kingsport."
CLAIM = "The parcel address of the customer is 9 Mill Lane in Kingsport."
AGAIN = "The parcel address of the customer was changed to 9 Mill Lane in Kingsport."


def outsider():
    return make_agent_scope(agent="mail-bot")


def state(text: str, **fields):
    return write_memory(draft=make_draft(text, **fields), scope=make_agent_scope())


def claim(text: str, **fields):
    return write_memory(draft=make_draft(text, source=SourceType.AGENT, **fields), scope=outsider())


def change(memory: Memory, version: int, text: str, scope=None):
    return change_memory(
        memory_id=memory.pk, changes={"text": text}, expected_version=version, reason="corrected",
        scope=scope or outsider(),
    )  # fmt: skip


def conflicts(**fields) -> list[Conflict]:
    with transaction.atomic():
        isolation.open_everything()
        return list(Conflict.objects.filter(**fields).order_by("created_at", "pk"))


def open_pairs():
    return [(row.standing_id, row.challenger_id) for row in conflicts(status=ConflictStatus.OPEN)]


@pytest.fixture
def pair():
    """A statement of the person, and what somebody outside claims against it."""
    stood = state(STOOD).memory.row
    claimed = claim(CLAIM)
    assert len(claimed.conflicts) == 1
    return stood, claimed.memory.row


def test_what_takes_the_place_of_a_challenger_challenges_in_its_stead(pair):
    stood, claimed = pair

    written = claim(AGAIN, supersedes=(claimed.pk,))

    assert written.superseded == (claimed.pk,)
    assert open_pairs() == [(stood.pk, written.memory.row.pk)]
    assert written.conflicts == (conflicts(status="open")[0].pk,)
    assert written.memory.conflicts_with == (stood.pk,)


def test_both_are_served_as_disputed_after_one_more_write(pair):
    stood, claimed = pair
    written = claim(AGAIN, supersedes=(claimed.pk,))

    found = search(
        query=SearchQuery("S1", "parcel address of the customer"), scope=make_agent_scope()
    ).results

    assert [hit.memory.row.pk for hit in found] == [stood.pk, written.memory.row.pk]
    assert [hit.memory.is_disputed for hit in found] == [False, True]


def test_the_old_conflict_is_closed_with_a_code_and_both_steps_are_entries(pair):
    _, claimed = pair
    (before,) = conflicts()

    claim(AGAIN, supersedes=(claimed.pk,))

    (closed,) = conflicts(status="closed")
    assert (closed.pk, closed.reason_code) == (before.pk, "inherited")
    ended = AuditEntry.objects.get(action="conflict.closed")
    assert (ended.target_id, ended.reason) == (str(before.pk), "inherited")
    opened = AuditEntry.objects.filter(action="conflict.opened").last()
    assert opened.facts["after"] == str(before.pk)


def test_what_takes_the_place_of_the_standing_one_is_challenged_in_its_stead(pair):
    stood, claimed = pair

    written = state(
        "The parcel address of the customer is 14 Harbour Street in Kingsport now.", supersedes=(stood.pk,)
    )

    with_the_claim = {frozenset(one) for one in open_pairs()}
    if claimed.pk in written.superseded:
        assert with_the_claim == set()
    else:
        assert with_the_claim == {frozenset((written.memory.row.pk, claimed.pk))}


def test_what_takes_the_place_of_both_ends_the_conflict(pair):
    stood, claimed = pair

    state("The parcel address of the customer is the shop.", supersedes=(stood.pk, claimed.pk))

    assert [(row.status, row.reason_code) for row in conflicts()] == [("closed", "gave_way")]


def test_a_claim_that_is_replaced_by_another_matter_is_in_doubt_no_more(pair):
    _, claimed = pair

    written = claim("Cats like milk in the evening.", supersedes=(claimed.pk,))

    assert written.conflicts == ()
    assert [row.reason_code for row in conflicts()] == ["another_matter"]


def test_another_slot_is_no_way_out(pair):
    stood, claimed = pair

    written = claim(AGAIN, supersedes=(claimed.pk,), attribute="something_else")

    assert open_pairs() == [(stood.pk, written.memory.row.pk)]


def test_a_change_to_another_matter_leaves_the_trusted_statement_alone(pair):
    _, claimed = pair

    change(claimed, 1, "Cats like milk in the evening.")

    assert [(row.status, row.reason_code) for row in conflicts()] == [("closed", "another_matter")]


def test_a_change_to_other_words_of_the_claim_stays_in_conflict_and_says_which(pair):
    stood, claimed = pair

    change(claimed, 1, AGAIN)

    assert open_pairs() == [(stood.pk, claimed.pk)]


def test_going_back_to_a_claim_opens_its_conflict_again(pair):
    stood, claimed = pair
    change(claimed, 1, "Cats like milk in the evening.")

    roll_back(memory_id=claimed.pk, version=1, expected_version=2, reason="wrong", scope=outsider())

    assert open_pairs() == [(stood.pk, claimed.pk)]


def test_two_that_are_before_a_person_are_not_put_there_twice(pair):
    stood, claimed = pair

    changed = change(claimed, 1, "The parcel address of the customer is 11 Mill Lane in Kingsport.")

    assert open_pairs() == [(stood.pk, claimed.pk)]
    assert set(changed.conflicts) <= {row.pk for row in conflicts(status="open")}


def test_a_conflict_with_a_side_that_was_forgotten_is_listed_and_holds_again_when_that_is_back(pair):
    stood, claimed = pair
    forget_memory(memory_id=claimed.pk, expected_version=1, reason="wrong", scope=outsider())
    assert [row.challenger.status for row in list_conflicts(scope=staff_scope()).rows] == ["forgotten"]

    restore_memory(memory_id=claimed.pk, expected_version=2, reason="right", scope=staff_scope())

    assert open_pairs() == [(stood.pk, claimed.pk)]


def test_what_a_person_lets_win_inherits_what_challenged_the_loser(pair):
    stood, claimed = pair
    other = claim("The parcel address of the customer is 3 Quay Road in Kingsport.")
    assert len(open_pairs()) >= 2
    conflict = next(row for row in conflicts() if row.challenger_id == claimed.pk)

    decide_conflict(
        conflict_id=conflict.pk, decision=ConflictStatus.REPLACED, standing_version=1, challenger_version=1,
        reason="source_confirmed", scope=staff_scope(),
    )  # fmt: skip

    assert all(stood.pk not in one for one in open_pairs())
    if other.memory.row.pk != claimed.pk and claimed.pk not in other.superseded:
        assert {frozenset(one) for one in open_pairs()} == {frozenset((claimed.pk, other.memory.row.pk))}
