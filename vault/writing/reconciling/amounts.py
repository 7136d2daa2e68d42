"""What values are made of: a number in digits or words at a place, and the form in which it is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from vault.writing.reconciling.lexemes import Lexeme, Piece
from vault.writing.reconciling.numerals import NUMBER_WORDS


class Measure(StrEnum):
    """What a value measures. Quantities add their unit: two lengths may differ, a length and a price cannot."""

    NUMBER = "number"
    YEAR = "year"
    TIME = "time"
    DATE = "date"
    WEEKDAY = "weekday"
    PERIOD = "period"


class Value(NamedTuple):
    """`measure` is a Measure or the unit; `amount` is its normal form; `pieces` says how many it was read from."""

    measure: str
    amount: str
    pieces: int


Pieces = Sequence[Lexeme]


def text_at(pieces: Pieces, at: int) -> str:
    return pieces[at].text if 0 <= at < len(pieces) else ""


def number_at(pieces: Pieces, at: int) -> float | None:
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
        return (
            float(re.sub(r"[.,]", "", text))
            if not re.fullmatch(r"0[.,]\d{3}", text)
            else float(text.replace(",", "."))
        )
    whole, _, fraction = re.sub(r"[.,](?=.*[.,])", "", text).replace(",", ".").partition(".")
    return float(f"{whole}.{fraction or 0}")


def plain(amount: float) -> str:
    return f"{amount:.10g}"
