"""Personal data: what identifies or describes a person, each with its type and how sure we are.

Presidio's recognisers and spaCy's names are the ground; what they miss is added, and what they invent
(file names as pages, versions as dates) is taken out again. One threshold for all types cannot work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from vault.screening.credentials.cards import find_cards
from vault.screening.credentials.scan import Hit, Scanned
from vault.screening.personal_data.access_codes import find_access_codes
from vault.screening.personal_data.contacts import find_contacts
from vault.screening.personal_data.entities import ENGLISH, find_entities
from vault.screening.personal_data.gazetteer import find_countries
from vault.screening.personal_data.identifiers import find_identifiers
from vault.screening.personal_data.labelled import find_labelled
from vault.screening.personal_data.names import find_introduced
from vault.screening.personal_data.overlaps import without_phantoms
from vault.screening.personal_data.people import find_people
from vault.screening.personal_data.pieces import pieces
from vault.screening.personal_data.places import find_places

__all__ = ["Hit", "find_personal_data"]


def find_personal_data(
    text: str,
    *,
    label: str = "",
    is_prose: bool = True,
    words: Mapping[str, tuple[str, ...]],
    languages: Sequence[str] = (ENGLISH,),
    check_time: Callable[[], None],
) -> list[Hit]:
    """All personal data in one text. `words` are a namespace's own context words per type.

    Names are looked for only in prose, by the models of `languages` (ISO 639-1). Raises LanguageNotConfigured,
    and whatever `check_time` raises when time is up.
    """
    hits: list[Hit] = []
    for offset, piece in pieces(text):
        check_time()
        found = _find_by_form(Scanned(piece), label=label, is_prose=is_prose, words=words)
        hits += [replace(hit, start=hit.start + offset, end=hit.end + offset) for hit in found]
    if is_prose:
        hits += find_entities(text, check_time, languages=languages)
    return without_phantoms(hits)


def _find_by_form(
    scanned: Scanned, *, label: str, is_prose: bool, words: Mapping[str, tuple[str, ...]]
) -> Iterator[Hit]:
    yield from find_cards(scanned)
    yield from find_contacts(scanned, label=label)
    yield from find_identifiers(scanned, label=label, words=words)
    yield from find_labelled(scanned)
    yield from find_access_codes(scanned)
    if is_prose:
        for find in (find_introduced, find_people, find_places, find_countries):
            yield from find(scanned)
