"""Long texts in pieces, so that the deadline is looked at between them."""

from __future__ import annotations

from collections.abc import Iterator

PIECE_CHARACTERS = 2000
# Longer than any address or name, so that what lies on a border is whole in one of the two pieces.
OVERLAP_CHARACTERS = 200


def pieces(
    text: str, *, size: int = PIECE_CHARACTERS, overlap: int = OVERLAP_CHARACTERS
) -> Iterator[tuple[int, str]]:
    """Yield (offset, piece); each piece begins `overlap` characters before the end of the one before."""
    for start in range(0, max(len(text) - overlap, 1), size - overlap):
        yield start, text[start : start + size]
