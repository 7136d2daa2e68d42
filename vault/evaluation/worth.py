"""Worth keeping: should a line become a memory? Labels against the judge of end-of-run extraction.

Reported apart: how many lines an explicit write would have been refused for, of those to keep and of ordinary memories.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from vault.embedding import embed
from vault.evaluation.data import DataMissing, rows
from vault.evaluation.intervals import Count, Counts, times
from vault.writing.worth import judge_worth, refused_as_write


def evaluate(folder: Path) -> dict[str, Any]:
    """Accuracy, recall and precision of keep and drop, by reason and by language, and the confusion."""
    right, by_reason, by_language = Count(), Counts(), Counts()
    recall, precision = Counts(), Counts()
    confusion: dict[str, dict[str, int]] = {"keep": {}, "drop": {}}
    reasons: dict[str, dict[str, int]] = {}
    refused = Counts()
    spent: list[float] = []
    for row in rows(folder, "worth"):
        began = time.perf_counter()
        worth = judge_worth(row["text"], origin=row["origin"])
        spent.append((time.perf_counter() - began) * 1000)
        truth, guess = _label(row["keep"]), _label(worth.is_worth_keeping)
        right.add(truth == guess)
        by_reason.add(row["reason"], truth == guess)
        by_language.add("en" if row["lang"] == "en" else "other", truth == guess)
        recall.add(truth, truth == guess)
        precision.add(guess, truth == guess)
        confusion[truth][guess] = confusion[truth].get(guess, 0) + 1
        reasons.setdefault(row["reason"], {}).setdefault(worth.reason.value, 0)
        reasons[row["reason"]][worth.reason.value] += 1
        refused.add(truth, _is_refused(row["text"], row["origin"]))
    return {
        "accuracy": right.share,
        "accuracy_interval_95": right.described()["interval_95"],
        "by_label": {
            name: {"recall": recall.shares().get(name), "precision": precision.shares().get(name)}
            for name in ("keep", "drop")
        },
        "confusion": confusion,
        "by_reason": by_reason.described(),
        "by_language": by_language.described(),
        "reasons": reasons,
        "explicit_writes_refused": {**refused.described(), "ordinary_memory": _ordinary(folder).described()},
        **times(spent),
    }


def _label(keep: bool) -> str:
    return "keep" if keep else "drop"


def _is_refused(text: str, origin: str) -> bool:
    return refused_as_write(text, origin=origin, vector=np.asarray(embed([text])[0])) is not None


def _ordinary(folder: Path) -> Count:
    """How many ordinary memories of the benign set an explicit write would be refused for."""
    refused = Count()
    try:
        for row in rows(folder, "benign"):
            if row["kind"] in ("ordinary_memory", "procedural_rule"):
                refused.add(_is_refused(row["text"], "user"))
    except DataMissing:
        return refused
    return refused
