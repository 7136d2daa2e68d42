"""Dates in the formats that people write, in one form: "year-month-day", with what is not told left empty."""

from __future__ import annotations

import re

from vault.writing.reconciling.amounts import Measure, Pieces, Value, text_at
from vault.writing.reconciling.lexemes import Piece
from vault.writing.reconciling.numerals import DAYS_IN_MONTH, MONTHS, UNSURE_MONTHS


def _day_of_month(pieces: Pieces, at: int) -> tuple[int, int] | None:
    """(day, pieces read) for "3", "3rd", "3."; a stop after the digits is read along."""
    text = text_at(pieces, at)
    if (
        at >= len(pieces)
        or pieces[at].piece is not Piece.DIGITS
        or not text.isdigit()
        or not 1 <= int(text) <= 31
    ):
        return None
    return int(text), 1 + (text_at(pieces, at + 1) in {"st", "nd", "rd", "th", "."})


def _month(pieces: Pieces, at: int, *, sure: bool) -> int | None:
    text = text_at(pieces, at)
    if text not in MONTHS or (not sure and text in UNSURE_MONTHS and not pieces[at].capital):
        return None
    return MONTHS[text]


def _year(pieces: Pieces, at: int) -> tuple[str, int]:
    """("2026", pieces read) where a year stands, else ("", 0)."""
    skip = 1 if text_at(pieces, at) in {",", "de", "of"} else 0
    text = text_at(pieces, at + skip)
    return (text, 1 + skip) if re.fullmatch(r"(?:19|20)\d\d", text) else ("", 0)


def _date_value(day: str, month: int, pieces: Pieces, at: int, end: int) -> Value:
    year, read = _year(pieces, end)
    end += read
    end += text_at(pieces, end) == "." and pieces[end - 1].text in MONTHS and len(pieces[end - 1].text) == 3
    return Value(Measure.DATE, f"{year}-{month:02}-{day}", end - at)


def read_date(pieces: Pieces, at: int) -> Value | None:
    text = text_at(pieces, at)
    if iso := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text):
        return Value(Measure.DATE, f"{iso[1]}-{iso[2]}-{int(iso[3])}", 1)
    if dotted := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text):
        return Value(Measure.DATE, f"{dotted[3]}-{int(dotted[2]):02}-{int(dotted[1])}", 1)
    if text == "end" and text_at(pieces, at + 1) == "of" and (month := _month(pieces, at + 2, sure=True)):
        return _date_value(str(DAYS_IN_MONTH[month - 1]), month, pieces, at, at + 3)
    if found := _day_of_month(pieces, at):
        return _date_from_day(found, pieces, at)
    if month := _month(pieces, at, sure=False) or (
        _day_follows(pieces, at) and _month(pieces, at, sure=True)
    ):
        if _day_follows(pieces, at) and (named := _day_of_month(pieces, at + 1)):
            ordinal = text_at(pieces, at + 2) in {"st", "nd", "rd", "th"}
            return _date_value(str(named[0]), month, pieces, at, at + 2 + ordinal)
        return _date_value("", month, pieces, at, at + 1)
    return None


def _day_follows(pieces: Pieces, at: int) -> bool:
    return _day_of_month(pieces, at + 1) is not None


def _date_from_day(found: tuple[int, int], pieces: Pieces, at: int) -> Value | None:
    day, end = str(found[0]), at + found[1]
    if text_at(pieces, at + 1) in {"to", "bis", "al", "-"} and (last := _day_of_month(pieces, at + 2)):
        day, end = f"{day}..{last[0]}", at + 2 + last[1]
    elif last := _day_of_month(pieces, at + 1):
        day, end = f"{day}..{last[0]}", at + 1 + last[1]
    end += text_at(pieces, end) in {"of", "de"}
    if (month := _month(pieces, end, sure=True)) is None:
        return None
    return _date_value(day, month, pieces, at, end + 1)


def read_cjk_date(pieces: Pieces, at: int) -> Value | None:
    texts = [text_at(pieces, at + step) for step in range(4)]
    if texts[1] == "月" and texts[3] == "日" and texts[0].isdigit() and texts[2].isdigit():
        return Value(Measure.DATE, f"-{int(texts[0]):02}-{int(texts[2])}", 4)
    return None
