from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.models import Memory
from vault.types import Trust
from vault.writing.value import least_valuable, usefulness_of, value_of

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def memory(number: int = 1, **fields: object) -> Memory:
    labels = {"importance": 0.5, "trust": "stated", "created_at": NOW, **fields}
    return Memory(id=UUID(int=number), **labels)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"importance": 0.9}, {"importance": 0.1}),
        ({"use_count": 10}, {"use_count": 0}),
        ({"seen_count": 5}, {"seen_count": 1}),
        ({"last_used_at": NOW}, {"created_at": NOW - timedelta(days=200)}),
        ({"trust": "verified"}, {"trust": "untrusted"}),
        ({"useful_count": 3}, {"useless_count": 3}),
    ],
)
def test_each_part_of_the_value_counts(better, worse):
    assert value_of(memory(**better), NOW) > value_of(memory(**worse), NOW)


def test_a_time_that_has_not_come_is_no_more_recent_than_now():
    assert value_of(memory(created_at=NOW + timedelta(days=900)), NOW) == value_of(memory(), NOW)


def test_without_a_word_a_memory_is_neither_useful_nor_useless():
    assert usefulness_of(memory()) == 0.5


@given(
    st.floats(0, 1), st.integers(0, 10**6), st.integers(0, 10**5), st.sampled_from(list(Trust)),
    st.integers(0, 10**4), st.integers(0, 10**4),
)  # fmt: skip
def test_a_value_is_about_between_nothing_and_one(importance, used, days, trust, useful, useless):
    value = value_of(
        memory(
            importance=importance, use_count=used, created_at=NOW - timedelta(days=days), trust=trust.value,
            useful_count=useful, useless_count=useless,
        ),
        NOW,
    )  # fmt: skip

    assert -0.1 <= value <= 1.1


def test_a_pinned_memory_never_gives_way():
    rows = [memory(1, importance=0.0, pinned=True), memory(2, importance=0.9)]

    assert [row.pk.int for row in least_valuable(rows, excess=2, now=NOW)] == [2]


def test_of_equals_the_older_gives_way():
    rows = [memory(2), memory(1, created_at=NOW - timedelta(days=1)), memory(3)]

    assert [row.pk.int for row in least_valuable(rows, excess=2, now=NOW)] == [1, 2]


def test_when_there_is_room_nothing_gives_way():
    assert least_valuable([memory()], excess=-4, now=NOW) == ()
