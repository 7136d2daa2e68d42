"""Times of day, in digits or spoken, in one form: "18:45"."""

from __future__ import annotations

import re

from vault.writing.reconciling.amounts import Measure, Pieces, Value, number_at, text_at
from vault.writing.reconciling.numerals import EVENING, MORNING

NOON = 12
# A bare number after one of these, with nothing behind it that it could count, is an hour.
_BEFORE_TIMES = frozenset(
    {"before", "after", "until", "till", "at", "from", "between", "vor", "nach", "um", "bis"}
)
_NOTHING = frozenset({"", ".", ",", ";", "!", "?", "please"})
SPOKEN_TIMES = {"noon": 12.0, "midday": 12.0, "midnight": 0.0, "mittags": 12.0, "mediodía": 12.0}


def read_clock(pieces: Pieces, at: int) -> Value | None:
    """A time of day, on the 24-hour clock where the half of the day is told."""
    if text_at(pieces, at) in SPOKEN_TIMES:
        return Value(Measure.TIME, _clock(SPOKEN_TIMES[text_at(pieces, at)]), 1)
    if (told := _spoken_clock(pieces, at)) is None:
        return None
    hours, end, sure = told
    afterwards = [text_at(pieces, end + step) for step in range(4)]
    if afterwards[0] in {"am", "a.m", "pm", "p.m"} or (afterwards[0] in "ap" and afterwards[1] == "m"):
        end += 1 if len(afterwards[0]) > 1 else 2
        return Value(Measure.TIME, _clock(hours % 12 + 12 * afterwards[0].startswith("p")), end - at)
    if afterwards[0] in {"uhr", "heures", "o", "baje", "बजे", "時"}:
        sure, end = True, end + 1 + (afterwards[0] == "o")
        afterwards = [text_at(pieces, end + step) for step in range(4)]
    half = next((word for word in afterwards[:4] if word in EVENING or word in MORNING), "")
    before = {text_at(pieces, at - 1), text_at(pieces, at - 2)} & (EVENING | MORNING)
    half = half or next(iter(sorted(before)), "")
    limit = text_at(pieces, at - 1) in _BEFORE_TIMES and afterwards[0] in _NOTHING and hours <= NOON
    if not (sure or half or limit):
        return None
    if half and hours <= 12:
        hours = hours % 12 + 12 * (half in EVENING)
    if half in afterwards:
        end += afterwards.index(half) + 1
    return Value(Measure.TIME, _clock(hours), end - at)


def _spoken_clock(pieces: Pieces, at: int) -> tuple[float, int, bool] | None:
    """(hours, the place after it, whether it can be nothing but a time)."""
    text = text_at(pieces, at)
    if told := re.fullmatch(r"(\d{1,2}):(\d\d)", text):
        return int(told[1]) + int(told[2]) / 60, at + 1, True
    if told := re.fullmatch(r"(\d{1,2})h(\d\d)", text):
        return int(told[1]) + int(told[2]) / 60, at + 1, True
    parts = {"quarter": 0.25, "half": 0.5}
    if (
        text in parts
        and text_at(pieces, at + 1) in {"to", "past"}
        and (hour := number_at(pieces, at + 2)) is not None
    ):
        return hour + (parts[text] if text_at(pieces, at + 1) == "past" else -parts[text]), at + 3, True
    hour = number_at(pieces, at)
    return (hour, at + 1, False) if hour is not None and hour == int(hour) and hour <= 24 else None


def _clock(hours: float) -> str:
    minutes = round(hours * 60)
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"
