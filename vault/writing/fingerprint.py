"""The form of a statement in which its duplicates are alike."""

from __future__ import annotations

import unicodedata


def same_statement_form(text: str) -> str:
    """NFKC, case folded, white space folded, format characters dropped; no letter of any script is lost."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Variation selectors and joiners are kept: they tell one emoji from another.
    visible = "".join(c for c in folded if unicodedata.category(c) != "Cf" or c == "\u200d")
    return " ".join(unicodedata.normalize("NFKC", visible).split())
