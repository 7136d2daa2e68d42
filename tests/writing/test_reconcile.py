"""The decision over all neighbours of a draft."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from vault.types import Kind, Resolution, Trust
from vault.writing.reconcile import MAX_UNCLEAR, Neighbour, Reconciliation, reconcile

MAY, JUNE = datetime(2031, 5, 4, tzinfo=UTC), datetime(2031, 6, 4, tzinfo=UTC)


def neighbour(text: str, number: int = 1, **fields: Any) -> Neighbour:
    return Neighbour(
        UUID(int=number), text, fields.pop("trust", Trust.STATED), fields.pop("similarity", 0.9), **fields
    )


def decide(text: str, *neighbours: Neighbour, trust: Trust = Trust.STATED, **more: Any) -> Reconciliation:
    return reconcile(text, trust, neighbours, **more)


def test_without_neighbours_a_memory_is_created() -> None:
    assert decide("Her shoe size is 38.").resolution is Resolution.CREATE


def test_a_paraphrase_is_merged() -> None:
    decided = decide("Kiosk closing time: 18:00", neighbour("The kiosk shuts at 6 pm."))

    assert (decided.resolution, decided.merged) == (Resolution.MERGE, UUID(int=1))


def test_of_two_that_it_repeats_the_nearest_is_merged_into() -> None:
    decided = decide(
        "Kiosk closing time: 18:00",
        neighbour("The kiosk shuts at 6 pm.", 1, similarity=0.7),
        neighbour("The kiosk closes at six in the evening.", 2, similarity=0.8),
    )

    assert decided.merged == UUID(int=2)


def test_a_paraphrase_from_who_is_believed_more_takes_the_place() -> None:
    decided = decide(
        "Kiosk closing time: 18:00",
        neighbour("The kiosk shuts at 6 pm.", trust=Trust.INFERRED),
        trust=Trust.VERIFIED,
    )

    assert decided.superseded == (UUID(int=1),)


def test_another_value_supersedes() -> None:
    decided = decide("Her shoe size is 39.", neighbour("Her shoe size is 38."))

    assert (decided.resolution, decided.superseded) == (Resolution.SUPERSEDE, (UUID(int=1),))


def test_another_value_from_who_is_believed_less_is_a_conflict() -> None:
    decided = decide("Her shoe size is 39.", neighbour("Her shoe size is 38."), trust=Trust.INFERRED)

    assert (decided.resolution, decided.superseded) == (Resolution.CONFLICT, ())
    assert decided.conflicts == (UUID(int=1),)


def test_in_doubt_both_stand_and_a_person_is_asked() -> None:
    decided = decide("The lamp is red.", neighbour("The lamp is green."))

    assert (decided.resolution, decided.conflicts) == (Resolution.CONFLICT, (UUID(int=1),))


def test_no_more_than_a_few_doubts_are_raised_and_the_nearest_first() -> None:
    lamps = [
        neighbour(f"The lamp is {c}.", n, similarity=0.5 + n / 20)
        for n, c in enumerate(("green", "blue", "grey", "pink"), 1)
    ]

    decided = decide("The lamp is red.", *lamps)

    assert decided.conflicts == tuple(UUID(int=n) for n in (4, 3, 2))
    assert len(decided.conflicts) == MAX_UNCLEAR


def test_a_memory_far_away_is_not_read() -> None:
    assert (
        decide("Her shoe size is 39.", neighbour("Her shoe size is 38.", similarity=0.1)).resolution
        is Resolution.CREATE
    )


def test_the_same_statement_is_merged_without_a_vector() -> None:
    decided = decide("likes tea", neighbour("Likes tea", similarity=0.0, same_statement=True))

    assert decided.resolution is Resolution.MERGE


def test_what_the_writer_names_is_superseded_whatever_it_says() -> None:
    assert decide("Likes tea.", neighbour("The lamp is green.", named=True)).superseded == (UUID(int=1),)


def test_a_paraphrase_is_not_merged_when_the_writer_names_another_memory() -> None:
    decided = decide(
        "Kiosk closing time: 18:00",
        neighbour("The kiosk shuts at 6 pm.", 1),
        neighbour("The kiosk is open until five.", 2, named=True),
    )

    assert decided.resolution is Resolution.SUPERSEDE
    assert set(decided.superseded) == {UUID(int=1), UUID(int=2)}


def test_two_slots_are_two_matters() -> None:
    decided = decide("The city is Leeds.", neighbour("The city is Hull.", other_slot=True))

    assert decided.resolution is Resolution.CREATE


def test_an_event_on_another_day_is_not_merged() -> None:
    decided = decide(
        "Came late to the class.",
        neighbour("Came late to class.", kind=Kind.EVENT, occurred_at=MAY),
        kind=Kind.EVENT,
        occurred_at=JUNE,
    )

    assert decided.resolution is Resolution.CREATE


def test_an_event_never_supersedes_an_event() -> None:
    decided = decide("Her size is 39.", neighbour("Her size is 38.", kind=Kind.EVENT), kind=Kind.EVENT)

    assert decided.superseded == ()


def test_older_news_that_comes_later_supersedes_nothing() -> None:
    decided = decide("Her size is 38.", neighbour("Her size is 39.", occurred_at=JUNE), occurred_at=MAY)

    assert (decided.superseded, decided.conflicts) == ((), (UUID(int=1),))


TEXTS = st.sampled_from(
    [
        "Likes tea.",
        "Likes no tea.",
        "Her size is 38.",
        "Her size is 39.",
        "The size is 39",
        "The lamp is red.",
        "✓",
    ]
)
NEIGHBOURS = st.lists(
    st.builds(
        Neighbour,
        memory_id=st.uuids(),
        text=TEXTS,
        trust=st.sampled_from(Trust),
        similarity=st.floats(-1, 1),
        same_statement=st.booleans(),
        same_slot=st.booleans(),
        named=st.booleans(),
    ),
    max_size=6,
    unique_by=lambda n: n.memory_id,
)


@given(TEXTS, st.sampled_from(Trust), NEIGHBOURS)
def test_a_lower_trust_never_supersedes_a_higher_one(text: str, trust: Trust, near: list[Neighbour]) -> None:
    trusts = {n.memory_id: n.trust for n in near}

    assert all(trusts[m].rank <= trust.rank for m in reconcile(text, trust, near).superseded)


@given(TEXTS, st.sampled_from(Trust), NEIGHBOURS)
def test_a_memory_has_one_part_in_a_decision(text: str, trust: Trust, near: list[Neighbour]) -> None:
    decided = reconcile(text, trust, near)
    parts = (*decided.superseded, *decided.conflicts, *([decided.merged] if decided.merged else []))

    assert len(parts) == len(set(parts))


@given(TEXTS, st.sampled_from(Trust), NEIGHBOURS)
def test_a_merge_changes_nothing_else(text: str, trust: Trust, near: list[Neighbour]) -> None:
    decided = reconcile(text, trust, near)

    if decided.resolution is Resolution.MERGE:
        assert decided.superseded == decided.conflicts == ()
