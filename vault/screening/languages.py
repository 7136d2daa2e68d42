"""Which language a text is written in, and whether any detector knows it.

Orders and claims are known in the languages of the lexicon, names in those that a model of names is configured for.
What the identifier of languages says of a few words is a guess, so it counts only where hardly any weight is left for a
language that is known.
"""

from __future__ import annotations

import re
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from vault.screening.injection.lexicon import CLAIM_CLASSES, CLASSES, LEXICON
from vault.screening.personal_data.pieces import pieces

# `zxx` is what the identifier calls text that is in no language: code, hashes, lists of numbers.
NO_LANGUAGE = "zxx"
# A language counts as known where both orders and claims have words in it; English has its claims in patterns.
KNOWN = frozenset(LEXICON.languages_of(CLASSES) & LEXICON.languages_of(CLAIM_CLASSES) | {"en", NO_LANGUAGE})
# Measured on 8,797 labelled texts: below six words names of people and streets decide the guess.
MIN_WORDS = 6
MAX_KNOWN_WEIGHT = 0.03
_WORD = re.compile(r"(?<![\w@./:-])[^\W\d_]{2,}(?:['’][^\W\d_]+)*(?![\w@/])")


def is_known(text: str, *, also: frozenset[str] = frozenset()) -> bool:
    """Whether some detector knows the language of every piece of the text; too few words are nobody's language.

    `also` are further languages (ISO 639-1) that the namespace has a model of names for. Linear in the text.
    """
    known = KNOWN | also
    return all(_weight(piece, known) > MAX_KNOWN_WEIGHT for _, piece in pieces(text))


def _weight(piece: str, known: frozenset[str]) -> float:
    """How much of the guess falls on known languages, 0..1."""
    words = _WORD.findall(piece)
    if len(words) < MIN_WORDS:
        return 1.0
    return sum(float(share) for language, share in identifier().rank(" ".join(words)) if language in known)


@lru_cache(maxsize=1)
def identifier() -> LanguageIdentifier:
    """The model that comes with the package, loaded on first use; it looks nothing up outside."""
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
