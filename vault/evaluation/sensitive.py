"""Sensitive categories: the labels of a line against the categories that screening finds in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vault.evaluation.data import DataMissing, rows
from vault.evaluation.intervals import Count, Counts, times
from vault.evaluation.pipeline import screened
from vault.screening.policy import SENSITIVE_CATEGORIES
from vault.types import Category, Verdict


def categories_in(verdict: Verdict) -> set[str]:
    return {f.type for f in verdict.findings if f.category is Category.SENSITIVE}


def evaluate(folder: Path) -> dict[str, Any]:
    """Recall and precision over (line, category) pairs, by category and by language; and the confusion."""
    recall, precision = Counts(), Counts()
    recall_by_slice, precision_by_slice = Counts(), Counts()
    confusion: dict[str, dict[str, int]] = {}
    exact, empty_flagged = Count(), Count()
    spent: list[float] = []
    for row in rows(folder, "sensitive"):
        verdict, milliseconds = screened(row["text"])
        spent.append(milliseconds)
        said, found = set(row["categories"]), categories_in(verdict)
        part = "en" if row["lang"] == "en" else "other"
        exact.add(said == found)
        if not said:
            empty_flagged.add(bool(found))
        for name in said:
            recall.add(name, name in found)
            recall_by_slice.add(part, name in found)
        for name in found:
            precision.add(name, name in said)
            precision_by_slice.add(part, name in said)
        for truth in said or {"none"}:
            for guess in found or {"none"}:
                row_of = confusion.setdefault(truth, {})
                row_of[guess] = row_of.get(guess, 0) + 1
    return {
        "accuracy": exact.share,
        "recall": recall.total().share,
        "recall_interval_95": recall.total().described()["interval_95"],
        "precision": precision.total().share,
        "precision_interval_95": precision.total().described()["interval_95"],
        "by_label": {
            name: {"recall": recall.shares().get(name), "precision": precision.shares().get(name)}
            for name in SENSITIVE_CATEGORIES
        },
        "by_language": {"recall": recall_by_slice.described(), "precision": precision_by_slice.described()},
        "empty_flagged": empty_flagged.described(),
        "ordinary_memory_flagged": _ordinary_flagged(folder).described(),
        "confusion": confusion,
        **times(spent),
    }


def _ordinary_flagged(folder: Path) -> Count:
    """How many ordinary memories of the benign set are flagged; nothing counted where it is not there."""
    flagged = Count()
    try:
        for row in rows(folder, "benign"):
            if row["kind"] == "ordinary_memory":
                flagged.add(bool(categories_in(screened(row["text"])[0])))
    except DataMissing:
        return flagged
    return flagged
