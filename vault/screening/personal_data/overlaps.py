"""What speaks against a finding: another one that explains the same characters better."""

from __future__ import annotations

from collections.abc import Iterable

from vault.screening.credentials.scan import Hit
from vault.screening.personal_data.labelled import DETECTOR as LABELLED

# Read as a telephone number or a name, the digits of these are something else.
_EXPLAINS = frozenset({"CREDIT_CARD", "IBAN_CODE", "IP_ADDRESS", "MAC_ADDRESS", "EMAIL_ADDRESS", "URL"})
_WEAK = frozenset({"PHONE_NUMBER", "DATE_TIME", "PERSON", "ORGANIZATION", "LOCATION"})


def without_phantoms(hits: Iterable[Hit]) -> list[Hit]:
    """Drop repeats, and weak readings of characters that a checked identifier explains."""
    kept: dict[tuple[str, int, int], Hit] = {}
    for hit in hits:
        key = (hit.type, hit.start, hit.end)
        if key not in kept or kept[key].score < hit.score:
            kept[key] = hit
    explained = [h for h in kept.values() if h.type in _EXPLAINS]
    dates = [h for h in kept.values() if h.detector == "date"]
    named = [h for h in kept.values() if h.detector == LABELLED]
    return [h for h in kept.values() if not _is_phantom(h, explained, dates, named)]


def _is_phantom(hit: Hit, explained: list[Hit], dates: list[Hit], named: list[Hit]) -> bool:
    if hit.type in _WEAK and any(e.start < hit.end and hit.start < e.end for e in explained if e is not hit):
        return True
    if hit.detector != "phone":
        return False
    # Digits that are called something are no telephone number; where a name covers but a part of them, both are kept.
    return any(d.start < hit.end and hit.start < d.end for d in dates) or any(
        n.start <= hit.start and hit.end <= n.end for n in named
    )
