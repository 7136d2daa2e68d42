"""Which words of a memory are indexed by which index.

The keyword index reads the speaker and the text; the embedding reads the text alone. A name in the
embedded text pulls every memory of one speaker towards every question that names them, and costs recall where
the speaker is known anyway (docs/retrieval.md has the figures). Neighbouring turns are not embedded: they
count when a query is answered, for no vector more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SPEAKER_KEY = "speaker"
MAX_SPEAKER_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class IndexText:
    """What the two indexes read of one memory, and who spoke ("" when the writer did not say)."""

    keyword: str = field(repr=False)
    embedded: str = field(repr=False)
    speaker: str = field(repr=False)


def index_text(*, text: str, metadata: Mapping[str, Any]) -> IndexText:
    """The words by which a memory of this text and metadata is found."""
    speaker = speaker_of(metadata)
    return IndexText(keyword=f"{speaker}: {text}" if speaker else text, embedded=text, speaker=speaker)


def speaker_of(metadata: Mapping[str, Any]) -> str:
    """Who spoke, from the metadata key `speaker`; anything but a short string is nobody."""
    speaker = metadata.get(SPEAKER_KEY)
    return speaker.strip() if isinstance(speaker, str) and len(speaker) <= MAX_SPEAKER_CHARACTERS else ""
