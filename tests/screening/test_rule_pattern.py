from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.screening.rule_pattern import spelled_out


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"ilse\.winter@example\.com", "ilse.winter@example.com"),
        (r"(?i)\bilse[._]winter@example\.(?:com|org)\b", "ilse.winter@example.com org"),
        (r"12 ?34[ -]?56", "12 34 56"),
        (r"12\x2034\x{20}56", "12 34 56"),
        (r"(?P<who>[Ii]lse)\s+[^a-z]{1,3}Winter", "Ilse Winter"),
        (r"\(030\) 12", "(030) 12"),
        ("falcon", "falcon"),
    ],
)
def test_a_pattern_is_read_as_what_it_looks_for(pattern, text):
    assert spelled_out(pattern) == text


@given(st.text(max_size=500))
def test_any_text_can_be_read_and_none_grows(pattern):
    assert len(spelled_out(pattern)) <= len(pattern)
