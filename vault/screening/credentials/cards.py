"""Payment cards: length and range of the issuer, then the check digit (ISO/IEC 7812-1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vault.screening.credentials.checksums import luhn
from vault.screening.credentials.scan import Hit, Scanned

CARD_TYPE = "CREDIT_CARD"

# (first, last) of the leading digits, and the lengths in which the range is issued.
RANGES: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("4", "4", (13, 16, 19)),  # Visa
    ("51", "55", (16,)),  # Mastercard
    ("2221", "2720", (16,)),  # Mastercard, 2-series
    ("34", "34", (15,)),  # American Express
    ("37", "37", (15,)),
    ("300", "305", (14, 16)),  # Diners Club
    ("3095", "3095", (14, 16)),
    ("36", "36", (14, 16, 19)),
    ("38", "39", (14, 16, 19)),
    ("6011", "6011", (16, 19)),  # Discover
    ("644", "649", (16, 19)),
    ("65", "65", (16, 19)),
    ("622126", "622925", (16, 17, 18, 19)),  # UnionPay
    ("62", "62", (16, 17, 18, 19)),
    ("81", "81", (16,)),
    ("3528", "3589", (16, 17, 18, 19)),  # JCB
    ("2131", "2131", (15,)),
    ("1800", "1800", (15,)),
    ("50", "50", (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro
    ("56", "58", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("60", "60", (16, 17, 18, 19)),  # RuPay and others
    ("63", "63", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("67", "67", (12, 13, 14, 15, 16, 17, 18, 19)),
    ("2200", "2204", (16, 17, 18, 19)),  # Mir
    ("9792", "9792", (16,)),  # Troy
)
_RUN = r"\d(?:[ .\-\x{2010}-\x{2015}\x{a0}\x{202f}]?\d){11,}"
_GROUP = re.compile(r"\d+")
MIN_DIGITS, MAX_DIGITS = 12, 19
MIN_GROUP, MAX_GROUP = 3, 7
CONTEXT = (
    "card",
    "visa",
    "amex",
    "mastercard",
    "credit",
    "debit",
    "carte",
    "karte",
    "tarjeta",
    "卡",
    "カード",
)


def find_cards(scanned: Scanned) -> Iterator[Hit]:
    if sum(c.isdigit() for c in scanned.text) < MIN_DIGITS:
        return
    for start, end, _ in scanned.matches(_RUN):
        groups = [(start + m.start(), start + m.end()) for m in _GROUP.finditer(scanned.text[start:end])]
        yield from _cards_among(groups, scanned)


def _cards_among(groups: list[tuple[int, int]], scanned: Scanned) -> Iterator[Hit]:
    """Cards begin and end where a group of digits does; several may follow one another."""
    first = 0
    while first < len(groups):
        last = _last_group(groups, first, scanned)
        if last is None:
            first += 1
            continue
        yield Hit(CARD_TYPE, groups[first][0], groups[last][1], 1.0, "card-luhn")
        first = last + 1


def _last_group(groups: list[tuple[int, int]], first: int, scanned: Scanned) -> int | None:
    digits = 0
    for last in range(first, len(groups)):
        digits += groups[last][1] - groups[last][0]
        if digits > MAX_DIGITS:
            return None
        start, end = groups[first][0], groups[last][1]
        run = scanned.text[start:end]
        if digits >= MIN_DIGITS and is_card(run) and _stands_alone(scanned.text, start, end):
            sizes = [b - a for a, b in groups[first : last + 1]]
            if _is_grouped(sizes, scanned.lowered):
                return last
    return None


def is_card(run: str) -> bool:
    digits = "".join(c for c in run if c.isdigit())
    in_range = any(
        len(digits) in lengths and low <= digits[: len(low)] <= high for low, high, lengths in RANGES
    )
    return in_range and len(set(digits)) > 1 and luhn(digits)


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    is_decimal = (before[-1:] == "." and before[:1].isdigit()) or (after[:1] == "." and after[1:].isdigit())
    return not (_joins(before[-1:], "_#+") or _joins(after[:1], "_") or is_decimal)


def _joins(character: str, signs: str) -> bool:
    """A letter of another script does not join: such text is written without spaces."""
    return (
        character in signs
        if not character.isalnum() and character
        else character.isascii() and character != ""
    )


def _is_grouped(sizes: list[int], lowered: str) -> bool:
    """A card is written in one piece or in groups of its own; anything else needs the word for it."""
    if len(sizes) == 1 or all(MIN_GROUP <= size <= MAX_GROUP for size in sizes[:-1]):
        return True
    return any(word in lowered for word in CONTEXT)
