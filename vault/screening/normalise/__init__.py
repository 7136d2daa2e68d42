"""One normaliser before every detector: scan the variants, store the original.

`normalise` is pure, linear in the length of the text and bounded by a budget. Nothing is judged here
but the hiding itself; what the variants say is for the detectors. Road not taken: rewriting the text
that is stored, which would keep a reviewer from seeing what was sent.
"""

from __future__ import annotations

from vault.screening.normalise.decoders import DECODERS
from vault.screening.normalise.fold import fold
from vault.screening.normalise.invisible import (
    decode_selectors,
    decode_tags,
    decode_zero_width,
    hidden_carriers,
    reveal,
    undo_overrides,
)
from vault.screening.normalise.markup import comments, hidden_elements, strip_tags, titles
from vault.screening.normalise.values import Budget, Normalised, Variant
from vault.screening.normalise.wordplay import (
    alternates,
    turned_round,
    unjoined,
    unleeted,
    unrotated,
    unspaced,
)

__all__ = ["Budget", "Normalised", "Variant", "normalise", "reveal"]

DEFAULT_BUDGET = Budget()
MIN_MIXED_WORDS = 2

_INVISIBLE = (
    ("tags", decode_tags),
    ("variation_selectors", decode_selectors),
    ("zero_width", decode_zero_width),
    ("bidi", undo_overrides),
)
_READINGS = (
    *DECODERS,
    ("html_comment", comments),
    ("hidden_element", hidden_elements),
    ("link_title", titles),
    ("markup", strip_tags),
    ("spaced", unspaced),
    ("joined", unjoined),
    ("leet", unleeted),
    ("rot13", unrotated),
    ("reversed", turned_round),
)


def normalise(text: str, *, budget: Budget = DEFAULT_BUDGET) -> Normalised:
    """Every reading of a text within the budget: folded first, then what it decodes to."""
    read = text[: budget.characters]
    folded, offsets, mixed_words = fold(read)
    shelf = _Shelf(budget)
    shelf.add(folded, "")
    carriers: tuple[str, ...] = ()
    if not read.isascii():
        carriers = hidden_carriers(read)
        for carrier, decode in _INVISIBLE:
            shelf.add(fold(decode(read))[0], carrier)
    if mixed_words >= MIN_MIXED_WORDS:
        carriers += ("homoglyph",)
    if alternates(folded):
        carriers += ("mixed_case",)
    shelf.decode(budget.depth)
    truncated = shelf.overrun or len(text) > len(read)
    return Normalised(text, folded, tuple(shelf.variants), carriers, truncated, offsets)


class _Shelf:
    """The variants found so far, without repeats, within the budget."""

    def __init__(self, budget: Budget) -> None:
        self.variants: list[Variant] = []
        self.overrun = False
        self._budget = budget
        self._left = budget.characters + budget.variant_characters
        self._seen: set[str] = set()

    def add(self, text: str, carrier: str) -> None:
        if not text.strip() or text in self._seen:
            return
        if len(self.variants) > self._budget.variants or len(text) > self._left:
            self.overrun = True
            return
        self._left -= len(text)
        self._seen.add(text)
        self.variants.append(Variant(text, carrier))

    def decode(self, depth: int) -> None:
        """Read every variant in every way, and what comes out again, `depth` times."""
        done = 0
        for _ in range(depth):
            fresh = self.variants[done:]
            done = len(self.variants)
            for variant in fresh:
                for carrier, read in _READINGS:
                    out = read(variant.text)
                    if out:
                        self.add(fold(out)[0], carrier)
