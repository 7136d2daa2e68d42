"""Which language a text is written in, and whether any detector knows it.

Orders and claims are known in the languages of the lexicon, names in those that a model of names is configured for.
What the identifier of languages says of a few words is a guess, so it counts only where hardly any weight is left for a
language that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from vault.screening.injection.lexicon import CLAIM_CLASSES, CLASSES, LEXICON
from vault.screening.personal_data.pieces import pieces

# `zxx` is what the identifier calls text that is in no language: code, hashes, lists of numbers.
NO_LANGUAGE = "zxx"
# A language counts as known where both orders and claims have words in it; English has its claims in patterns.
KNOWN = frozenset(LEXICON.languages_of(CLASSES) & LEXICON.languages_of(CLAIM_CLASSES) | {"en", NO_LANGUAGE})
# Measured on the 19,229 sentences of 8,797 labelled texts, of which one was taken for another language, and on everyday
# notes with foreign names: below six words names of people and streets decide the guess, so it must be a surer one.
MAX_KNOWN_WEIGHT = 0.03
FEW_WORDS, MAX_KNOWN_WEIGHT_OF_FEW = 6, 0.001
MIN_WORDS = 4
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\n\r]+")
_WORD = re.compile(r"(?<![\w@./:-])[^\W\d_]{2,}(?:['’][^\W\d_]+)*(?![\w@/])")


def is_known(text: str, *, also: frozenset[str] = frozenset()) -> bool:
    """Whether some detector knows the language of every sentence; too few words are nobody's language.

    A sentence beside others is judged alone too, so that English around it does not cover for it. `also` are further
    languages (ISO 639-1) that the namespace has a model of names for. Linear in the text.
    """
    known = KNOWN | also
    return all(_has_known_language(part, known) for _, piece in pieces(text) for part in _parts(piece))


def _parts(piece: str) -> Iterator[str]:
    yield piece
    sentences = _SENTENCE_END.split(piece)
    if len(sentences) > 1:
        yield from sentences


def _has_known_language(part: str, known: frozenset[str]) -> bool:
    words = _WORD.findall(part)
    if len(words) < MIN_WORDS:
        return True
    limit = MAX_KNOWN_WEIGHT_OF_FEW if len(words) < FEW_WORDS else MAX_KNOWN_WEIGHT
    return _weight(words, known) > limit


def _weight(words: Sequence[str], known: frozenset[str]) -> float:
    """How much of the guess falls on known languages, 0..1."""
    return sum(float(share) for language, share in identifier().rank(" ".join(words)) if language in known)


@lru_cache(maxsize=1)
def identifier() -> LanguageIdentifier:
    """The model that comes with the package, loaded on first use; it looks nothing up outside."""
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
