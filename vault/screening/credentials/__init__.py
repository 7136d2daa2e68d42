"""Credentials: named formats first, then labelled values, cards and one-time codes.

Every rule needs a format of its own or a label beside the value. Bare entropy raises no alarm: measured
on plain sentences it flags nearly every one, and it cannot tell a commit hash from a key.
"""

from __future__ import annotations

from vault.screening.credentials import carriers, clouds, hosts, products
from vault.screening.credentials.assignments import find_assigned
from vault.screening.credentials.cards import CARD_TYPE, find_cards
from vault.screening.credentials.one_time_codes import find_one_time_codes
from vault.screening.credentials.pairs import find_pairs
from vault.screening.credentials.plain_words import find_plain_words
from vault.screening.credentials.scan import Hit, Rules, Scanned

NAMED = Rules(
    *carriers.RULES,
    *clouds.RULES,
    *hosts.SOURCE_HOSTS,
    *hosts.PAYMENT,
    *hosts.MESSAGING,
    *products.AI_PROVIDERS,
    *products.PRODUCTS,
)

__all__ = ["CARD_TYPE", "Hit", "find_cards", "find_credentials", "find_named"]


def find_named(text: str) -> list[Hit]:
    """Credentials that carry a format of their own."""
    return NAMED.find(Scanned(text))


def find_credentials(text: str, *, label: str = "") -> list[Hit]:
    """All credentials in a text but cards; `label` is the name that the text stands under, if any."""
    scanned = Scanned(text)
    return [
        *NAMED.find(scanned),
        *find_assigned(scanned, label=label),
        *find_plain_words(scanned),
        *find_pairs(scanned),
        *find_one_time_codes(scanned),
    ]
