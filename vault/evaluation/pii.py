"""Personal data: labelled spans against the findings of the real screening."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vault.evaluation.data import rows
from vault.evaluation.intervals import Count, Counts, times
from vault.evaluation.pipeline import screened
from vault.screening.policy import LABELLED_TYPES
from vault.types import Category, Finding

COVERED_SHARE = 0.5

# Names that different sets give to one and the same thing. Reported apart: `typed_recall` wants the
# type of the row to the letter.
SAME_TYPE: Mapping[str, frozenset[str]] = {
    "AADHAR": frozenset({"IN_AADHAAR"}),
    "PAN": frozenset({"IN_PAN"}),
    "TAXID": frozenset({"TAX_ID"}),
    "DRIVER_LICENSE": frozenset({"US_DRIVER_LICENSE"}),
    "LICENSE": frozenset({"DRIVER_LICENSE", "US_DRIVER_LICENSE"}),
    "US_PASSPORT": frozenset({"PASSPORT"}),
    "ROUTING_NUMBER": frozenset({"ABA_ROUTING_NUMBER"}),
    "BANK_ACCOUNT_NUM": frozenset({"ACCOUNT_NUMBER"}),
    "ACCOUNT": frozenset({"ACCOUNT_NUMBER"}),
    "US_BANK_NUMBER": frozenset({"ACCOUNT_NUMBER"}),
}


def covers(findings: Iterable[Finding], span: Mapping[str, Any]) -> bool:
    """Whether one finding covers at least half of the span."""
    start, end = span["start"], span["end"]
    need = COVERED_SHARE * (end - start)
    return any(min(f.end, end) - max(f.start, start) >= need for f in findings)


def evaluate(folder: Path) -> dict[str, Any]:
    """`typed_recall`, `any_recall`, `precision` and the share of clean texts with a direct identifier."""
    typed, alike, anything = Counts(), Counts(), Counts()
    by_source, precise = Counts(), Counts()
    direct, person = Count(), Count()
    spent: list[float] = []
    for row in rows(folder, "pii"):
        verdict, milliseconds = screened(row["text"])
        spent.append(milliseconds)
        found = [
            f for f in verdict.findings if f.category in (Category.PII, Category.SECRET) and f.end > f.start
        ]
        spans = row["spans"]
        for span in spans:
            same = {span["type"]} | SAME_TYPE.get(span["type"], frozenset())
            is_typed = covers([f for f in found if f.type == span["type"]], span)
            typed.add(span["type"], is_typed)
            by_source.add(_source(row), is_typed)
            alike.add(span["type"], covers([f for f in found if f.type in same], span))
            anything.add(span["type"], covers(found, span))
        for finding in found:
            precise.add(finding.type, _is_right(finding, spans))
        if not spans and row["source"].startswith("no-pii"):
            direct.add(any(_is_direct(f) for f in found))
            person.add(any(f.type == "PERSON" for f in found))
    return {
        "typed_recall": typed.total().share,
        "typed_recall_interval_95": typed.total().described()["interval_95"],
        "typed_recall_same_thing": alike.total().share,
        "any_recall": anything.total().share,
        "precision": precise.total().share,
        "by_type": typed.described(),
        "by_source": by_source.described(),
        "precision_by_type": precise.shares(),
        "clean_texts_flagged_direct_identifier": direct.share,
        "clean_texts_flagged_direct_identifier_count": direct.described(),
        "clean_texts_flagged_person": person.share,
        **times(spent),
    }


def _is_direct(finding: Finding) -> bool:
    return finding.type not in LABELLED_TYPES


def _is_right(finding: Finding, spans: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the finding lies, for at least half, on labelled spans."""
    need = COVERED_SHARE * (finding.end - finding.start)
    covered: int = sum(max(0, min(finding.end, s["end"]) - max(finding.start, s["start"])) for s in spans)
    return covered >= need


def _source(row: Mapping[str, Any]) -> str:
    language = "" if row["lang"] == "en" else f" ({row['lang']})"
    return f"{row['source'].partition(':')[0]}{language}"
