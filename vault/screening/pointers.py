"""Keeps what stands in a key out of the pointers of findings.

A pointer names the keys above a value. A key that itself holds a credential or personal data would be
repeated by the pointers of everything below it, in findings, audit and errors; there it is named by its
place instead, `/~value~<index>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vault.screening.fields import KEY, VALUE, escape, is_key
from vault.types import Action, Finding


def hide_keys(findings: Iterable[Finding], fields: Mapping[str, str]) -> list[Finding]:
    """Rename, in every finding, the keys that hold something of their own."""
    kept = list(findings)
    telling = {f.pointer for f in kept if is_key(f.pointer) and f.action is not Action.ALLOW}
    # The innermost first: an outer key that is renamed no longer prefixes the inner pointer.
    renames = sorted((named_by_key(key, fields), named_by_place(key)) for key in telling)
    for named, placed in reversed(renames):
        kept = [replace(f, pointer=_renamed(f.pointer, named, placed)) for f in kept]
    return kept


def named_by_key(key_pointer: str, fields: Mapping[str, str]) -> str:
    """The pointer of the value that stands under a key."""
    return f"{key_pointer.rpartition('/')[0]}/{escape(fields[key_pointer])}"


def named_by_place(key_pointer: str) -> str:
    parent, _, segment = key_pointer.rpartition("/")
    return f"{parent}/{VALUE}{segment.removeprefix(KEY)}"


def _renamed(pointer: str, named: str, placed: str) -> str:
    if pointer == named or pointer.startswith(named + "/"):
        return placed + pointer[len(named) :]
    return pointer


def by_key(pointer: str, fields: Mapping[str, str]) -> str:
    """Undo `hide_keys` for one pointer: the outermost first, since the inner names stand on it."""
    segments = pointer.split("/")
    named = segments[0]
    for segment in segments[1:]:
        key = f"{named}/{KEY}{segment.removeprefix(VALUE)}"
        is_placed = segment.startswith(VALUE) and key in fields
        named = f"{named}/{escape(fields[key])}" if is_placed else f"{named}/{segment}"
    return named
