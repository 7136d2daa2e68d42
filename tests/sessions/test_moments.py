"""When memories are looked for anew, and what a turn weighs."""

from __future__ import annotations

import numpy as np
import pytest

from vault.sessions.retrieval_moments import Topic, observe
from vault.sessions.weigh import DECISION, SYSTEM, WISH, weigh

NORTH, EAST = np.array([1.0, 0.0], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)


def near(cosine):
    return np.array([cosine, (1 - cosine**2) ** 0.5], dtype=np.float32)


def test_the_first_turn_is_the_topic():
    topic, shifted = observe(Topic(), NORTH, words=6)

    assert not shifted
    assert topic.vector is NORTH


def test_a_turn_far_away_begins_a_new_topic():
    assert observe(Topic(NORTH), EAST, words=6)[1]


def test_one_turn_that_is_not_near_is_an_aside():
    topic, shifted = observe(Topic(NORTH), near(0.15), words=6)

    assert (shifted, topic.doubts) == (False, 1)


def test_two_in_a_row_are_a_new_topic():
    topic, _ = observe(Topic(NORTH), near(0.15), words=6)

    assert observe(topic, near(0.15), words=6)[1]


def test_a_turn_that_is_near_again_takes_the_doubt_back():
    topic, _ = observe(Topic(NORTH), near(0.15), words=6)
    topic, shifted = observe(topic, near(0.9), words=6)

    assert (shifted, topic.doubts) == (False, 0)


def test_a_short_turn_says_nothing_of_the_topic():
    assert not observe(Topic(NORTH), EAST, words=2)[1]


def test_a_turn_without_a_vector_changes_nothing():
    assert not observe(Topic(NORTH), None, words=9)[1]


@pytest.mark.parametrize(
    ("role", "text", "weight"),
    [
        ("system", "Answer in Danish.", SYSTEM),
        ("user", "I prefer short replies.", WISH),
        ("user", "Nothing may cost more than 300.", WISH),
        ("assistant", "I'll send the form by Friday.", DECISION),
        ("user", "We decided on oak.", DECISION),
    ],
)
def test_instructions_wishes_and_decisions_have_their_bands(role, text, weight):
    assert weigh(role, text) == weight


@pytest.mark.parametrize("text", ["Hello!", "The depot opens at six.", "What do you prefer?", "ok thanks"])
def test_everything_else_stays_below(text):
    assert weigh("user", text) < DECISION


def test_of_a_tool_the_conclusion_weighs():
    assert weigh("tool", "We decided on oak.", conclusion="") < DECISION
