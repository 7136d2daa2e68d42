import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.errors import InvalidField
from vault.retrieval.score import Decay, Weights, recency, score

UNIT = st.floats(0, 1)


@pytest.mark.parametrize(
    ("similarity", "age_days", "importance", "expected"),
    [(0.9, 60, 0.3, 0.648), (0.7, 2, 0.6, 0.749), (0.5, 10, 0.9, 0.633), (0.2, 1, 0.1, 0.379)],
)
def test_the_table_of_the_specification_is_reproduced(similarity, age_days, importance, expected):
    assert round(score(similarity, recency(age_days), importance).score, 3) == expected


def test_two_half_lives_leave_a_quarter():
    assert recency(40, half_life_days=20) == 0.25


def test_one_half_life_leaves_half_of_the_recency_in_the_score():
    assert score(0.8, recency(20, half_life_days=20), 0.5).score == pytest.approx(0.68)


def test_hyperbolic_decay_also_halves_at_the_half_life_and_has_a_longer_tail():
    assert recency(20, half_life_days=20, decay=Decay.HYPERBOLIC) == 0.5
    assert recency(300, decay=Decay.HYPERBOLIC) > recency(300)


def test_a_future_date_counts_as_now_and_outranks_nothing():
    future = score(0.2, recency(-60), 0.0).score
    present = score(0.6, recency(0), 0.5).score

    assert future == pytest.approx(0.37)
    assert present == pytest.approx(0.685)


def test_an_endless_age_has_no_recency():
    assert recency(math.inf) == 0.0


@pytest.mark.parametrize("half_life", [0, -1, math.nan, math.inf])
def test_a_half_life_that_is_no_length_is_refused(half_life):
    with pytest.raises(InvalidField):
        recency(1, half_life_days=half_life)


@pytest.mark.parametrize("bad", [-0.1, math.nan, math.inf, True, "1", None])
def test_a_weight_that_is_no_weight_is_refused_and_named(bad):
    with pytest.raises(InvalidField) as refusal:
        Weights(recency=bad)

    assert refusal.value.facts["pointer"] == "/weights/recency"


def test_weights_that_are_all_zero_are_refused():
    with pytest.raises(InvalidField):
        Weights(0, 0, 0)


def test_weights_count_by_their_ratio():
    assert score(0.4, 0.8, 0.1, Weights(6, 2.5, 1.5)).score == pytest.approx(score(0.4, 0.8, 0.1).score)


def test_the_parts_come_back_with_the_score():
    parts = score(0.4, 0.8, 0.1)

    assert (parts.similarity, parts.recency, parts.importance) == (0.4, 0.8, 0.1)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_part_that_is_not_a_number_is_an_error_not_a_rank(position):
    parts = [0.5, 0.5, 0.5]
    parts[position] = math.nan

    with pytest.raises(ValueError, match="number"):
        score(*parts)


def test_an_age_that_is_not_a_number_is_an_error():
    with pytest.raises(ValueError, match="days"):
        recency(math.nan)


@given(UNIT, st.floats(-1e6, 1e6), UNIT, st.floats(0.001, 1e3), st.floats(0, 1e3), st.floats(0, 1e3))
def test_a_score_stays_within_zero_and_one(similarity, age, importance, first, second, third):
    assert 0 <= score(similarity, recency(age), importance, Weights(first, second, third)).score <= 1


@given(st.floats(0, 1e5), st.floats(0, 1e5), st.sampled_from(Decay))
def test_the_older_is_never_the_fresher(one, other, decay):
    older, younger = max(one, other), min(one, other)

    assert recency(older, decay=decay) <= recency(younger, decay=decay)


@given(UNIT, UNIT, UNIT, UNIT)
def test_more_similarity_never_lowers_the_score(low, high, fresh, importance):
    low, high = sorted((low, high))

    assert score(low, fresh, importance).score <= score(high, fresh, importance).score
