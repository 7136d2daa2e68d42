"""Bodies are strict JSON, and what is wrong is named without being repeated."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.api.strict_json import MAX_DEPTH, loads
from vault.errors import InvalidField

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def pointer_of(raw: bytes) -> object:
    with pytest.raises(InvalidField) as refused:
        loads(raw)
    return refused.value.facts["pointer"]


@given(VALUES)
def test_what_json_can_say_comes_back_as_it_was(value):
    assert loads(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else(raw):
    with contextlib.suppress(InvalidField):
        loads(raw)


@pytest.mark.parametrize(
    ("raw", "pointer"),
    [
        (b'{"metadata": {"k": "a\\u0000b"}}', "/metadata/k"),
        (b'{"metadata": {"k": "\\ud83d"}}', "/metadata/k"),
        (b'{"metadata": {"a\\u0000": 1}}', "/metadata/~key~0"),
        (b'{"text": "a\\udc00"}', "/text"),
        (b'{"tags": ["ok", "x\\u0000"]}', "/tags/1"),
    ],
)
def test_what_cannot_be_stored_as_text_is_named_by_its_field(raw, pointer):
    assert pointer_of(raw) == pointer


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400", b"-1e999"])
def test_a_number_that_is_not_finite_is_named_by_its_field(number):
    assert pointer_of(b'{"importance": ' + number + b"}") == "/importance"


def test_a_number_of_more_than_64_bits_is_named_by_its_field():
    assert pointer_of(b'{"metadata": {"n": 9223372036854775808}}') == "/metadata/n"


def test_a_number_of_thousands_of_digits_is_refused():
    assert pointer_of(b'{"n": ' + b"9" * 5000 + b"}") == ""


def test_a_repeated_key_is_named_by_its_place():
    assert pointer_of(b'{"metadata": {"a": 1, "b": 2, "a": 3}}') == "/metadata/~key~2"


def test_a_repeated_key_at_the_top_is_refused():
    assert pointer_of(b'{"subject": "A", "subject": "B"}') == "/~key~1"


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1,]", b"{'a': 1}", b"\xef\xbb\xbf{}", b'{"a": "\xff"}', b"\xff\xfe{\x00}\x00"]
)
def test_what_is_not_json_in_utf_8_is_refused(raw):
    assert pointer_of(raw) == ""


def test_nesting_beyond_the_bound_is_refused():
    assert str(pointer_of(b'{"m": ' + b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1) + b"}")).startswith(
        "/m/0/0"
    )


def test_nesting_as_deep_as_a_body_can_be_is_refused_and_not_a_crash():
    assert pointer_of(b"[" * 60_000) == ""


def test_a_key_that_could_be_a_secret_is_named_by_its_place():
    key = "A1" * 12

    assert pointer_of(b'{"metadata": {"' + key.encode() + b'": "\\u0000"}}') == "/metadata/~key~0"


def test_a_refusal_repeats_nothing_of_the_body():
    with pytest.raises(InvalidField) as refused:
        loads(b'{"text": "ZEBRA-CANARY-771" oops}')

    assert "ZEBRA" not in refused.value.detail
    assert refused.value.__cause__ is None
