from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.retrieval.query import TimeHint, analyse, date_match, time_hint

SPEAKERS = ["Mira Vos", "Tim", "Will", "May"]


def named(query: str) -> set[str]:
    return set(analyse(query, speakers=SPEAKERS).named)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What did Mira buy?", {"Mira Vos"}),
        ("what did tim's sister buy", {"Tim"}),
        ("What time is it?", set()),
        ("What will happen in may?", set()),
        ("Did Will and Tim meet?", {"Will", "Tim"}),
        ("Who bought it?", set()),
    ],
)
def test_a_query_names_only_speakers_that_it_spells_out(query, expected):
    assert named(query) == expected


def test_nobody_is_named_without_speakers():
    assert analyse("What did Mira buy?").named == frozenset()


def test_the_topic_is_the_query_without_the_names():
    assert analyse("What did Mira's team buy?", speakers=SPEAKERS).topic == "What did team buy?"


def test_a_query_that_is_only_a_name_stays_its_own_topic():
    assert analyse("Tim?", speakers=SPEAKERS).topic == "Tim?"


def test_tokens_that_only_name_somebody_are_told_apart():
    assert analyse("invoices of Tim", speakers=SPEAKERS).name_tokens == {"s:tim"}


@pytest.mark.parametrize(
    ("query", "months", "days"),
    [
        ("on 7 May 2023", {5}, {7}),
        ("on July 3rd", {7}, {3}),
        ("the 21st of October", {10}, {21}),
        ("since 2022-10-05", {10}, {5}),
        ("in Sept or Oct", {9, 10}, set()),
        ("may I march on?", set(), set()),
        ("in 1999", set(), set()),
    ],
)
def test_dates_of_a_query_are_read(query, months, days):
    hint = time_hint(query)

    assert (set(hint.months), set(hint.days)) == (months, days)


def test_a_day_in_the_named_month_matches():
    assert date_match(TimeHint(frozenset({5})), date(2026, 5, 9)) == (True, 0.0)


def test_another_year_does_not_match():
    assert date_match(TimeHint(frozenset({5}), years=frozenset({2025})), date(2026, 5, 9)) == (False, 0.0)


def test_a_nearer_day_matches_better():
    hint = TimeHint(frozenset({5}), frozenset({7}))

    assert date_match(hint, date(2026, 5, 7)) == (True, 1.0)
    assert 0 < date_match(hint, date(2026, 5, 20))[1] < date_match(hint, date(2026, 5, 9))[1] < 1


def test_no_date_in_the_query_matches_no_day():
    assert date_match(TimeHint(), date(2026, 5, 7)) == (False, 0.0)


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=3))
def test_any_query_can_be_read(query, speakers):
    hints = analyse(query, speakers=speakers)

    assert hints.named <= set(speakers)
    assert bool(hints.topic) == bool(query) or not query.strip()
