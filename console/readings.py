"""A text as the detectors read it: folded, and every decoding of it that they looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vault.screening.normalise import normalise, reveal

FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one field; `carrier` is a code for what it was read out of."""

    pointer: str
    carrier: str
    text: str


@dataclass(frozen=True, slots=True)
class Readings:
    """All readings of a draft's fields. `cut_short` names the fields that were not read to their end."""

    all: tuple[Reading, ...]
    cut_short: tuple[str, ...]


def readings_of(fields: Mapping[str, str]) -> Readings:
    """Normalise every field as a screening does. Pure."""
    forms = {pointer: normalise(text) for pointer, text in fields.items()}
    return Readings(
        all=tuple(
            Reading(pointer, variant.carrier or FOLDED, reveal(variant.text))
            for pointer, form in forms.items()
            for variant in form.variants
        ),
        cut_short=tuple(pointer for pointer, form in forms.items() if form.truncated),
    )
