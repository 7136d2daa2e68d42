"""Names, places, organisations and dates from spaCy's models, in bounded pieces.

English comes with the vault; SCREENING_MODELS names installed models of other languages, and a namespace's policy says
which of them read its texts. Only tok2vec and ner are loaded: the same spans at two thirds of the time. The tokens of a
text do not stay in the vocabulary of the process: each run opens a memory zone and closes it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import spacy
from django.conf import settings

from vault.screening.credentials.scan import Hit
from vault.screening.personal_data.pieces import pieces

ENGLISH = "en"
NOT_NEEDED = ("tagger", "parser", "attribute_ruler", "lemmatizer")
SHARED_VECTORS = "tok2vec"
LISTENER = "tok2vec-listener"
CHUNK_CHARACTERS = 1200
OVERLAP_CHARACTERS = 120
LOCK_WAIT_SECONDS = 30.0

TYPES = {
    "PERSON": "PERSON",
    "PER": "PERSON",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANIZATION",
    "NORP": "NRP",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
}
SCORE = 0.85

# Sets of memory zones do not nest over threads, and inference holds the interpreter anyway.
_model_lock = threading.Lock()
_HAS_LETTER = re.compile(r"[^\W\d_]")


class LanguageNotConfigured(LookupError):
    """A policy names a language that no model is configured for: nothing is screened as if it had been read."""


@lru_cache(maxsize=16)
def model(language: str = ENGLISH) -> Any:
    """The pipeline of a language (ISO 639-1), loaded on first use. Raises LanguageNotConfigured."""
    return without_unread_vectors(installed(language))


def installed(language: str = ENGLISH) -> Any:
    """Word vectors and names of a language's model as its makers ship them, loaded anew.

    Raises LanguageNotConfigured.
    """
    name = settings.SCREENING_MODELS.get(language)
    if name is None:
        raise LanguageNotConfigured(language)
    return spacy.load(name, exclude=list(NOT_NEEDED))


def without_unread_vectors(nlp: Any) -> Any:
    """The same pipeline without shared word vectors if no part of it reads them: its spans are the same."""
    if SHARED_VECTORS in nlp.pipe_names and not any(_listens(part) for _, part in nlp.pipeline):
        nlp.remove_pipe(SHARED_VECTORS)
    return nlp


def _listens(part: Any) -> bool:
    network = getattr(part, "model", None)
    return network is not None and any(layer.name == LISTENER for layer in network.walk())


def find_entities(
    text: str, check_time: Callable[[], None], *, languages: Sequence[str] = (ENGLISH,)
) -> list[Hit]:
    """What the models of these languages take for a name, place, organisation or date.

    Raises LanguageNotConfigured, and whatever `check_time` raises when the deadline passes between two pieces.
    """
    found: dict[tuple[str, int, int], Hit] = {}
    for offset, piece in pieces(text, size=CHUNK_CHARACTERS, overlap=OVERLAP_CHARACTERS):
        for language in languages:
            check_time()
            for label, start, end in _entities(piece, language):
                kind = TYPES.get(label)
                if kind and _is_plausible(kind, piece[start:end]):
                    span = (kind, offset + start, offset + end)
                    found[span] = Hit(*span, SCORE, "spacy-ner")
    return list(found.values())


def _is_plausible(kind: str, value: str) -> bool:
    """Codes, words in capitals and words in lower case are not names; only dates hold digits."""
    if kind in ("DATE_TIME", "NRP"):
        return True
    if not _HAS_LETTER.search(value) or any(c.isdigit() for c in value) or "_" in value:
        return kind == "LOCATION" and " " in value and value[:1].isalpha()
    is_one_word = " " not in value.strip()
    return not (kind == "PERSON" and (value.islower() or (is_one_word and value.isupper())))


def _entities(piece: str, language: str) -> list[tuple[str, int, int]]:
    if not _model_lock.acquire(timeout=LOCK_WAIT_SECONDS):
        raise TimeoutError
    try:
        nlp = model(language)
        with nlp.memory_zone():
            return [(e.label_, e.start_char, e.end_char) for e in nlp(piece).ents]
    finally:
        _model_lock.release()
