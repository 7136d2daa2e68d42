"""Pieces of patterns that several recognisers share: a capitalised word, the small words between."""

# ruff: noqa: E501 - a pattern is read in one piece

from __future__ import annotations

CAPITAL = r"\p{Lu}[\p{L}'’\-]*\.?"
LINK = r"(?:de|la|le|du|des|del|della|delle|di|da|do|dos|das|den|der|van|von|of|the|y|e|i|und|and|et|en|av|af|ul\.|u\.|út|tér)"
NAME_WORD = r"\p{Lu}[\p{L}'’\-]+"
INITIAL = r"\p{Lu}\."
FULL_NAME = (
    rf"{NAME_WORD}(?:[ ](?:{NAME_WORD}|{INITIAL}|\p{{Lu}}|van|von|de|da|der|den|bin|al|el|la|dos|di)){{0,3}}"
)
PLACE_NAME = rf"{CAPITAL}(?:[ \-](?:{CAPITAL}|{LINK})){{0,3}}"
