from __future__ import annotations

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.demo.conversation import MAX_BATCH, MAX_BATCH_BYTES, batches, body_of, clipped, spread
from vault.demo.conversation_file import Question, Turn
from vault.demo.progress import Progress
from vault.demo.savings import Savings, worked_example


def turn(number: int, text: str = "The kettle is fixed.") -> Turn:
    return Turn(f"t/{number}", "talk-1", "Ana", text, datetime(2026, 5, 8, tzinfo=UTC), UUID(int=1))


@given(st.lists(st.text(max_size=9000), max_size=250))
def test_batches_hold_every_turn_once_and_stay_within_the_apis_limits(texts):
    turns = [turn(number, text) for number, text in enumerate(texts)]

    made = list(batches(turns, run="r"))

    assert [one for batch in made for one, _ in batch] == turns
    assert all(len(batch) <= MAX_BATCH for batch in made)
    # One turn can be longer than a batch may be; it then goes alone.
    sizes = [
        len(json.dumps({"memories": [body for _, body in batch]}).encode())
        for batch in made
        if len(batch) > 1
    ]
    assert all(size <= MAX_BATCH_BYTES + 100 for size in sizes)


def test_a_turn_is_written_as_an_event_of_this_run_dated_as_it_was_said():
    body = body_of(turn(7), run="abc")

    assert body["subject"] == "talk-1-abc"
    assert body["created_at"] == "2026-05-08T00:00:00+00:00"
    assert body["metadata"] == {"turn": "t/7", "speaker": "Ana"}


@pytest.mark.parametrize("count", [1, 3, 10, 99])
def test_questions_are_spread_over_all_of_them(count):
    questions = [Question("s", str(number), frozenset()) for number in range(10)]

    chosen = spread(questions, count)

    assert len(chosen) == min(count, 10)
    assert chosen[0] is questions[0]
    assert len(set(chosen)) == len(chosen)


def test_long_texts_are_clipped_to_one_line():
    assert "\n" not in clipped("one\ntwo " + "word " * 100)
    assert len(clipped("word " * 100)) == 96


def test_the_worked_example_loads_300_tokens_instead_of_300_000():
    example = worked_example()

    assert (example.loaded, example.kept) == (300, 300_000)
    assert example.share == pytest.approx(0.999)


def test_nothing_kept_saves_nothing():
    assert Savings(kept=0, loaded=0).share == 0.0


def test_progress_without_a_terminal_says_one_line_a_tenth():
    said: list[str] = []
    progress = Progress(100, said.append, is_terminal=False)

    for _ in range(100):
        progress.advance(1)
    progress.finish()

    assert len(said) == 10
    assert "100 of 100" in said[-1]


def test_progress_on_a_terminal_rewrites_one_line():
    said: list[str] = []
    progress = Progress(2, said.append, is_terminal=True)

    progress.advance(1)
    progress.advance(1)
    progress.finish()

    assert [line[:1] for line in said] == ["\r", "\r", "\n"]
