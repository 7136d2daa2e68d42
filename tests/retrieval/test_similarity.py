import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.retrieval.similarity import (
    MAX_COUNTED_CHARACTERS,
    MINIMUM_RELEVANCE,
    UNRELATED_LEVEL,
    Coefficients,
    Signals,
    asks,
    best_of_others,
    calibrate,
    counted_length,
    evidence,
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


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        (["a", "a", "a"], [2.0, 3.0, 3.0]),
        (["a", "b", "a"], [1.0, 0.0, 3.0]),
        ([None, None, None], [0.0, 0.0, 0.0]),
    ],
)
def test_the_rest_of_a_session_is_its_best_other_member(groups, expected):
    assert best_of_others(np.array([3.0, 2.0, 1.0]), groups).tolist() == expected


def test_nothing_to_rank_is_no_similarity():
    assert calibrate(np.array([]), known=1.0).size == 0


def test_similarity_goes_down_in_steps_along_the_ranks():
    found = calibrate(np.array([20.0] * 2 + [18.0] * 3 + [16.0] * 5 + [15.0] + [10.0] * 50), known=1.0)

    assert found[1] > 0.99
    assert 0.75 < found[2] < 0.85
    assert 0.4 < found[9] < 0.5
    assert found[-1] < 0.01


def test_the_best_and_the_fourth_of_a_good_answer_are_told_apart():
    found = calibrate(np.array([20.0, 19.0, 18.0, 17.0, 16.0, 15.0, 14.0]), known=1.0)

    assert found[0] - found[3] > 0.15


def test_a_query_that_nothing_answers_finds_nothing_similar():
    assert calibrate(np.full(50, MINIMUM_RELEVANCE - 4), known=0.1).max() <= UNRELATED_LEVEL + 0.01


def test_of_a_few_memories_the_one_that_only_shares_a_name_is_not_similar():
    found = calibrate(np.array([12.0, 11.0, 8.3]), known=1.0)

    assert found[1] > 0.9
    assert found[2] < 0.12


def test_in_a_store_without_vectors_the_words_still_tell_the_answer_from_the_rest():
    found = calibrate(np.array([MINIMUM_RELEVANCE - 1.0, MINIMUM_RELEVANCE - 2.2]), known=0.45)

    assert found[0] > 0.7
    assert found[1] < 0.1


def test_in_a_small_store_every_good_answer_is_similar():
    assert calibrate(np.full(3, MINIMUM_RELEVANCE + 4), known=1.0).min() > 0.7


@given(RELEVANCES, st.floats(-1, 3))
def test_similarities_stay_within_zero_and_one(relevances, known):
    found = calibrate(relevances, known=known)

    assert ((found >= 0) & (found <= 1)).all()


@given(RELEVANCES, st.floats(-1, 3))
def test_similarity_keeps_the_order_of_relevance(relevances, known):
    found = calibrate(relevances, known=known)[np.argsort(relevances)]

    assert (np.diff(found) >= 0).all()


@given(RELEVANCES, st.floats(-1, 3), st.floats(0, 2))
def test_more_evidence_never_makes_anything_less_similar(relevances, known, more):
    assert (calibrate(relevances, known=known + more) >= calibrate(relevances, known=known)).all()


@given(RELEVANCES, st.floats(-1, 0.25))
def test_without_evidence_nothing_is_similar_however_it_stands_among_the_others(relevances, known):
    assert (calibrate(relevances, known=known) <= UNRELATED_LEVEL + 0.05).all()


@given(st.floats(0, 0.2), st.floats(0, 0.1), st.integers(1, 60), st.floats(0.5, 6))
def test_an_unrelated_question_scores_low_in_a_store_of_any_size(cosine, covered, size, length):
    """No named speaker, next to none of its words, and a cosine as two random sentences have."""
    spoken = signals(semantic=cosine, speaker=0.5, length=length)
    relevances = relevance(spoken)

    known = evidence(spoken, np.array([covered]), relevances)

    assert calibrate(np.repeat(relevances, size), known=known).max() < 0.35


@pytest.mark.parametrize("of", [{"semantic": 0.7}, {"semantic": 0.3, "identifier": 1.0}])
def test_a_close_meaning_or_an_exact_identifier_is_evidence_enough(of):
    spoken = signals(speaker=0.5, length=4.0, **of)

    assert calibrate(np.array([12.0]), known=evidence(spoken, np.array([0.2]), relevance(spoken)))[0] > 0.8


def test_a_long_text_gains_nothing_beyond_the_cap():
    assert counted_length("a" * 8000) == counted_length("a" * MAX_COUNTED_CHARACTERS)


@pytest.mark.parametrize(
    ("text", "expected"), [("Why? ", True), ("为什么？", True), ("Why? Because.", False), ("", False)]
)
def test_a_question_is_known_by_its_end(text, expected):
    assert asks(text) is expected
