"""Mask what the policy says to mask, in every field, and move the findings along.

Offsets count code points. What overlaps is masked as one, so that no fragment of a value is left over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from vault.screening.fields import map_strings, string_fields
from vault.screening.pointers import by_key
from vault.types import Action, Finding, MemoryDraft


@dataclass(frozen=True, slots=True)
class Mask:
    """A stretch of the old text and what stands in its place."""

    start: int
    end: int
    placeholder: str


def masks_of(findings: Iterable[Finding]) -> list[Mask]:
    """The stretches to mask in one field, merged where they overlap, named by their surest finding."""
    chosen = sorted((f for f in findings if f.action is Action.REDACT), key=lambda f: (f.start, -f.end))
    masks: list[Mask] = []
    surest: list[Finding] = []
    for finding in chosen:
        if masks and finding.start < masks[-1].end:
            surest[-1] = max(surest[-1], finding, key=lambda f: (f.score, f.end - f.start))
            end = max(masks[-1].end, finding.end)
            masks[-1] = Mask(masks[-1].start, end, f"<{surest[-1].type}>")
        else:
            masks.append(Mask(finding.start, finding.end, f"<{finding.type}>"))
            surest.append(finding)
    return masks


def mask(text: str, masks: Sequence[Mask]) -> str:
    parts, position = [], 0
    for item in masks:
        parts += [text[position : item.start], item.placeholder]
        position = item.end
    return "".join([*parts, text[position:]])


def moved(offset: int, masks: Sequence[Mask], *, is_end: bool) -> int:
    """Where an offset of the old text lies in the new one; inside a mask it goes to the mask's edge."""
    shift = 0
    for item in masks:
        length = len(item.placeholder)
        if offset >= item.end:
            shift += length - (item.end - item.start)
        elif offset > item.start:
            return item.start + shift + (length if is_end else 0)
    return offset + shift


def redact_text(text: str, findings: Iterable[Finding]) -> tuple[str, tuple[Finding, ...]]:
    """Mask one string; the findings are all of that string and come back anchored to the new one."""
    kept = tuple(findings)
    masks = masks_of(kept)
    anchored = tuple(
        replace(f, start=moved(f.start, masks, is_end=False), end=moved(f.end, masks, is_end=True))
        for f in kept
    )
    return mask(text, masks), anchored


def redact(draft: MemoryDraft, findings: Sequence[Finding]) -> tuple[MemoryDraft, tuple[Finding, ...]]:
    """Replace every REDACT finding by a typed placeholder such as `<EMAIL_ADDRESS>`.

    Returns the masked draft and all findings, anchored to it. The subject id is never rewritten.
    """
    by_pointer: dict[str, list[Finding]] = {}
    fields = string_fields(draft)
    for finding in findings:
        by_pointer.setdefault(by_key(finding.pointer, fields), []).append(finding)
    anchored: dict[str, tuple[Finding, ...]] = {}

    def change(pointer: str, text: str) -> str:
        masked, anchored[pointer] = redact_text(text, by_pointer.get(pointer, ()))
        return masked

    masked_draft, moves = map_strings(draft, change)
    result: list[Finding] = []
    for pointer, group in by_pointer.items():
        target = moves.get(pointer, pointer)
        result += [replace(f, pointer=target) for f in anchored.get(pointer, tuple(group))]
    return masked_draft, tuple(result)
