from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.screening.drafts import draft
from vault.screening.fields import escape, joined, label_of, map_strings, string_fields, unescape


def test_every_string_is_listed_keys_included() -> None:
    fields = string_fields(draft("t", attribute="a", metadata={"k": {"inner": ["v", {"deep": "w"}]}}))

    assert fields == {
        "/text": "t",
        "/subject": "S1",
        "/attribute": "a",
        "/source/ref": "chat",
        "/metadata/~key~0": "k",
        "/metadata/k/~key~0": "inner",
        "/metadata/k/inner/0": "v",
        "/metadata/k/inner/1/~key~0": "deep",
        "/metadata/k/inner/1/deep": "w",
    }


def test_a_long_number_is_read_as_text_and_a_count_is_not() -> None:
    fields = string_fields(draft(metadata={"card": 41111111, "count": 12, "flag": True}))

    assert fields["/metadata/card"] == "41111111"
    assert "/metadata/count" not in fields
    assert "/metadata/flag" not in fields


@given(st.text())
def test_a_pointer_segment_survives_escaping(segment: str) -> None:
    assert unescape(escape(segment)) == segment
    assert "/" not in escape(segment)


def test_the_label_of_a_value_is_the_nearest_name() -> None:
    assert label_of("/metadata/api_key/0") == "api_key"
    assert label_of("/text") == ""
    assert label_of("/metadata/~value~1") == ""


def test_joined_fields_say_where_a_span_lies() -> None:
    whole = joined({"/text": "abc", "/metadata/~key~0": "key", "/metadata/key": "def"})

    assert whole.text == "abcdef"
    assert whole.pieces(2, 5) == [("/text", 2, 3), ("/metadata/key", 0, 2)]


def test_two_keys_masked_alike_keep_both_values() -> None:
    changed, _ = map_strings(
        draft(metadata={"x": 1, "y": 2}), lambda pointer, text: "<K>" if "key" in pointer else text
    )

    assert changed.metadata == {"<K>": 1, "<K> 2": 2}
