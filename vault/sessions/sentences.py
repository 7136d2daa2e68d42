"""The sentences of a text, exact as they were written. Pure."""

from __future__ import annotations

import re

MAX_SENTENCE_CHARACTERS = 400
# A full stop behind a title or a number's sign ends nothing.
_SENTENCES = re.compile(
    r"(?<=[.!?।])(?<!\bDr\.)(?<!\bMrs\.)(?<!\bM[rs]\.)(?<!\bSt\.)(?<!\bN[or]\.)(?<!\bProf\.)\s+|(?<=[。！？])|\n+"
)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, exact; one that is very long is cut at a space."""
    found = [part.strip() for part in _SENTENCES.split(text)]
    return [_cut(part) for part in found if part]


def _cut(sentence: str) -> str:
    if len(sentence) <= MAX_SENTENCE_CHARACTERS:
        return sentence
    return sentence[:MAX_SENTENCE_CHARACTERS].rsplit(" ", 1)[0] + " …"
