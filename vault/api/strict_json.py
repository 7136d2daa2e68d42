"""Strict JSON: what two readers could understand differently, or a database cannot hold, is refused.

Pure: bytes in, a value out, or InvalidField that names the place and never the content.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from vault.api.pointers import key_of, under
from vault.errors import InvalidField

MAX_DEPTH = 16
# Beyond 64 bits, readers in other languages see another number.
MAX_INTEGER = 2**63 - 1
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class _Repeated:
    """Stands for an object in which a key occurs twice; `index` is the place of the second."""

    def __init__(self, index: int) -> None:
        self.index = index


class _NotANumber:
    """Stands for a literal NaN, Infinity or -Infinity."""


def loads(raw: bytes) -> Any:
    """Read one JSON value; raises InvalidField for anything that is not strict JSON in UTF-8."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        # Not chained: the original carries the whole body along.
        raise InvalidField(f"The body is not UTF-8 at byte {error.start}.", pointer="") from None
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise InvalidField(f"The body is not JSON: {place}.", pointer="") from None
    except RecursionError:
        raise InvalidField("The body is nested too deeply.", pointer="") from None
    except ValueError:
        raise InvalidField("A number of the body has too many digits.", pointer="") from None
    _check(value, "", 0)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | _Repeated:
    seen: dict[str, Any] = {}
    for index, (key, value) in enumerate(pairs):
        if key in seen:
            return _Repeated(index)
        seen[key] = value
    return seen


def _constant(_name: str) -> _NotANumber:
    return _NotANumber()


def _check(value: Any, pointer: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise InvalidField(f"Nested more than {MAX_DEPTH} deep.", pointer=pointer)
    match value:
        case str():
            check_text(value, pointer)
        case dict():
            for index, (key, part) in enumerate(value.items()):
                check_text(key, key_of(pointer, index))
                _check(part, under(pointer, key, index), depth + 1)
        case list():
            for index, part in enumerate(value):
                _check(part, f"{pointer}/{index}", depth + 1)
        case _Repeated():
            raise InvalidField("A key occurs twice in an object.", pointer=key_of(pointer, value.index))
        case _:
            _check_number(value, pointer)


def check_text(text: str, pointer: str) -> None:
    """Raise InvalidField for a NUL or a lone surrogate: neither can be stored as text."""
    if UNSTORABLE.search(text):
        raise InvalidField("Holds a NUL or a lone surrogate.", pointer=pointer)


def _check_number(value: Any, pointer: str) -> None:
    if isinstance(value, _NotANumber) or (isinstance(value, float) and not math.isfinite(value)):
        raise InvalidField("Not a finite number.", pointer=pointer)
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise InvalidField("A whole number of more than 64 bits.", pointer=pointer)
