"""What a reader is told of two memories that contradict each other while nobody has decided between them."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_scope
from vault.errors import NotFound
from vault.lifecycle.conflicts import decide_conflict, list_conflicts, open_conflict
from vault.lifecycle.forget import forget_memory
from vault.models import ConflictStatus, Memory, isolation
from vault.retrieval.disputes import Dispute, behind_what_they_challenge
from vault.retrieval.disputes import disputed as doubted
from vault.retrieval.read import get_memory
from vault.retrieval.recall import build_context
from vault.retrieval.search import SearchQuery, search
from vault.types import SourceType
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory

IDS = [UUID(int=number) for number in range(1, 7)]
STOOD = "The supplier S1 delivers to the depot on Mondays."
CHALLENGE = "The supplier S1 delivers to the depot on Thursdays."


def in_order(ids, *pairs: tuple[UUID, UUID]) -> list[UUID]:
    """`pairs` are a challenger that is believed less and what it challenges."""
    disputes = [Dispute(standing, challenger, True) for challenger, standing in pairs]
    return behind_what_they_challenge(ids, disputes, key=lambda each: each)


def test_a_challenger_comes_right_behind_what_it_challenges():
    one, two, three, four, *_ = IDS
    assert in_order([one, two, three, four], (one, three)) == [two, three, one, four]


def test_a_challenger_of_two_comes_behind_the_last_of_them():
    one, two, three, four, *_ = IDS
    assert in_order([one, two, three, four], (one, two), (one, four)) == [two, three, four, one]


def test_what_challenges_a_challenger_comes_behind_that():
    one, two, three, four, *_ = IDS
    assert in_order([one, two, three, four], (one, two), (two, three)) == [three, two, one, four]


def test_what_stands_but_is_not_in_the_answer_holds_nothing_back():
    one, two, *_ = IDS
    assert in_order([one, two], (one, IDS[5])) == [one, two]


def test_a_challenger_that_is_believed_as_much_keeps_its_place():
    one, two, *_ = IDS
    dispute = Dispute(standing=two, challenger=one, challenger_is_believed_less=False)
    assert behind_what_they_challenge([one, two], [dispute], key=lambda each: each) == [one, two]


@given(
    st.permutations(IDS),
    st.sets(
        st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1]), max_size=8
    ),
)
def test_nothing_is_lost_and_every_challenger_is_behind_all_that_it_challenges(ranked, pairs):
    found = in_order(ranked, *((IDS[challenger], IDS[standing]) for challenger, standing in pairs))

    assert sorted(found) == sorted(ranked)
    for challenger, standing in pairs:
        assert found.index(IDS[standing]) < found.index(IDS[challenger])


@given(st.permutations(IDS), st.sets(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), max_size=12))
def test_a_ring_of_challenges_loses_nothing(ranked, pairs):
    assert sorted(in_order(ranked, *pairs)) == sorted(ranked)


@pytest.fixture
def disputed(db):
    """A statement of the person, and what an agent wrote later against it."""
    stood = write_memory(draft=make_draft(STOOD), scope=make_agent_scope())
    challenge = write_memory(
        draft=make_draft(CHALLENGE, source=SourceType.AGENT), scope=make_agent_scope(agent="scribe")
    )
    assert len(challenge.conflicts) == 1
    return stood.memory.row.pk, challenge.memory.row.pk


def found(text: str, **options):
    query = SearchQuery("S1", text, **options)
    return [hit.memory for hit in search(query=query, scope=make_agent_scope()).results]


@pytest.mark.django_db(transaction=True)
class TestServed:
    def test_what_is_believed_less_is_served_behind_what_it_contradicts(self, disputed):
        memories = found("on Thursdays, delivers the supplier S1 to the depot on Thursdays?")

        assert tuple(memory.row.pk for memory in memories) == disputed

    def test_each_side_names_the_other(self, disputed):
        stood, challenge = disputed
        sides = {memory.row.pk: memory.conflicts_with for memory in found("supplier S1 deliveries")}

        assert sides == {stood: (challenge,), challenge: (stood,)}
        assert get_memory(memory_id=challenge, scope=make_agent_scope()).conflicts_with == (stood,)

    def test_the_write_that_opens_a_conflict_is_answered_with_it(self):
        stood = write_memory(draft=make_draft(STOOD), scope=make_agent_scope())
        draft = make_draft(CHALLENGE, source=SourceType.AGENT)

        written = write_memory(draft=draft, scope=make_agent_scope(agent="scribe"))

        assert written.memory.conflicts_with == (stood.memory.row.pk,)

    def test_a_block_marks_the_challenger_and_not_what_is_believed_more(self, disputed):
        block = build_context(query=SearchQuery("S1", "supplier S1 deliveries"), scope=make_agent_scope())

        stood, challenge = block.text.splitlines()[1:]
        assert challenge.partition("]")[0].endswith("| disputed")
        assert "disputed" not in stood

    def test_a_block_marks_both_lines_where_both_are_believed_alike(self):
        write_memory(draft=make_draft("The lamp in the hall is green."), scope=make_agent_scope())
        doubt = write_memory(draft=make_draft("The lamp in the hall is red."), scope=make_agent_scope())
        assert len(doubt.conflicts) == 1

        block = build_context(query=SearchQuery("S1", "the lamp in the hall"), scope=make_agent_scope())

        assert [line.partition("]")[0].endswith("| disputed") for line in block.text.splitlines()[1:]] == [
            True
        ] * 2

    def test_what_contradicts_nothing_is_not_marked(self, disputed):
        write_memory(draft=make_draft("Prefers replies in Hindi."), scope=make_agent_scope())

        (memory,) = [m for m in found("language of replies") if m.content.text == "Prefers replies in Hindi."]
        assert memory.conflicts_with == ()

    @pytest.mark.parametrize("decision", [ConflictStatus.BOTH, ConflictStatus.KEPT, ConflictStatus.REPLACED])
    def test_a_decision_takes_the_mark_away(self, disputed, decision):
        staff = make_scope(everything=True)
        (row,) = list_conflicts(scope=staff).rows
        opened = open_conflict(conflict_id=row.pk, scope=staff)

        decide_conflict(
            conflict_id=row.pk, decision=decision, reason="confirmed", scope=staff,
            standing_version=opened.standing.row.version, challenger_version=opened.challenger.row.version,
        )  # fmt: skip

        assert [memory.conflicts_with for memory in found("supplier S1 deliveries")] == [()] * (
            2 if decision is ConflictStatus.BOTH else 1
        )

    def test_a_look_back_before_the_conflict_knows_none(self, disputed):
        stood, _ = disputed
        before = get_memory(memory_id=stood, scope=make_agent_scope()).row.created_at + timedelta(
            microseconds=1
        )

        (memory,) = found("supplier S1 deliveries", as_of=before)
        assert (memory.row.pk, memory.conflicts_with) == (stood, ())

    def test_a_look_back_to_when_it_was_open_marks_both(self, disputed):
        assert all(memory.conflicts_with for memory in found("supplier S1 deliveries", as_of=timezone.now()))

    def test_a_conflict_of_another_subject_marks_nothing(self, disputed):
        write_memory(draft=make_draft(STOOD, subject="S2"), scope=make_agent_scope())

        hits = search(query=SearchQuery("S2", "supplier S1 deliveries"), scope=make_agent_scope()).results
        assert [hit.memory.conflicts_with for hit in hits] == [()]

    def test_a_stranger_learns_of_no_conflict(self, disputed):
        with pytest.raises(NotFound):
            get_memory(memory_id=disputed[0], scope=make_agent_scope("other", agent="stranger"))


def test_of_two_the_one_that_is_believed_less_waits_behind_the_other_whichever_came_first():
    one, two, *_ = IDS
    dispute = Dispute(
        standing=one, challenger=two, challenger_is_believed_less=False, standing_is_believed_less=True
    )

    assert behind_what_they_challenge([one, two], [dispute], key=lambda each: each) == [two, one]
    assert doubted([dispute]) == {one}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["forgotten", "expired"])
def test_a_look_back_names_no_claim_that_is_out_of_reach_by_now(disputed, how):
    stood, challenge = disputed
    then = timezone.now()
    with transaction.atomic():
        isolation.open_everything()
        claim = Memory.objects.get(pk=challenge)
        isolation.close()
    if how == "forgotten":
        forget_memory(memory_id=challenge, expected_version=1, reason="wrong", scope=make_agent_scope())
    else:
        change_memory(
            memory_id=challenge, changes={"expires_at": then + timedelta(milliseconds=1)},
            expected_version=claim.version, reason="ends", scope=make_agent_scope(),
        )  # fmt: skip
    (served,) = found("supplier S1 deliveries", as_of=then)

    assert (served.row.pk, served.conflicts_with, served.is_disputed) == (stood, (), False)


@pytest.mark.django_db(transaction=True)
def test_a_look_back_knows_a_conflict_of_one_that_gave_way_since(disputed):
    stood, challenge = disputed
    then = timezone.now()
    write_memory(
        draft=make_draft("Cats like milk.", source=SourceType.AGENT, supersedes=(challenge,)),
        scope=make_agent_scope(agent="scribe"),
    )

    sides = {memory.row.pk: memory.conflicts_with for memory in found("supplier S1 deliveries", as_of=then)}

    assert sides[stood] == (challenge,)
