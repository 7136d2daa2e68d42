from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.evaluation.intervals import Counts, percentile, times, wilson


def test_the_interval_of_a_known_case() -> None:
    low, high = wilson(8, 10)

    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)


def test_nothing_counted_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_the_share_lies_in_its_interval(total: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, total))
    low, high = wilson(hits, total)

    assert 0 <= low <= hits / total + 1e-9
    assert hits / total - 1e-9 <= high <= 1


def test_counts_add_up() -> None:
    counts = Counts()
    for hit in (True, False, True):
        counts.add("a", hit)
    counts.add("b", False)

    assert counts.shares() == {"a": pytest.approx(0.6667), "b": 0.0}
    assert (counts.total().hits, counts.total().total) == (2, 4)


def test_percentiles_of_nothing_are_none() -> None:
    assert percentile([], 0.5) is None
    assert times([3.0, 1.0, 2.0]) == {"ms_median": 2.0, "ms_p99": 3.0}
