"""Orders and poisoned memories against honest notes, as text from outside under the default policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from vault.evaluation.data import rows
from vault.evaluation.intervals import Count, Counts, times
from vault.evaluation.pipeline import screened
from vault.types import Action, Category, SourceType, Trust, Verdict

Classify = Callable[[str], tuple[Verdict, float]]
"""The verdict on a text, and the milliseconds that it took."""

CAUGHT = (Action.QUARANTINE, Action.REFUSE)
INJECTION_CATEGORIES = (Category.INJECTION, Category.CARRIER, Category.FAILURE)
ENGLISH = ("en", "")


@dataclass
class Tally:
    """What was counted: the headline without weak labels, and the slices beside it."""

    recall_by_kind: Counts = field(default_factory=Counts)
    recall_by_source: Counts = field(default_factory=Counts)
    recall_by_language: Counts = field(default_factory=Counts)
    weak: Counts = field(default_factory=Counts)
    ood: Counts = field(default_factory=Counts)
    flagged_by_kind: Counts = field(default_factory=Counts)
    flagged_by_source: Counts = field(default_factory=Counts)

    def add(self, row: dict[str, Any], hit: bool) -> None:
        kind, source = row["kind"], row["source"]
        if not row["label"]:
            self.flagged_by_kind.add(kind, hit)
            self.flagged_by_source.add(source.partition(":")[0], hit)
        elif row.get("weak"):
            self.weak.add(kind, hit)
        else:
            self.recall_by_kind.add(kind, hit)
            self.recall_by_source.add(source, hit)
            self.recall_by_language.add(_language(row), hit)
            if row.get("ood"):
                self.ood.add(source, hit)

    def described(self) -> dict[str, Any]:
        caught, flagged = self.recall_by_kind.total(), self.flagged_by_kind.total()
        return {
            "positives": caught.total,
            "negatives": flagged.total,
            "recall": caught.share,
            "recall_interval_95": caught.described()["interval_95"],
            "precision": Count(caught.hits, caught.hits + flagged.hits).share,
            "false_positive_rate": flagged.share,
            "false_positive_rate_interval_95": flagged.described()["interval_95"],
            "recall_by_kind": self.recall_by_kind.shares(),
            "recall_by_kind_counts": self.recall_by_kind.described(),
            "false_positive_rate_by_kind": self.flagged_by_kind.shares(),
            "false_positive_rate_by_kind_counts": self.flagged_by_kind.described(),
            "false_positive_rate_by_source": self.flagged_by_source.described(),
            "recall_by_source": self.recall_by_source.shares(),
            "recall_by_source_counts": self.recall_by_source.described(),
            "recall_by_language": self.recall_by_language.described(),
            "weak": _slice(self.weak),
            "ood": _slice(self.ood),
        }


def evaluate(folder: Path, classify: Classify | None = None) -> dict[str, Any]:
    """Recall and false positives by kind, source and language; weak labels and unseen authors apart.

    Raises DataMissing. `classify` stands in for the screening where only the counting is of interest.
    """
    return tally(_labelled(folder), classify or classify_from_outside)


def tally(labelled: Iterable[dict[str, Any]], classify: Classify) -> dict[str, Any]:
    """Count what `classify` says of every row. Pure but for what `classify` does.

    The headline counts whatever is set aside or refused, for any reason; `injection_alone` counts only
    what the injection filter and the look for hidden carriers caught.
    """
    whole, alone = Tally(), Tally()
    milliseconds: list[float] = []
    for row in labelled:
        verdict, spent = classify(row["text"])
        milliseconds.append(spent)
        whole.add(row, is_caught(verdict))
        alone.add(row, is_caught_as_injection(verdict))
    return {**whole.described(), "injection_alone": alone.described(), **times(milliseconds)}


def classify_from_outside(text: str) -> tuple[Verdict, float]:
    return screened(text, source=SourceType.EXTERNAL, trust=Trust.UNTRUSTED)


def is_caught(verdict: Verdict) -> bool:
    """Set aside or refused, whatever for: either way it reaches no prompt without a person."""
    return verdict.action in CAUGHT


def is_caught_as_injection(verdict: Verdict) -> bool:
    return any(f.category in INJECTION_CATEGORIES and f.action in CAUGHT for f in verdict.findings)


def _labelled(folder: Path) -> Iterator[dict[str, Any]]:
    return chain(rows(folder, "injection"), rows(folder, "benign"))


def _language(row: dict[str, Any]) -> str:
    language = row.get("lang", "")
    return "en" if language in ENGLISH else language


def _slice(counts: Counts) -> dict[str, Any]:
    total = counts.total()
    return {"recall": total.share, **total.described(), "parts": counts.described()}
