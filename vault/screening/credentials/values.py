"""What can be a credential and what stands in its place in documents: placeholders, names of variables.

Used only on values that already have a label or a format: entropy alone proves nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter

# Words that documents put where a value would stand.
_STAND_IN_LIST = """
string str bytes text char varchar bool boolean int integer none null nil true false undefined empty
optional required default value values password passwort passwd pass secret secrets token tokens key
keys apikey credential credentials hidden masked redacted removed omitted encrypted hashed unset
blank private public username user admin_password here this that yours mine unknown todo tbd n/a
"""
STAND_INS = frozenset(_STAND_IN_LIST.split())
_STAND_IN_PART = re.compile(
    r"(?<![a-z])(?:your|examples?|sample|dummy|placeholder|change[_-]?me|redacted|replace|insert|fake|somefake)|"
    r"xxxx|\*\*\*|^\.\.\.|…|\.\.\.$|not[_-]a[_-]real|_here\b|-here\b|(?<![a-z])my[_-]?(?:api|secret|token|pass)|"
    r"^[<\[].*[>\]]$|^\$?\{.*\}$|^\$\(.*\)$|^%\(.*\)s?$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"^(?:"
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # SOME_VARIABLE
    r"|\$\w+|%\w+%|%s|%\w|\{\w*\}|\[\w*\]"  # $NAME, %NAME%, {name}
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\(?.*"  # settings.SECRET, os.environ.get(...)
    r"|[A-Za-z_]\w*\(.*|[A-Za-z_]\w*\[.*"  # getenv(...), config[...]
    r")$"
)
_WORD = re.compile(r"^[^\W\d_]+(?:['’-][^\W\d_]+)*$")
_IDENTIFIER = re.compile(r"^[A-Za-z]+(?:[_-][A-Za-z]+)+\d?$")


# As many signs among letters do not come from prose.
MIN_SIGNS = 4


def entropy_bits(value: str) -> float:
    """Shannon entropy per character, in bits."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def is_placeholder(value: str) -> bool:
    """True for what only marks the place of a value, or names where it is kept."""
    bare = value.strip("\"'`@:;,.()[]{}<>").lower()
    if not bare or bare in STAND_INS or len(set(bare)) <= 2:
        return True
    return bool(_STAND_IN_PART.search(value) or _REFERENCE.match(value))


def is_word(value: str) -> bool:
    """True for a plain word or an identifier made of words, in any script."""
    return bool(_WORD.match(value) or _IDENTIFIER.match(value))


def classes(value: str) -> int:
    """How many of lower case, upper case, digits and signs the value uses."""
    return sum(
        (
            any(c.islower() for c in value),
            any(c.isupper() for c in value),
            any(c.isdigit() for c in value),
            any(not c.isalnum() for c in value),
        )
    )


def is_password_like(value: str) -> bool:
    """What a person would choose: not a word, not a number alone, not a stand-in."""
    if len(value) < 4 or value[0] in "[]<>" or "](" in value or is_placeholder(value) or is_word(value):
        return False
    if value.isdigit():
        return len(value) >= 4
    return classes(value) >= 2 and any(c.isdigit() or not c.isalnum() for c in value[:-1])


def is_opaque(value: str, *, length: int = 12, bits: float = 2.8) -> bool:
    """What a machine would issue: long, digits among letters, with little repetition."""
    if len(value) < length or is_placeholder(value) or is_word(value):
        return False
    signs = sum(not c.isalnum() and c not in "-_./ " for c in value)
    return (any(c.isdigit() for c in value) or signs >= MIN_SIGNS) and entropy_bits(value) >= bits


def is_not_filler(value: str) -> bool:
    """For formats with a prefix of their own: refuse only bodies that nobody could take for a value."""
    parts = [part for part in re.split(r"[-_.:]", value) if len(part) >= MIN_PART]
    return any(len(set(part.lower())) > 3 and "xxxx" not in part.lower() for part in parts or [value])


MIN_PART = 6
