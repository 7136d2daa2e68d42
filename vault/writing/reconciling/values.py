"""Values read from a run of pieces: times, dates, quantities, how-often; each in one form for all formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from vault.writing.reconciling.lexemes import Lexeme, Piece
from vault.writing.reconciling.numerals import (
    BEFORE_THE_NUMBER,
    DAYS_IN_MONTH,
    EVENING,
    EVERY,
    MONTHS,
    MORNING,
    NUMBER_WORDS,
    PER,
    PERIODS,
    TIMES_OF_DAY,
    TIMES_OVER,
    UNITS,
    UNSURE_MONTHS,
    UNSURE_NUMBERS,
    WEEKDAYS,
)


class Measure(StrEnum):
    """What a value measures. Quantities add their unit: two lengths may differ, a length and a price cannot."""

    NUMBER = "number"
    YEAR = "year"
    TIME = "time"
    DATE = "date"
    WEEKDAY = "weekday"
    PERIOD = "period"


@dataclass(frozen=True, slots=True)
class Value:
    """`measure` is a Measure or the unit; `amount` is its normal form; `pieces` says how many it was read from."""

    measure: str
    amount: str
    pieces: int


Pieces = Sequence[Lexeme]


def read_value(pieces: Pieces, at: int) -> Value | None:
    """The value that begins at a piece, the longest reading first; None for a word, a code or a sign."""
    piece = pieces[at]
    if piece.piece is not Piece.DIGITS and piece.text not in _BEGINNINGS:
        return None
    for reader in _READERS:
        if (value := reader(pieces, at)) is not None:
            return value
    return None


def _text(pieces: Pieces, at: int) -> str:
    return pieces[at].text if 0 <= at < len(pieces) else ""


def _number(pieces: Pieces, at: int) -> float | None:
    """The number at a piece, in digits or in words that are surely numbers."""
    if at >= len(pieces):
        return None
    piece = pieces[at]
    if piece.piece is Piece.DIGITS:
        return _digits(piece.text)
    return NUMBER_WORDS.get(piece.text) if piece.piece is Piece.WORD else None


def _digits(text: str) -> float | None:
    """Digits with separators: the last one is a decimal sign unless three digits follow it."""
    if ":" in text:
        return None
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text):
        return float(re.sub(r"[.,]", "", text)) if not re.fullmatch(r"0[.,]\d{3}", text) else float(text.replace(",", "."))
    whole, _, fraction = re.sub(r"[.,](?=.*[.,])", "", text).replace(",", ".").partition(".")
    return float(f"{whole}.{fraction or 0}")


def _plain(amount: float) -> str:
    return f"{amount:.10g}"


def _day_of_month(pieces: Pieces, at: int) -> tuple[int, int] | None:
    """(day, pieces read) for "3", "3rd", "3."; a stop after the digits is read along."""
    text = _text(pieces, at)
    if at >= len(pieces) or pieces[at].piece is not Piece.DIGITS or not text.isdigit() or not 1 <= int(text) <= 31:
        return None
    return int(text), 1 + (_text(pieces, at + 1) in {"st", "nd", "rd", "th", "."})


def _month(pieces: Pieces, at: int, *, sure: bool) -> int | None:
    text = _text(pieces, at)
    if text not in MONTHS or (not sure and text in UNSURE_MONTHS and not pieces[at].capital):
        return None
    return MONTHS[text]


def _year(pieces: Pieces, at: int) -> tuple[str, int]:
    """("2026", pieces read) where a year stands, else ("", 0)."""
    skip = 1 if _text(pieces, at) in {",", "de", "of"} else 0
    text = _text(pieces, at + skip)
    return (text, 1 + skip) if re.fullmatch(r"(?:19|20)\d\d", text) else ("", 0)


def _date_value(day: str, month: int, pieces: Pieces, at: int, end: int) -> Value:
    year, read = _year(pieces, end)
    end += read
    end += _text(pieces, end) == "." and pieces[end - 1].text in MONTHS and len(pieces[end - 1].text) == 3
    return Value(Measure.DATE, f"{year}-{month:02}-{day}", end - at)


def _read_date(pieces: Pieces, at: int) -> Value | None:
    text = _text(pieces, at)
    if iso := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text):
        return Value(Measure.DATE, f"{iso[1]}-{iso[2]}-{int(iso[3])}", 1)
    if dotted := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text):
        return Value(Measure.DATE, f"{dotted[3]}-{int(dotted[2]):02}-{int(dotted[1])}", 1)
    if text == "end" and _text(pieces, at + 1) == "of" and (month := _month(pieces, at + 2, sure=True)):
        return _date_value(str(DAYS_IN_MONTH[month - 1]), month, pieces, at, at + 3)
    if found := _day_of_month(pieces, at):
        return _date_from_day(found, pieces, at)
    if month := _month(pieces, at, sure=False) or (_day_follows(pieces, at) and _month(pieces, at, sure=True)):
        if _day_follows(pieces, at) and (named := _day_of_month(pieces, at + 1)):
            ordinal = _text(pieces, at + 2) in {"st", "nd", "rd", "th"}
            return _date_value(str(named[0]), month, pieces, at, at + 2 + ordinal)
        return _date_value("", month, pieces, at, at + 1)
    return None


def _day_follows(pieces: Pieces, at: int) -> bool:
    return _day_of_month(pieces, at + 1) is not None


def _date_from_day(found: tuple[int, int], pieces: Pieces, at: int) -> Value | None:
    day, end = str(found[0]), at + found[1]
    if _text(pieces, at + 1) in {"to", "bis", "al", "-"} and (last := _day_of_month(pieces, at + 2)):
        day, end = f"{day}..{last[0]}", at + 2 + last[1]
    elif last := _day_of_month(pieces, at + 1):
        day, end = f"{day}..{last[0]}", at + 1 + last[1]
    end += _text(pieces, end) in {"of", "de"}
    if (month := _month(pieces, end, sure=True)) is None:
        return None
    return _date_value(day, month, pieces, at, end + 1)


def _read_cjk_date(pieces: Pieces, at: int) -> Value | None:
    texts = [_text(pieces, at + step) for step in range(4)]
    if texts[1] == "月" and texts[3] == "日" and texts[0].isdigit() and texts[2].isdigit():
        return Value(Measure.DATE, f"-{int(texts[0]):02}-{int(texts[2])}", 4)
    return None


_SPOKEN_TIMES = {"noon": 12.0, "midday": 12.0, "midnight": 0.0, "mittags": 12.0, "mediodía": 12.0}


def _read_clock(pieces: Pieces, at: int) -> Value | None:
    """A time of day, on the 24-hour clock where the half of the day is told."""
    if _text(pieces, at) in _SPOKEN_TIMES:
        return Value(Measure.TIME, _clock(_SPOKEN_TIMES[_text(pieces, at)]), 1)
    if (told := _spoken_clock(pieces, at)) is None:
        return None
    hours, end, sure = told
    afterwards = [_text(pieces, end + step) for step in range(4)]
    if afterwards[0] in {"am", "a.m", "pm", "p.m"} or (afterwards[0] in "ap" and afterwards[1] == "m"):
        end += 1 if len(afterwards[0]) > 1 else 2
        return Value(Measure.TIME, _clock(hours % 12 + 12 * afterwards[0].startswith("p")), end - at)
    if afterwards[0] in {"uhr", "heures", "o", "baje", "बजे", "時"}:
        sure, end = True, end + 1 + (afterwards[0] == "o")
        afterwards = [_text(pieces, end + step) for step in range(4)]
    half = next((word for word in afterwards[:4] if word in EVENING or word in MORNING), "")
    before = {_text(pieces, at - 1), _text(pieces, at - 2)} & (EVENING | MORNING)
    half = half or next(iter(sorted(before)), "")
    if not (sure or half):
        return None
    if half and hours <= 12:
        hours = hours % 12 + 12 * (half in EVENING)
    if half in afterwards:
        end += afterwards.index(half) + 1
    return Value(Measure.TIME, _clock(hours), end - at)


def _spoken_clock(pieces: Pieces, at: int) -> tuple[float, int, bool] | None:
    """(hours, the place after it, whether it can be nothing but a time)."""
    text = _text(pieces, at)
    if told := re.fullmatch(r"(\d{1,2}):(\d\d)", text):
        return int(told[1]) + int(told[2]) / 60, at + 1, True
    if told := re.fullmatch(r"(\d{1,2})h(\d\d)", text):
        return int(told[1]) + int(told[2]) / 60, at + 1, True
    parts = {"quarter": 0.25, "half": 0.5}
    if text in parts and _text(pieces, at + 1) in {"to", "past"} and (hour := _number(pieces, at + 2)) is not None:
        return hour + (parts[text] if _text(pieces, at + 1) == "past" else -parts[text]), at + 3, True
    hour = _number(pieces, at)
    return (hour, at + 1, False) if hour is not None and hour == int(hour) and hour <= 24 else None


def _clock(hours: float) -> str:
    minutes = round(hours * 60)
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _read_weekday(pieces: Pieces, at: int) -> Value | None:
    day = WEEKDAYS.get(_text(pieces, at).removesuffix("'s"))
    return None if day is None else Value(Measure.WEEKDAY, str(day), 1)


def _read_period(pieces: Pieces, at: int) -> Value | None:
    """ "monthly", "every six months", "twice a year", "3 times a week": the time between two."""
    text = _text(pieces, at)
    if text in PERIODS:
        return _period(*PERIODS[text], 1)
    if text in EVERY:
        count = _number(pieces, at + 1)
        if _text(pieces, at + 1) in TIMES_OF_DAY:
            return _period("second", 86_400, 2)
        unit = UNITS.get(_text(pieces, at + 1 + (count is not None)))
        if unit and unit[0] in {"second", "month"}:
            return _period(unit[0], unit[1] * (count or 1), 2 + (count is not None))
        return None
    if text in PER and at and (unit := UNITS.get(_text(pieces, at + 1))) and unit[0] in {"second", "month"}:
        return _period(*unit, 2)
    times = TIMES_OVER.get(text)
    end = at + 1
    if times is None and (count := _number(pieces, at)) is not None and _text(pieces, at + 1) in {"times", "mal"}:
        times, end = count, at + 2
    if not times:
        return None
    end += _text(pieces, end) in {"a", "an", "per", "every", "each", "im", "pro", "in"}
    unit = UNITS.get(_text(pieces, end))
    return _period(unit[0], unit[1] / times, end + 1 - at) if unit and unit[0] in {"second", "month"} else None


def _period(unit: str, count: float, pieces: int) -> Value:
    return Value(Measure.PERIOD, f"{unit}:{_plain(count)}", pieces)


def _read_quantity(pieces: Pieces, at: int) -> Value | None:
    """A number with its unit or currency, before or after it; "half a kilo" too."""
    if _text(pieces, at) in BEFORE_THE_NUMBER and (amount := _number(pieces, at + 1)) is not None:
        return Value(UNITS[_text(pieces, at)][0], _plain(amount), 2)
    amount, end = _number(pieces, at), at + 1
    if amount is None:
        return None
    if _text(pieces, at) == "half" and _text(pieces, end) in {"a", "an"}:
        end += 1
    if _text(pieces, end) in {"°", "degree", "degrees", "grad", "grados", "degrés"}:
        end += 1 + (_text(pieces, end + 1) in {"c", "celsius", "f", "fahrenheit"})
        return Value("°f" if _text(pieces, end - 1).startswith("f") else "°c", _plain(amount), end - at)
    unit = UNITS.get(_text(pieces, end))
    if unit is None:
        return None
    if re.fullmatch(r"\d{1,3}[.,]\d{3}", _text(pieces, at)) and unit[0] in {"m"} and unit[1] == 1:
        return None
    return Value(unit[0], _plain(amount * unit[1]), end + 1 - at)


def _read_number(pieces: Pieces, at: int) -> Value | None:
    amount = _number(pieces, at)
    if amount is None or _text(pieces, at) in UNSURE_NUMBERS:
        return None
    if re.fullmatch(r"(?:19|20)\d\d", _text(pieces, at)):
        return Value(Measure.YEAR, _text(pieces, at), 1)
    ordinal = _text(pieces, at + 1) in {"st", "nd", "rd", "th"}
    return Value(Measure.NUMBER, _plain(amount), 1 + ordinal)


_READERS: tuple[Callable[[Pieces, int], Value | None], ...] = (
    _read_cjk_date,
    _read_date,
    _read_period,
    _read_clock,
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
    | frozenset(_SPOKEN_TIMES)
    | BEFORE_THE_NUMBER
    | EVERY
    | PER
    | {"end", "quarter", "half"}
)
