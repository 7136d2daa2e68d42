from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.canonical import instant, leaf_bytes

MOMENT = datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=UTC)


def test_the_bytes_of_an_entry_are_fixed_for_all_time():
    assert leaf_bytes(3, {"reason": "é", "facts": {"b": 1, "a": True}, "at": "t"}) == (
        b'{"at":"t","facts":{"a":true,"b":1},"reason":"\\u00e9","seq":3,"v":1}'
    )


@given(st.dictionaries(st.text(), st.one_of(st.text(), st.integers(), st.booleans(), st.floats(-1e9, 1e9))))
def test_an_entry_is_one_line_that_reads_back(facts):
    line = leaf_bytes(0, {"facts": facts})

    assert b"\n" not in line
    assert json.loads(line)["facts"] == facts


def test_the_order_of_fields_does_not_matter():
    assert leaf_bytes(0, {"a": "1", "b": "2"}) == leaf_bytes(0, {"b": "2", "a": "1"})


def test_the_same_entry_at_another_place_has_other_bytes():
    assert leaf_bytes(0, {"a": "1"}) != leaf_bytes(1, {"a": "1"})


def test_a_number_that_is_none_cannot_be_encoded():
    with pytest.raises(ValueError, match="JSON"):
        leaf_bytes(0, {"facts": {"score": float("nan")}})


def test_a_time_is_written_in_utc_with_microseconds():
    assert instant(MOMENT) == "2026-03-01T12:00:00.000005Z"
    assert instant(MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))) == instant(MOMENT)


def test_a_naive_time_is_refused():
    with pytest.raises(ValueError, match="aware"):
        instant(MOMENT.replace(tzinfo=None))
