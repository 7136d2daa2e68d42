"""Addresses of contacts: how they are written, and the keyed hash by which one is found."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from vault.errors import InvalidField
from vault.keys import key_vault

MAX_CHARACTERS = 254


def normalised(address: str) -> str:
    """One spelling for one mailbox: no blanks around it, NFC, lower case."""
    return unicodedata.normalize("NFC", address.strip()).lower()


def checked(address: str) -> str:
    """The normalised address. Raises InvalidField, which does not repeat it.

    What only looks like an address, by signs that fold to others (a Kelvin sign is no k) or that are not seen, is
    refused: its mail would go elsewhere than to whom it was checked with.
    """
    spelled = normalised(address)
    try:
        if len(spelled) > MAX_CHARACTERS or not spelled.isprintable() or _is_disguised(address.strip()):
            raise InvalidField("This is not an e-mail address.", pointer="/email")
        validate_email(spelled)
    except ValidationError:
        raise InvalidField("This is not an e-mail address.", pointer="/email") from None
    return spelled


def lookup_hash(address: str) -> bytes:
    """The 32-byte digest of a normalised address under the vault's own key."""
    return key_vault().token_hash(f"contact:{address}")


def _is_disguised(address: str) -> bool:
    """Whether a sign beyond ASCII would count as one within it."""
    beyond = (sign for sign in address if not sign.isascii())
    return any(unicodedata.normalize("NFKC", sign).isascii() for sign in beyond)
