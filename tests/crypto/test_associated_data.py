from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.crypto import associated_data

LABELS = st.dictionaries(
    st.text(min_size=1, max_size=8),
    st.none() | st.text(max_size=12) | st.integers() | st.uuids() | st.datetimes(timezones=st.just(UTC)),
    max_size=4,
)


def typed(labels):
    return {name: (type(value), value) for name, value in labels.items()}


@given(first=LABELS, second=LABELS)
def test_labels_have_equal_bytes_exactly_when_they_are_equal(first, second):
    assert (associated_data(**first) == associated_data(**second)) == (typed(first) == typed(second))


@given(labels=LABELS)
def test_the_order_of_labels_does_not_matter(labels):
    assert associated_data(**labels) == associated_data(**dict(reversed(labels.items())))


def test_text_cannot_pretend_to_be_more_labels():
    assert associated_data(a='x","b":["text","y') != associated_data(a="x", b="y")


def test_a_number_a_text_and_an_id_of_the_same_digits_differ():
    identifier = UUID(int=1)

    assert len({associated_data(a=1), associated_data(a="1"), associated_data(a=identifier)}) == 3
    assert associated_data(a=identifier) != associated_data(a=identifier.hex)


def test_nothing_and_an_empty_text_differ():
    assert associated_data(a=None) != associated_data(a="") != associated_data()


def test_the_same_instant_in_two_offsets_is_one_label():
    there = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=5, minutes=30)))

    assert associated_data(at=there) == associated_data(at=there.astimezone(UTC))


def test_a_microsecond_makes_another_label():
    at = datetime(2026, 3, 1, tzinfo=UTC)

    assert associated_data(at=at) != associated_data(at=at + timedelta(microseconds=1))


def test_a_time_without_offset_is_refused():
    with pytest.raises(ValueError, match="offset"):
        associated_data(at=datetime(2026, 3, 1))


@pytest.mark.parametrize("value", [True, 1.5, b"x", ["x"], {"x": 1}, object()])
def test_other_types_are_refused(value):
    with pytest.raises(TypeError):
        associated_data(label=value)


def test_a_word_of_a_closed_list_is_its_text():
    class Colour(StrEnum):
        RED = "red"

    assert associated_data(colour=Colour.RED) == associated_data(colour="red")


def test_ids_are_told_apart():
    assert associated_data(subject=uuid4()) != associated_data(subject=uuid4())
