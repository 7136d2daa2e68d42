from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.screening.credentials import find_cards
from vault.screening.credentials.cards import is_card
from vault.screening.credentials.scan import Scanned

VISA = "4111" + "1111" * 3


def cards(text: str) -> list[str]:
    return [text[h.start : h.end] for h in find_cards(Scanned(text))]


@pytest.mark.parametrize("number", [VISA, "5555" * 3 + "4444", "2223003122003222", "378282246310005"])
def test_published_test_numbers_are_cards(number: str) -> None:
    assert cards(f"card {number} expires") == [number]


def test_a_card_is_found_among_other_digits() -> None:
    spaced = " ".join([VISA[i : i + 4] for i in range(0, 16, 4)])

    assert cards(f"{VISA} {spaced} 12/28") == [VISA, spaced]


@pytest.mark.parametrize(
    "text", [VISA[:-1] + "2", "0" * 16, "id_" + VISA, VISA + "x", "1." + VISA, "1234567890123456"]
)
def test_other_digits_are_no_cards(text: str) -> None:
    assert not cards(text)


def test_a_card_that_touches_another_script_is_found() -> None:
    assert cards(f"卡号{VISA}请保密") == [VISA]


@given(st.integers(0, 10**15 - 1))
def test_exactly_one_last_digit_makes_a_card(body: int) -> None:
    stem = "4" + str(body).rjust(15, "0")[:14]

    assert sum(is_card(stem + str(digit)) for digit in range(10)) == 1
