"""Credentials: rows that hold one and rows that only look like it, through the real screening."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vault.evaluation.data import rows
from vault.evaluation.intervals import Counts, times
from vault.evaluation.pipeline import screened
from vault.types import Action, Category, Verdict

PROSE_KINDS = frozenset({"policy_talk", "ordinary_memory", "benign_doc", "plain", "otp_talk"})
NEAR_MISS = "near_miss"
CARD = "CREDIT_CARD"


def is_caught(verdict: Verdict) -> bool:
    """A credential refuses the write or is masked; a card number is masked as personal data."""
    return any(
        f.action is not Action.ALLOW and (f.category is Category.SECRET or f.type == CARD)
        for f in verdict.findings
    )


def evaluate(folder: Path) -> dict[str, Any]:
    """Recall and false positive rates by kind and by source; rows marked ambiguous are not scored."""
    caught, by_source, flagged, flagged_by_source = Counts(), Counts(), Counts(), Counts()
    prose, near = Counts(), Counts()
    spent: list[float] = []
    for row in rows(folder, "secrets"):
        if row.get("ambiguous"):
            continue
        verdict, milliseconds = screened(row["text"])
        spent.append(milliseconds)
        hit, kind, source = is_caught(verdict), row["kind"], row["source"].partition(":")[0]
        if row["label"]:
            caught.add(kind, hit)
            by_source.add(source, hit)
        elif kind == NEAR_MISS:
            near.add(kind, hit)
        else:
            flagged.add(kind, hit)
            flagged_by_source.add(source, hit)
            if kind in PROSE_KINDS:
                prose.add(kind, hit)
    return {
        "recall": caught.total().share,
        "recall_interval_95": caught.total().described()["interval_95"],
        "recall_by_kind": caught.shares(),
        "recall_by_kind_counts": caught.described(),
        "recall_by_source": by_source.described(),
        "false_positive_rate": flagged.total().share,
        "false_positive_rate_interval_95": flagged.total().described()["interval_95"],
        "false_positive_rate_prose": prose.total().share,
        "false_positive_rate_by_kind": flagged.shares(),
        "false_positive_rate_by_source": flagged_by_source.described(),
        "near_miss_rate": near.total().share,
        **times(spent),
    }
