import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.retrieval.similarity import (
    MAX_COUNTED_CHARACTERS,
    MINIMUM_RELEVANCE,
    Coefficients,
    Signals,
    asks,
    calibrate,
    counted_length,
    relevance,
)

NAMES = list(Signals.__dataclass_fields__)
RELEVANCES = st.lists(st.floats(-1e3, 1e3), max_size=30).map(
    lambda values: np.array(values, dtype=np.float64)
)


def signals(**of: float) -> Signals:
    return Signals(**{name: np.array([of.get(name, 0.0)]) for name in NAMES})


def test_every_signal_has_its_coefficient():
    assert list(Coefficients.__dataclass_fields__) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_signal_adds_what_its_coefficient_says(name):
    assert relevance(signals(**{name: 2.0}))[0] == pytest.approx(2 * getattr(Coefficients(), name))


def test_nothing_to_rank_is_no_similarity():
    assert calibrate(np.array([])).size == 0


def test_what_stands_above_the_tenth_best_nears_one_and_what_stands_below_nears_zero():
    found = calibrate(np.array([20.0] * 9 + [15.0] + [10.0] * 50))

    assert found[0] > 0.9
    assert found[-1] < 0.01


def test_a_query_that_nothing_answers_finds_nothing_similar():
    assert calibrate(np.full(50, MINIMUM_RELEVANCE - 4)).max() < 0.01


def test_in_a_small_store_every_good_answer_is_similar():
    assert calibrate(np.full(3, MINIMUM_RELEVANCE + 4)).min() > 0.7


@given(RELEVANCES)
def test_similarities_stay_within_zero_and_one(relevances):
    found = calibrate(relevances)

    assert ((found >= 0) & (found <= 1)).all()


@given(RELEVANCES)
def test_similarity_keeps_the_order_of_relevance(relevances):
    found = calibrate(relevances)[np.argsort(relevances)]

    assert (np.diff(found) >= 0).all()


def test_a_long_text_gains_nothing_beyond_the_cap():
    assert counted_length("a" * 8000) == counted_length("a" * MAX_COUNTED_CHARACTERS)


@pytest.mark.parametrize(
    ("text", "expected"), [("Why? ", True), ("为什么？", True), ("Why? Because.", False), ("", False)]
)
def test_a_question_is_known_by_its_end(text, expected):
    assert asks(text) is expected
