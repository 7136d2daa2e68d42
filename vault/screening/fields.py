"""Every string of a draft under its JSON pointer: the one list that all detectors read.

A key of an object is named by the pointer of its object plus `/~key~<index>`. A value whose key itself
holds something (so that the pointer would repeat it) is named by `/~value~<index>` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from vault.types import MemoryDraft, Source

SUBJECT = "/subject"
KEY = "~key~"
VALUE = "~value~"

# A card or an account number may arrive as a JSON number; shorter ones are counts.
MIN_NUMBER_DIGITS = 8


def escape(segment: str) -> str:
    """One segment of a JSON pointer (RFC 6901, section 3)."""
    return segment.replace("~", "~0").replace("/", "~1")


def unescape(segment: str) -> str:
    return segment.replace("~1", "/").replace("~0", "~")


def is_key(pointer: str) -> bool:
    return pointer.rpartition("/")[2].startswith(KEY)


def label_of(pointer: str) -> str:
    """The name that a value stands under: the nearest segment that is not an index."""
    if pointer == "/text":
        return ""
    for segment in reversed(pointer.split("/")[1:]):
        if not segment.isdigit():
            return "" if segment.startswith((KEY, VALUE)) else unescape(segment)
    return ""


def string_fields(draft: MemoryDraft) -> dict[str, str]:
    """All strings of the draft, metadata keys included; the subject id is read for secrets only."""
    fields = {
        "/text": draft.text,
        SUBJECT: draft.subject,
        "/attribute": draft.attribute,
        "/source/ref": draft.source.ref,
    }
    fields = {pointer: text for pointer, text in fields.items() if text}
    fields.update(strings_in(draft.metadata, "/metadata"))
    return fields


def strings_in(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield the strings of a JSON value, keys included, in document order."""
    if isinstance(value, str):
        if value:
            yield pointer, value
    elif isinstance(value, Mapping):
        for index, (key, part) in enumerate(value.items()):
            yield f"{pointer}/{KEY}{index}", str(key)
            yield from strings_in(part, f"{pointer}/{escape(str(key))}")
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from strings_in(part, f"{pointer}/{index}")
    elif _is_long_number(value):
        yield pointer, str(value)


def _is_long_number(value: object) -> bool:
    return (
        isinstance(value, int) and not isinstance(value, bool) and len(str(abs(value))) >= MIN_NUMBER_DIGITS
    )


@dataclass(frozen=True, slots=True)
class Joined:
    """The fields written one after another without a gap, to find what was split over them."""

    text: str
    starts: tuple[tuple[int, str], ...]

    def pieces(self, start: int, end: int) -> list[tuple[str, int, int]]:
        """Where the span lies, as (pointer, start, end) in each field that it touches."""
        found = []
        for index, (offset, pointer) in enumerate(self.starts):
            limit = self.starts[index + 1][0] if index + 1 < len(self.starts) else len(self.text)
            if start < limit and end > offset:
                found.append((pointer, max(start, offset) - offset, min(end, limit) - offset))
        return found


def joined(fields: Mapping[str, str]) -> Joined:
    """The values (not the keys) in order, in one string."""
    starts: list[tuple[int, str]] = []
    length = 0
    parts = []
    for pointer, text in fields.items():
        if is_key(pointer) or pointer == SUBJECT:
            continue
        starts.append((length, pointer))
        parts.append(text)
        length += len(text)
    return Joined("".join(parts), tuple(starts))


def map_strings(draft: MemoryDraft, change: Callable[[str, str], str]) -> tuple[MemoryDraft, dict[str, str]]:
    """Rewrite every string of the draft by `change(pointer, text)`.

    Returns the new draft, and for each old pointer the new one (they differ below a changed key). The
    subject is never rewritten: it names whose memory this is.
    """
    moved: dict[str, str] = {}
    metadata = _rebuild(draft.metadata, "/metadata", "/metadata", change, moved)
    changed = replace(
        draft,
        text=change("/text", draft.text),
        attribute=change("/attribute", draft.attribute),
        source=Source(draft.source.type, change("/source/ref", draft.source.ref), draft.source.agent),
        metadata=metadata,
    )
    return changed, moved


def _rebuild(value: Any, old: str, new: str, change: Callable[[str, str], str], moved: dict[str, str]) -> Any:
    moved[old] = new
    if isinstance(value, Mapping):
        rebuilt: dict[str, Any] = {}
        for index, (key, part) in enumerate(value.items()):
            moved[f"{old}/{KEY}{index}"] = f"{new}/{KEY}{index}"
            name = _unused(change(f"{old}/{KEY}{index}", str(key)), rebuilt)
            inner = f"{old}/{escape(str(key))}"
            rebuilt[name] = _rebuild(part, inner, f"{new}/{escape(name)}", change, moved)
        return rebuilt
    if isinstance(value, list | tuple):
        return [_rebuild(part, f"{old}/{i}", f"{new}/{i}", change, moved) for i, part in enumerate(value)]
    if isinstance(value, str):
        return change(old, value)
    if _is_long_number(value):
        text = change(old, str(value))
        return value if text == str(value) else text
    return value


def _unused(name: str, taken: Mapping[str, Any]) -> str:
    """Two keys may be masked to the same placeholder; neither value may be lost."""
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name} {count}"
    return candidate
