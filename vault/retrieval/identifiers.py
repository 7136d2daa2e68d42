"""Whether a text is about another identifier than those that are asked for: order 5512 where 5530 is meant. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A number of something, or a code with one; fewer digits are a day, a count or a floor, and sums of money are none.
_NUMBERED = re.compile(
    r"(?<![\d.,€$£])(?<![€$£]\s)\b[^\W_]*\d{3,}[^\W_]*\b(?![.,]\d|\s?(?:[€$£%]|(?:eur|euros?|usd|gbp|chf|dollars?|pounds)\b))"
)
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"(?:19|20)\d\d")


def names_another(text: str, wanted: Iterable[str]) -> bool:
    """Whether the text holds an identifier of a wanted one's form, and none that is wanted.

    The form is its letters, with any number of digits: what differs in form ("P200", "5530") may stand beside it.
    """
    asked = {word for each in wanted for word in _numbered(each)}
    held = _numbered(text)
    return not asked & held and bool({_form(word) for word in asked} & {_form(word) for word in held})


def _numbered(text: str) -> set[str]:
    return {word for word in _NUMBERED.findall(text.casefold()) if not _YEAR.fullmatch(word)}


def _form(word: str) -> str:
    return _DIGITS.sub("0", word)
