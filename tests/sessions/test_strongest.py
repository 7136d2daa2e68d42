"""The weightiest points of a running session, kept in one row, are those that all blocks together would give."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vault.keys import key_vault
from vault.lifecycle.integrity import verify_subject
from vault.models import SessionSummary, SummaryLevel, isolation
from vault.sessions import strongest, window
from vault.sessions.append import append_turns
from vault.sessions.arrange import digest
from vault.sessions.end import end_session
from vault.sessions.erase_turn import erase_turn
from vault.sessions.records import TurnDraft
from vault.sessions.start import start_session
from vault.sessions.strongest import MOST_POINTS, Strongest, cut, place_of, strongest_of
from vault.sessions.summaries import points_of_session
from vault.sessions.summarise import Point, newest_of_equal
from vault.sessions.window import read_window

BLOCK = 40
PATIENT = settings(suppress_health_check=list(HealthCheck), max_examples=60)
WEIGHTS = st.sampled_from([0.3, 0.45, 0.9, 1.0, 1.15])
# Of each block what its points weigh, and which of a few texts they say; a text of its own where it is none.
BLOCKS = st.lists(
    st.lists(st.tuples(WEIGHTS, st.none() | st.integers(0, 3)), max_size=14), min_size=1, max_size=30
)


def point(turn: int, weight: float, text: str = "") -> Point:
    return Point(turn, "user", "fact", text or f"The lamp of turn {turn} is green.", "stated", weight)


def points_of_block(block: int, said: list[tuple[float, int | None]]) -> list[Point]:
    return [
        point(block * BLOCK + 1 + index, weight, "" if which is None else f"I want lamp {which} in my hall.")
        for index, (weight, which) in enumerate(said)
    ]


@PATIENT
@given(BLOCKS, st.integers(3, 40))
def test_what_is_kept_is_all_that_weighs_more_than_its_floor(blocks, most):
    kept, every = Strongest([]), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strongest, "MOST_POINTS", most)
        for block, said in enumerate(blocks):
            every += points_of_block(block, said)
            kept = kept.with_later(points_of_block(block, said))
            kept = cut(kept.points, floor=kept.floor)

            assert kept.points == [
                each for each in newest_of_equal(every) if kept.floor is None or place_of(each) > kept.floor
            ]
            assert len(kept.points) <= most


@PATIENT
@given(BLOCKS, st.integers(60, 2000))
def test_a_summary_of_the_strongest_is_that_of_all_unless_it_says_that_there_is_room(blocks, budget):
    every = [p for number, said in enumerate(blocks) for p in points_of_block(number, said)]
    earlier = newest_of_equal([replace(each, session="a") for each in every[::3]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strongest, "MOST_POINTS", 12)
        behind = len(blocks) // 2 * BLOCK
        kept = cut([each for each in every if each.turn <= behind])
        kept = kept.with_later([each for each in every if each.turn > behind])

    some = digest([*kept.above(earlier), *kept.points], budget=budget)

    if kept.is_all or not some.has_room:
        assert some.points == digest([*earlier, *every], budget=budget).points


def test_few_points_are_kept_as_they_are():
    points = [point(number, 0.3) for number in range(1, MOST_POINTS + 1)]

    assert cut(points) == Strongest(points)


# --- with a database ---


@pytest.fixture
def session(scope, monkeypatch):
    """A session of three full blocks and a few turns, long enough for the strongest to be kept."""
    monkeypatch.setattr(strongest, "FEW_BLOCKS", 2)
    monkeypatch.setattr(strongest, "MOST_POINTS", 20)
    row = start_session(subject="S1", namespace="default", scope=scope).row
    say(row, scope, 125)
    return row


def say(session, scope, turns, start=0):
    texts = [
        f"We decided to put pallet {n} into hall {n}." if n % 7 == 0 else f"Pallet {n} came in at noon."
        for n in range(start + 1, start + turns + 1)
    ]
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", text) for text in texts], scope=scope)


def kept_of(session):
    """The row, what it holds, and the points of all blocks."""
    with transaction.atomic():
        isolation.open_everything()
        session.refresh_from_db()
        keys = key_vault().subject(session.subject_id)
        row = SessionSummary.objects.filter(session=session, level=SummaryLevel.STRONGEST).first()
        return row, strongest_of(session, keys=keys), points_of_session(session, keys=keys)


@pytest.mark.django_db(transaction=True)
def test_it_follows_the_blocks_as_they_fill_up(session, scope):
    before, kept, _ = kept_of(session)
    say(session, scope, 40, start=125)
    after, later, every = kept_of(session)

    assert (before.last, after.last) == (120, 160)
    assert not kept.is_all
    assert later.points == [each for each in every if place_of(each) > later.floor]
    verify_subject(session.subject_id)


@pytest.mark.django_db(transaction=True)
def test_what_an_erased_turn_said_is_in_it_no_more(session, scope):
    _, kept, _ = kept_of(session)
    turn = kept.points[0].turn

    erase_turn(session_id=session.pk, number=turn, scope=scope)

    _, later, every = kept_of(session)
    assert turn not in {each.turn for each in later.points}
    assert later.points == [each for each in every if later.is_all or place_of(each) > later.floor]
    verify_subject(session.subject_id)


@pytest.mark.django_db(transaction=True)
def test_what_was_said_before_stands_again_when_its_newest_saying_is_erased(session, scope):
    wish = TurnDraft("user", "We decided to put pallet 7 into hall 7 of Lindholm.")
    append_turns(session_id=session.pk, drafts=[wish], scope=scope)
    say(session, scope, 40, start=126)
    append_turns(session_id=session.pk, drafts=[wish], scope=scope)
    say(session, scope, 40, start=167)

    _, kept, _ = kept_of(session)
    assert [each.turn for each in kept.points if each.text == wish.text] == [167]
    erase_turn(session_id=session.pk, number=167, scope=scope)

    _, kept, _ = kept_of(session)
    assert [each.turn for each in kept.points if each.text == wish.text] == [126]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("max_tokens", [500, 800, 1200])
def test_a_window_is_the_same_with_and_without_it(session, scope, monkeypatch, max_tokens):
    def shown():
        found = read_window(session_id=session.pk, max_tokens=max_tokens, scope=scope)
        return found.arrangement.summary.text, [turn.row.number for turn in found.turns]

    with_it = shown()
    monkeypatch.setattr(
        window, "strongest_of", lambda session, *, keys: Strongest(points_of_session(session, keys=keys))
    )

    assert with_it[0]
    assert with_it == shown()


@pytest.mark.django_db(transaction=True)
def test_a_session_that_ended_has_none(session, scope):
    end_session(session_id=session.pk, scope=scope, extract=False)

    row, _, _ = kept_of(session)
    assert row is None
    verify_subject(session.subject_id)


@pytest.mark.django_db(transaction=True)
def test_a_wish_repeated_in_many_turns_leaves_the_decisions_their_place(session, scope):
    wishes = [
        f"{opening} please send every parcel to the hall. I want 24 green lamps from Lindholm."
        for opening in (f"Lamp {n}:" for n in range(80))
    ]
    append_turns(session_id=session.pk, drafts=[TurnDraft("user", text) for text in wishes], scope=scope)

    summary = read_window(session_id=session.pk, max_tokens=1500, scope=scope).arrangement.summary

    said = [" ".join(each.text.casefold().split()) for each in summary.points]
    assert len(said) == len(set(said))
    assert any(each.kind == "decision" for each in summary.points)
