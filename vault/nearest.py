"""The known word that a wrong one was probably meant to be. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MAX_CHARACTERS = 64
# The start of a word that is shorter than this may be that of any.
MIN_START = 3


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The known word nearest to a given one, or that goes on from it, whatever the case; None when none is near."""
    folded = {word.casefold(): word for word in sorted(known, reverse=True)}
    # What is much longer than any word is no word, and would be slow to compare.
    meant = given[:MAX_CHARACTERS].casefold()
    near = get_close_matches(meant, folded, n=1)
    if not near and len(meant) >= MIN_START:
        near = sorted((word for word in folded if word.startswith(meant)), key=len)
    return folded[near[0]] if near else None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A question that names a known word and never the given one; empty when none is near."""
    found = nearest(given, known)
    return "" if found is None else f" Did you mean {found}?"
