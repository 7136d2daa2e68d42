"""Values in any format have one form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.writing.reconciling.lexemes import lexemes
from vault.writing.reconciling.statement import Sort, read

MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)


def values(text: str) -> set[str]:
    return {token.key for token in read(text).tokens if token.sort is Sort.VALUE}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("€1,480.50", "1480.50 EUR"),
        ("EUR 1480.5", "1.480,50 €"),
        ("2,500 g", "2.5 kg"),
        ("half a kilo", "500 grams"),
        ("90 minutes", "1.5 hours"),
        ("4 March 2031", "March 4th, 2031"),
        ("2031-03-04", "4.3.2031"),
        ("end of April 2031", "30 April 2031"),
        ("3 to 9 August", "3-9 Aug"),
        ("7月8日", "8 July"),
        ("quarter past nine in the morning", "09:15"),
        ("half past four in the afternoon", "16:30"),
        ("7 pm", "19:00"),
        ("um 15 Uhr", "at 15:00"),
        ("a las ocho de la tarde", "20:00"),
        ("noon", "12:00"),
        ("every six months", "twice a year"),
        ("weekly", "every week"),
        ("$9 per month", "9 USD monthly"),
        ("on Tuesdays", "martes"),
        ("-4 degrees Celsius", "-4 °C"),
        ("floor 3", "the third floor"),
        ("six-month", "6 months"),
    ],
)
def test_formats_of_one_value_are_equal(one: str, other: str) -> None:
    assert values(one) == values(other) != set()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("40 EUR", "40 USD"),
        ("5 kg", "5 g"),
        ("4 March", "4 May"),
        ("4 March", "14 March"),
        ("7 am", "7 pm"),
        ("every two weeks", "every two months"),
        ("once a week", "twice a week"),
        ("2.4 m", "2.1 m"),
        ("Monday", "Sunday"),
        ("20 °C", "20 %"),
    ],
)
def test_different_values_stay_different(one: str, other: str) -> None:
    assert values(one) != values(other)


@pytest.mark.parametrize(
    "text", ["order 66120", "INV-3301", "KL-208", "0184", "desk@example.com", "7B", "https://docs.example/a"]
)
def test_what_names_a_thing_is_a_code_and_no_value(text: str) -> None:
    assert [t.sort for t in read(text).tokens if t.sort is Sort.CODE] == [Sort.CODE]
    assert not values(text)


def test_may_and_march_are_verbs_until_something_says_month() -> None:
    assert values("She may march home.") == set()
    assert values("He left in May.") == {"date -05-"}


@given(st.integers(1, 28), st.integers(1, 12), st.integers(1950, 2090))
def test_a_date_has_one_form_in_every_order(day: int, month: int, year: int) -> None:
    name = MONTHS[month - 1]
    written = (f"on {day} {name} {year}", f"on {name} {day}, {year}", f"{year}-{month:02}-{day:02}")

    assert len({frozenset(values(text)) for text in written}) == 1


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_has_one_form_on_both_clocks(hour: int, minute: int) -> None:
    half = "am" if hour < 12 else "pm"
    spoken = f"{(hour - 1) % 12 + 1}:{minute:02} {half}"

    assert values(f"{hour:02}:{minute:02}") == values(spoken)


@given(st.integers(1, 999_999))
def test_separators_of_thousands_change_nothing(amount: int) -> None:
    assert values(f"{amount:,} EUR") == values(f"€{amount}")


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    statement = read(text)

    assert 0 <= statement.head <= len(statement.tokens)


@given(st.text(max_size=300), st.integers(1, 40))
def test_no_more_is_read_than_allowed(text: str, limit: int) -> None:
    assert len(lexemes(text, limit=limit)) <= limit
