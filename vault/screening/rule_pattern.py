r"""What a pattern spells out: its literal text, as whoever wrote it means it. Pure.

A pattern stands in clear for as long as its rule does, and `ilse\.winter@example\.com` is an address to whoever
reads it, though no detector takes it for one.
"""

from __future__ import annotations

import re

LAST_CODE_POINT = 0x10FFFF
_TOKEN = re.compile(
    r"""
      \\x(?:\{(?P<long>[0-9A-Fa-f]{1,6})\}|(?P<short>[0-9A-Fa-f]{2}))
    | \\(?P<escaped>.)
    | \[(?P<not>\^?)\\?(?P<first>.)[^\]]*\]
    | \((?:\?(?:P?<\w+>|[a-zA-Z-]*[:)]))?
    | \{\d+(?:,\d*)?\}
    | [)^$*+?]
    | (?P<either>\|)
    """,
    re.VERBOSE | re.DOTALL,
)
# Escapes of letters that stand for a place or a class, not for a sign; only a blank matters between others.
_BLANK = "s"


def spelled_out(pattern: str) -> str:
    """The pattern without what is only syntax: each class by its first member, each optional sign as if it stood."""
    return _TOKEN.sub(_meant, pattern)


def _meant(found: re.Match[str]) -> str:
    if code := found["long"] or found["short"]:
        number = int(code, 16)
        return chr(number) if number <= LAST_CODE_POINT else ""
    if escaped := found["escaped"]:
        plain = "" if escaped.isalnum() else escaped
        return " " if escaped == _BLANK else plain
    if found["either"]:
        return " "
    return "" if found["not"] else found["first"] or ""
