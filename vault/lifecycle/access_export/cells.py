"""Cells of a table that a spreadsheet will open: none of them may run as a formula there. Pure."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

FORMULA_STARTS = frozenset("=+-@")
# Spreadsheets take a cell that begins with this as text, and show the rest.
AS_TEXT = "'"
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp", "Mn", "Me"})
BYTE_ORDER_MARK = "\ufeff"
COLUMNS = (
    "id", "namespace", "status", "kind", "trust", "importance", "text", "attribute", "source", "source_ref", "agent",
    "created_at", "occurred_at", "expires_at", "versions",
)  # fmt: skip


def harmless(value: str) -> str:
    """The cell as text, whatever it says: it begins with a mark when a formula could, or a control character does.

    What is invisible at its start is looked past, and full-width signs count as what they stand for.
    """
    first = next((c for c in value if unicodedata.category(c) not in UNSEEN), "")
    starts = unicodedata.normalize("NFKC", first)[:1] in FORMULA_STARTS if first else False
    hidden = bool(value) and unicodedata.category(value[0]) in UNSEEN
    return AS_TEXT + value if starts or hidden else value


def line(cells: Sequence[object]) -> str:
    """One row, every cell quoted and harmless."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow([harmless("" if cell is None else str(cell)) for cell in cells])
    return out.getvalue()


def header() -> str:
    return BYTE_ORDER_MARK + line(COLUMNS)


def row(memory: Mapping[str, Any]) -> str:
    """One memory as a row; one that does not open has no text and says so in its status."""
    source = memory["source"] or {}
    values = {
        **memory,
        "source": source.get("type"),
        "source_ref": source.get("ref"),
        "agent": source.get("agent"),
        "versions": len(memory["versions"]),
    }
    if "unreadable" in memory["versions"][-1]:
        values["status"] = f"{memory['status']} (does not open: {memory['versions'][-1]['unreadable']})"
    return line([values[name] for name in COLUMNS])
