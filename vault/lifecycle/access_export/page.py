"""The file for people: one page with everything in it, no script, nothing fetched, readable in light and dark."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from vault.lifecycle.access_export.collecting import UNREADABLE, Collector, Record
from vault.screening.normalise import reveal

STYLE = "export/export.css"
# A time as the collectors write it; for people without its fractions.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
NOT_SHOWN = frozenset({"text", "versions", "findings"})


def head(document: Mapping[str, Any], sections: tuple[Collector, ...]) -> str:
    """The start of the page: whose it is, of when, and a list of its sections."""
    subject = {name: shown(value) for name, value in document["subject"].items()}
    times = {name: shown(document[name]) for name in ("as_of", "asked_at")}
    held = {"is_held": document["subject"]["legal_hold"]}
    return render_to_string(
        "export/head.html",
        {
            "document": {**document, **times, **held, "subject": subject},
            "sections": sections,
            "style": style(),
            "style_hash": style_hash(),
        },
    )


def section_head(section: Collector) -> str:
    return render_to_string(
        "export/section_head.html", {"section": section, "columns": [words(c) for c in section.columns]}
    )


def section_foot(section: Collector, *, count: int) -> str:
    return render_to_string("export/section_foot.html", {"section": section, "count": count})


def record(section: Collector, one: Record) -> str:
    """One record: a memory with its history, a row of a table, or a card of facts."""
    if section.columns:
        cells = [shown(one.get(column)) for column in section.columns]
        return render_to_string("export/row.html", {"cells": cells})
    context = {
        "text": reveal(str(one["text"])) if one.get("text") is not None else None,
        "unreadable": one.get(UNREADABLE),
        "facts": facts(one),
        "versions": [_version(version) for version in reversed(one.get("versions", ()))],
    }
    return render_to_string("export/record.html", context)


def foot(document: Mapping[str, Any]) -> str:
    return render_to_string("export/foot.html", {"document": document})


def facts(one: Record) -> list[tuple[str, str]]:
    """What there is to say beside the text; what is empty is left out."""
    named = ((words(name), shown(value)) for name, value in one.items() if name not in NOT_SHOWN)
    return [(name, value) for name, value in named if value]


def shown(value: Any) -> str:
    """A value for people, with what is invisible in it said out loud."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        parts = [(name, shown(each)) for name, each in value.items()]
        return "; ".join(f"{reveal(str(name))}: {each}" for name, each in parts if each)
    if isinstance(value, list | tuple):
        return ", ".join(shown(each) for each in value)
    if isinstance(value, str) and MOMENT.fullmatch(value):
        return f"{value[:10]} {value[11:19]} UTC"
    return reveal(str(value))


def words(name: str) -> str:
    return name.replace("_", " ").capitalize()


@cache
def style() -> str:
    """The style sheet as it stands in the page, unescaped: it is ours, and its hash lets it in."""
    return mark_safe(render_to_string(STYLE))  # noqa: S308 - a file of this tree, without a variable


@cache
def style_hash() -> str:
    """What the page's own content policy allows: this style sheet and nothing else."""
    digest = hashlib.sha256(style().encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _version(version: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": version["version"],
        "text": reveal(str(version["text"])) if "text" in version else None,
        "unreadable": version.get(UNREADABLE),
        "destroyed": version.get("destroyed", False),
        "author": shown(version["author"]),
        "reason": words(version["reason"]),
        "written_at": shown(version["written_at"]),
        "facts": [
            (words(name), shown(version.get(name)))
            for name in ("kind", "trust", "status", "importance", "attribute", "source", "metadata")
            if shown(version.get(name))
        ],
    }
