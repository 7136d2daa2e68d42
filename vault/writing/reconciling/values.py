"""Values read from a run of pieces: times, dates, quantities, how-often; each in one form for all formats."""

from __future__ import annotations

import re
from collections.abc import Callable

from vault.writing.reconciling.amounts import Measure, Pieces, Value, number_at, plain, text_at
from vault.writing.reconciling.clock import SPOKEN_TIMES, read_clock
from vault.writing.reconciling.dates import read_cjk_date, read_date
from vault.writing.reconciling.lexemes import Piece
from vault.writing.reconciling.numerals import (
    BEFORE_THE_NUMBER,
    EVERY,
    MONTHS,
    NUMBER_WORDS,
    PER,
    PERIODS,
    TIMES_OF_DAY,
    TIMES_OVER,
    UNITS,
    UNSURE_NUMBERS,
    WEEKDAYS,
)


def read_value(pieces: Pieces, at: int) -> Value | None:
    """The value that begins at a piece, the longest reading first; None for a word, a code or a sign."""
    piece = pieces[at]
    if piece.piece is not Piece.DIGITS and piece.text not in _BEGINNINGS:
        return None
    for reader in _READERS:
        if (value := reader(pieces, at)) is not None:
            return value
    return None


def _read_weekday(pieces: Pieces, at: int) -> Value | None:
    day = WEEKDAYS.get(text_at(pieces, at).removesuffix("'s"))
    return None if day is None else Value(Measure.WEEKDAY, str(day), 1)


def _read_period(pieces: Pieces, at: int) -> Value | None:
    """ "monthly", "every six months", "twice a year", "3 times a week": the time between two."""
    text = text_at(pieces, at)
    if text in PERIODS:
        return _period(*PERIODS[text], 1)
    if text in EVERY:
        count = number_at(pieces, at + 1)
        if text_at(pieces, at + 1) in TIMES_OF_DAY:
            return _period("second", 86_400, 2)
        unit = UNITS.get(text_at(pieces, at + 1 + (count is not None)))
        if unit and unit[0] in {"second", "month"}:
            return _period(unit[0], unit[1] * (count or 1), 2 + (count is not None))
        return None
    if text in PER and at and (unit := UNITS.get(text_at(pieces, at + 1))) and unit[0] in {"second", "month"}:
        return _period(*unit, 2)
    times = TIMES_OVER.get(text)
    end = at + 1
    if (
        times is None
        and (count := number_at(pieces, at)) is not None
        and text_at(pieces, at + 1) in {"times", "mal"}
    ):
        times, end = count, at + 2
    if not times:
        return None
    end += text_at(pieces, end) in {"a", "an", "per", "every", "each", "im", "pro", "in"}
    unit = UNITS.get(text_at(pieces, end))
    return (
        _period(unit[0], unit[1] / times, end + 1 - at) if unit and unit[0] in {"second", "month"} else None
    )


def _period(unit: str, count: float, pieces: int) -> Value:
    return Value(Measure.PERIOD, f"{unit}:{plain(count)}", pieces)


def _read_quantity(pieces: Pieces, at: int) -> Value | None:
    """A number with its unit or currency, before or after it; "half a kilo" too."""
    if text_at(pieces, at) in BEFORE_THE_NUMBER and (amount := number_at(pieces, at + 1)) is not None:
        return Value(UNITS[text_at(pieces, at)][0], plain(amount), 2)
    amount, end = number_at(pieces, at), at + 1
    if amount is None:
        return None
    if text_at(pieces, at) == "half" and text_at(pieces, end) in {"a", "an"}:
        end += 1
    if text_at(pieces, end) in {"°", "degree", "degrees", "grad", "grados", "degrés"}:
        end += 1 + (text_at(pieces, end + 1) in {"c", "celsius", "f", "fahrenheit"})
        return Value("°f" if text_at(pieces, end - 1).startswith("f") else "°c", plain(amount), end - at)
    unit = UNITS.get(text_at(pieces, end))
    if unit is None:
        return None
    if re.fullmatch(r"\d{1,3}[.,]\d{3}", text_at(pieces, at)) and unit[0] in {"m"} and unit[1] == 1:
        return None
    return Value(unit[0], plain(amount * unit[1]), end + 1 - at)


def _read_number(pieces: Pieces, at: int) -> Value | None:
    amount = number_at(pieces, at)
    if amount is None or text_at(pieces, at) in UNSURE_NUMBERS:
        return None
    if re.fullmatch(r"(?:19|20)\d\d", text_at(pieces, at)):
        return Value(Measure.YEAR, text_at(pieces, at), 1)
    ordinal = text_at(pieces, at + 1) in {"st", "nd", "rd", "th"}
    return Value(Measure.NUMBER, plain(amount), 1 + ordinal)


_READERS: tuple[Callable[[Pieces, int], Value | None], ...] = (
    read_cjk_date,
    read_date,
    _read_period,
    read_clock,
    _read_weekday,
    _read_quantity,
    _read_number,
)
_BEGINNINGS = (
    frozenset(NUMBER_WORDS)
    | frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(f"{day}'s" for day in WEEKDAYS)
    | frozenset(PERIODS)
    | frozenset(TIMES_OVER)
    | frozenset(SPOKEN_TIMES)
    | BEFORE_THE_NUMBER
    | EVERY
    | PER
    | {"end", "quarter", "half"}
)
