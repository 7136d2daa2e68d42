"""JSON pointers (RFC 6901) to what is wrong in a request; they repeat nothing personal or secret."""

from __future__ import annotations

import re

# What a name of a field looks like. A credential or an address that somebody put in the place of a name
# is longer, or holds digits and signs: it is named by its place instead.
TELLABLE = re.compile(r"[A-Za-z_]{1,40}|[A-Za-z_][A-Za-z0-9_]{0,15}")


def under(pointer: str, name: str, index: int) -> str:
    """The pointer of the value under a key; the key is named only when it looks like a field's name."""
    segment = name if TELLABLE.fullmatch(name) else f"~key~{index}"
    return f"{pointer}/{segment}"


def key_of(pointer: str, index: int) -> str:
    """The pointer of a key itself, by its place in its object."""
    return f"{pointer}/~key~{index}"
