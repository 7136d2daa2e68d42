"""Check sums inside tokens: they raise the certainty, their absence does not clear a token.

Somebody who mistypes one character of a live token has still written down most of it.
"""

from __future__ import annotations

import zlib

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
CHECKSUM_LENGTH = 6


def base62(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = BASE62[rest] + digits
    return digits.rjust(CHECKSUM_LENGTH, "0")


def has_valid_crc32(token: str) -> bool:
    """GitHub's and npm's form: the last six characters are the CRC-32 of the body, in base 62."""
    body = token.rpartition("_")[2]
    return base62(zlib.crc32(body[:-CHECKSUM_LENGTH].encode())) == body[-CHECKSUM_LENGTH:]


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
