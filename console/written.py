"""One write that was set aside, as every page shows it on which somebody decides about it: text, findings, readings."""

from __future__ import annotations

from dataclasses import replace

from console.highlight import view_fields
from console.queue_forms import RevealForm
from console.readings import readings_of
from vault.lifecycle.reviewing.reading import OpenedWrite
from vault.screening.fields import is_key, string_fields
from vault.screening.pointers import by_key

REDACTED, ORIGINAL, NORMALISED = "redacted", "original", "normalised"


def written_context(
    opened: OpenedWrite, *, view: str, purpose: str, here: str, reveal_url: str
) -> dict[str, object]:
    """What `queue_text.html` and `queue_notes.html` need. `here` is the page on which the write stands masked."""
    strings = _strings(opened)
    return {
        "opened": opened,
        "view": view,
        "purpose": purpose,
        "fields": _fields(opened, strings),
        "readings": readings_of(strings) if view == NORMALISED else None,
        "here": here,
        "reveal_url": reveal_url,
        "reveal_form": RevealForm(auto_id="reveal_%s"),
    }


def _strings(opened: OpenedWrite) -> dict[str, str]:
    """Every string of the draft but the subject's id, which has its own place on the page."""
    strings = string_fields(opened.draft)
    strings.pop("/subject", None)
    return strings


def _fields(opened: OpenedWrite, strings: dict[str, str]) -> dict[str, object]:
    """The text by itself, and every other field, each with its findings marked."""
    findings = [
        replace(finding, pointer=by_key(finding.pointer, strings)) for finding in opened.verdict.findings
    ]
    views = view_fields(strings, findings)
    return {
        "text": next(view for view in views if view.pointer == "/text"),
        # A key of an object is shown by the pointer of its value; by itself only when something is found in it.
        "others": [v for v in views if v.pointer != "/text" and (v.marks or not is_key(v.pointer))],
    }
