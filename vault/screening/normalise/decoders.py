"""Encodings that models read as fluently as plain text, each decoded in place.

A decoder returns the text with what it could decode put on a line of its own, or "" when there was
nothing: bytes that are not readable text are left as they stand, so hashes and ids do not change.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

MIN_DECODED_LETTERS = 5

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{14,}={0,2}(?:\r?\n[A-Za-z0-9+/_-]{2,}={0,2}(?=\s|$))*")
_BASE32 = re.compile(r"[A-Z2-7]{16,}={0,6}")
_HEX = re.compile(r"(?:0x|\\x)?[0-9a-fA-F]{2}(?:(?:0x|\\x|[ :,-](?:0x|\\x)?)?[0-9a-fA-F]{2}){5,}")
_HEX_FILLER = re.compile(r"0x|\\x|[ :,-]")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_ESCAPE = re.compile(r"\\u\{?([0-9a-fA-F]{4,6})\}?|\\U([0-9a-fA-F]{8})|\\([0-3][0-7]{2})")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_QUOTED = re.compile(r"=[0-9A-F]{2}|=\r?\n")
_BINARY = re.compile(r"[01]{8}(?:[ ,]?[01]{8}){4,}")
_DECIMAL = re.compile(r"(?<![0-9])[0-9]{2,3}(?:[ ,;]+[0-9]{2,3}){5,}(?![0-9])")


def readable(data: bytes) -> str:
    """The bytes as text if they read as text: UTF-8, printable, mostly letters; else ""."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    letters = sum(map(str.isalpha, text))
    printable = sum(each.isprintable() or each in "\t\r\n" for each in text)
    if letters < MIN_DECODED_LETTERS or printable < len(text) or 2 * letters < len(text):
        return ""
    return text


def decode_base64(text: str) -> str:
    return _in_place(_BASE64, text, _from_base64)


def _from_base64(run: str) -> str:
    packed = re.sub(r"[\s=]", "", run).replace("-", "+").replace("_", "/")
    # A length of 4n+1 is no encoding; the last character then belongs to the sentence around it.
    packed = packed[:-1] if len(packed) % 4 == 1 else packed
    return _decoded(base64.b64decode, packed + "=" * (-len(packed) % 4))


def decode_base32(text: str) -> str:
    return _in_place(_BASE32, text, _from_base32)


def _from_base32(run: str) -> str:
    packed = run.rstrip("=")
    return _decoded(base64.b32decode, packed + "=" * (-len(packed) % 8))


def decode_hex(text: str) -> str:
    return _in_place(_HEX, text, _from_hex)


def _from_hex(run: str) -> str:
    digits = _HEX_FILLER.sub("", run)
    return _decoded(bytes.fromhex, digits[: len(digits) // 2 * 2])


def _decoded(decode: Callable[[str], bytes], packed: str) -> str:
    try:
        return readable(decode(packed))
    except (ValueError, binascii.Error):
        return ""


def decode_codes(text: str) -> str:
    """Letters written as their numbers: eight bits, or decimal codes in a row."""
    once = _in_place(_BINARY, text, lambda run: _from_numbers(re.findall("[01]{8}", run), 2))
    again = _in_place(_DECIMAL, once or text, lambda run: _from_numbers(re.findall("[0-9]+", run), 10))
    return again or once


def _from_numbers(numbers: list[str], base: int) -> str:
    codes = [int(number, base) for number in numbers]
    return readable(bytes(codes)) if max(codes) < 0x80 else ""


def decode_url(text: str) -> str:
    """Percent escapes and backslash escapes, three or more of them."""
    out = ""
    if len(_PERCENT.findall(text)) >= 3:
        out = unquote_to_bytes(text.replace("+", " ")).decode("utf-8", "replace")
    if len(_ESCAPE.findall(text)) >= 3:
        out = _ESCAPE.sub(_from_escape, out or text)
    return out


def _from_escape(match: re.Match[str]) -> str:
    four, eight, octal = match.groups()
    code = int(octal, 8) if octal else int(four or eight, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def decode_entities(text: str) -> str:
    return html.unescape(text) if _ENTITY.search(text) else ""


def decode_quoted_printable(text: str) -> str:
    """Quoted-printable, three escapes or more; nothing when the result is not UTF-8."""
    if len(_QUOTED.findall(text)) < 3:
        return ""
    try:
        return quopri.decodestring(text.encode()).decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _in_place(pattern: re.Pattern[str], text: str, decode: Callable[[str], str]) -> str:
    found = False

    def replace(match: re.Match[str]) -> str:
        nonlocal found
        plain = decode(match.group())
        found = found or bool(plain)
        return f"\n{plain}\n" if plain else match.group()

    out = pattern.sub(replace, text)
    return out.strip() if found else ""


DECODERS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("base64", decode_base64),
    ("base32", decode_base32),
    ("hex", decode_hex),
    ("codes", decode_codes),
    ("url", decode_url),
    ("entities", decode_entities),
    ("quoted_printable", decode_quoted_printable),
)
