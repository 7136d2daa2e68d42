"""Types of fields: strict, bounded, mute."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework import serializers

from vault.api.fields import Choice, Flag, Id, Instant, Number, Slug, Subject, Text, Whole, is_visible
from vault.api.metadata import MAX_DEPTH, MAX_KEYS, Metadata
from vault.types import Kind

INVISIBLE = [
    "",
    "   ",
    "\t\n",
    "\u3000",
    "\u200b\u200b",
    "\ufeff",
    "\u202e\u202c",
    "\u2060",
    "\u3164",
    "\u2800",
    "\ufe0f",
]
CANARY = "ZEBRA-CANARY-771"


def refusal(field: serializers.Field[Any, Any, Any, Any], value: Any) -> str:
    with pytest.raises(serializers.ValidationError) as refused:
        field.run_validation(value)
    return str(refused.value.detail)


@pytest.mark.parametrize("text", INVISIBLE)
def test_text_without_anything_to_see_is_refused(text):
    assert refusal(Text(), text)


@pytest.mark.parametrize("text", ["ok", "👩\u200d👩\u200d👧", " padded ", "é", "我们", "\u200bx"])
def test_text_with_something_to_see_is_taken_as_it_is(text):
    assert Text().run_validation(text) == text


@pytest.mark.parametrize("value", [1, 1.5, True, None, [], {}])
def test_text_is_never_made_from_something_else(value):
    assert refusal(Text(), value)


def test_text_is_counted_in_code_points():
    assert Text(max_length=2).run_validation("😀😀") == "😀😀"


@pytest.mark.parametrize("value", [True, "0.5", "NaN", None, float("nan"), float("inf"), -0.1, 1.5, []])
def test_a_number_in_bounds_is_a_finite_json_number(value):
    assert refusal(Number(min_value=0, max_value=1), value)


@pytest.mark.parametrize("value", [0, 1, 0.5])
def test_both_kinds_of_json_numbers_are_numbers(value):
    assert Number(min_value=0, max_value=1).run_validation(value) == value


@pytest.mark.parametrize("value", [True, "3", 3.0, 3.5, None])
def test_a_whole_number_is_written_as_one(value):
    assert refusal(Whole(), value)


@pytest.mark.parametrize("value", [0, 1, "true", "", None])
def test_a_flag_is_true_or_false(value):
    assert refusal(Flag(), value)


@pytest.mark.parametrize("value", ["Fact", "fact ", 1, None, ["fact"], {"fact": 1}])
def test_a_choice_is_one_of_its_words(value):
    assert refusal(Choice(Kind), value)


@pytest.mark.parametrize("value", [CANARY, 1, None])
def test_a_wrong_choice_is_told_the_words_that_there_are_and_not_repeated(value):
    said = refusal(Choice(Kind, allow_null=False), value)

    assert CANARY not in said
    assert value is None or "Must be one of: fact, event, lesson." in said


@pytest.mark.parametrize("value", ["a b", "a/b", "ä", "", "a" * 65, "a\n", 5])
def test_a_slug_is_letters_digits_and_two_signs(value):
    assert refusal(Slug(), value)


def test_a_subject_is_at_most_256_characters():
    assert Subject().run_validation("s" * 256)
    assert refusal(Subject(), "s" * 257)


@pytest.mark.parametrize(
    "value",
    [
        "2030-01-31",
        "2027-03-14T02:30:00",
        "2027-11-07 01:30:00",
        "2026-09-02T08:30Z",
        "20260902T083000Z",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-01:00",
        "2026-09-02T08:30:00+25:00",
        "٢026-09-02T08:30:00Z",
        1_700_000_000,
        True,
    ],
)
def test_a_time_without_date_time_and_offset_is_refused(value):
    assert refusal(Instant(), value)


def test_a_time_is_kept_in_utc():
    assert Instant().run_validation("2026-05-03T20:30:00-05:00") == datetime(2026, 5, 4, 1, 30, tzinfo=UTC)


def test_a_time_that_must_come_cannot_be_past():
    past = (timezone.now() - timedelta(seconds=1)).isoformat()

    assert refusal(Instant(only_future=True), past)


def test_a_time_that_has_been_cannot_be_future():
    future = (timezone.now() + timedelta(minutes=1)).isoformat()

    assert refusal(Instant(only_past=True), future)


@pytest.mark.parametrize("value", [5, "5", "{00000000-0000-0000-0000-000000000000}", "0" * 32, None])
def test_an_id_is_spelled_in_the_usual_way(value):
    assert refusal(Id(), value)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        [],
        "x",
        nested(MAX_DEPTH + 1),
        {"a": [[[[[[1]]]]]]},
        {str(n): n for n in range(MAX_KEYS + 1)},
        {"": 1},
        {"\u200b": 1},
        {"k" * 101: 1},
        {"a": "x" * 17_000},
    ],
)
def test_metadata_out_of_its_bounds_is_refused(value):
    assert refusal(Metadata(), value)


def test_metadata_within_its_bounds_comes_back_as_it_was():
    value = {"subject_id": "B", "owner": None, "list": [1, 2.5, {"deep": True}], **nested(MAX_DEPTH)}

    assert Metadata().run_validation(value) == value


@pytest.mark.parametrize(
    "field",
    [
        Text(max_length=3),
        Number(),
        Whole(),
        Flag(),
        Choice(Kind),
        Slug(max_length=3),
        Instant(),
        Id(),
        Metadata(),
    ],
    ids=lambda field: type(field).__name__,
)
def test_no_field_repeats_what_it_refuses(field):
    assert CANARY not in refusal(field, CANARY)
    assert CANARY not in refusal(field, [CANARY])


@pytest.mark.parametrize("text", INVISIBLE)
def test_nothing_to_see_is_not_visible(text):
    assert not is_visible(text)
