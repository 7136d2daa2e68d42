"""The word that was meant, of those that there are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.nearest import did_you_mean, nearest

WORDS = ("EMAIL_ADDRESS", "PERSON", "PHONE_NUMBER", "redact")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("PERSONS", "PERSON"), ("person", "PERSON"), ("Email", "EMAIL_ADDRESS"), ("redacted", "redact"), ("ZZZ", None),
     ("e", None), ("", None)],
)  # fmt: skip
def test_the_nearest_is_found_whatever_the_case(word, meant):
    assert nearest(word, WORDS) == meant


def test_without_a_near_one_nothing_is_asked():
    assert did_you_mean("ZZZ", WORDS) == ""


@given(st.text(), st.lists(st.text(max_size=20)))
def test_only_a_known_word_is_ever_named(word, known):
    assert nearest(word, known) in (None, *known)
