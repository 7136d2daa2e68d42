"""What the normaliser gives back, and what it may spend."""

from __future__ import annotations

from dataclasses import dataclass

from vault.screening.limits import MAX_TEXT_CHARACTERS


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds of one normalisation: characters read, decoding depth, and what the variants may add."""

    characters: int = MAX_TEXT_CHARACTERS
    depth: int = 2
    variants: int = 24
    variant_characters: int = 2 * MAX_TEXT_CHARACTERS


@dataclass(frozen=True, slots=True)
class Variant:
    """One reading of a text. `carrier` names what hid it; empty for the folded text itself."""

    text: str
    carrier: str = ""


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text as submitted and as it may be read.

    `carriers` are the ways of hiding that are suspicious whatever they hide. `truncated` says that the
    budget did not reach to the end: the rest was not read. `offsets[i]` is where character i of `folded`
    stands in `original`; empty when the two are aligned one to one.
    """

    original: str
    folded: str
    variants: tuple[Variant, ...]
    carriers: tuple[str, ...]
    truncated: bool
    offsets: tuple[int, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Translate a span of `folded` into one of `original`."""
        if not self.offsets or end <= start:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1
