"""Secrets that a subject is shown once: the number of a request, and the token behind a link."""

from __future__ import annotations

import base64
import secrets

from vault.keys import key_vault

NUMBER_BYTES = 20  # 160 bits, 32 letters without padding
GROUP = 4
TOKEN_BYTES = 32
# Base32 has none of these digits: read aloud or from paper they are taken for the letters.
MISREAD = str.maketrans({"0": "O", "1": "I", "8": "B"})


def new_number() -> str:
    """A random number in groups of letters and digits, to be written down."""
    letters = base64.b32encode(secrets.token_bytes(NUMBER_BYTES)).decode("ascii")
    return "-".join(letters[start : start + GROUP] for start in range(0, len(letters), GROUP))


def number_hash(number: str) -> bytes:
    """The digest of a number, however it was typed: blanks, hyphens and case do not count."""
    typed = "".join(character for character in number.upper() if character.isalnum())
    return key_vault().token_hash(f"request:{typed.translate(MISREAD)}")


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    return key_vault().token_hash(f"proof:{token}")
