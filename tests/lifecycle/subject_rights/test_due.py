from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.lifecycle.subject_rights.due import (
    DUE_SOON,
    Urgency,
    add_months,
    due_of,
    extended_due_of,
    urgency,
)

MOMENTS = st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC))


@pytest.mark.parametrize(
    ("received", "due"),
    [
        ((2026, 1, 15), (2026, 2, 15)),
        ((2026, 1, 31), (2026, 2, 28)),
        ((2028, 1, 31), (2028, 2, 29)),
        ((2026, 12, 10), (2027, 1, 10)),
    ],
)
def test_an_answer_is_due_on_the_same_day_of_the_next_month(received, due):
    assert due_of(datetime(*received, 9, 30, tzinfo=UTC)) == datetime(*due, 9, 30, tzinfo=UTC)


def test_two_more_months_count_from_the_receipt():
    assert extended_due_of(datetime(2026, 1, 31, tzinfo=UTC)) == datetime(2026, 4, 30, tzinfo=UTC)


@given(MOMENTS, st.integers(0, 48))
def test_a_month_later_is_never_another_month_than_it_should_be(moment, months):
    later = add_months(moment, months)

    assert (later.year * 12 + later.month) - (moment.year * 12 + moment.month) == months
    assert later.day <= moment.day
    assert later.timetz() == moment.timetz()


@given(MOMENTS)
def test_a_month_is_28_to_31_days(moment):
    assert timedelta(days=28) <= due_of(moment) - moment <= timedelta(days=31)


@given(MOMENTS, st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=100)))
def test_the_nearer_the_date_the_more_urgent(due_at, before):
    expected = Urgency.IN_TIME
    if before <= DUE_SOON:
        expected = Urgency.DUE_SOON if before else Urgency.OVERDUE

    assert urgency(due_at, now=due_at - before) is expected
