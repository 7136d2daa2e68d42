"""Contradictions: pairs of statements about one subject, through screening, embedding and reconciliation.

Three ways are told apart: supersede, merge, keep both. A conflict for review counts half as superseding and
half as keeping both: a person decides, and until then both are served.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from vault.embedding import embed
from vault.evaluation.data import rows
from vault.evaluation.intervals import Count, Counts, times, wilson
from vault.evaluation.pipeline import screened
from vault.screening import redact_text
from vault.types import Action, Resolution, Trust
from vault.writing.fingerprint import same_statement_form
from vault.writing.reconcile import Neighbour, reconcile

WAYS = ("supersede", "merge", "keep_both")
EXPECTED = {"supersedes": "supersede", "duplicate": "merge", "compatible": "keep_both", "trap": "keep_both"}
SHARES: dict[Resolution, dict[str, float]] = {
    Resolution.SUPERSEDE: {"supersede": 1.0},
    Resolution.MERGE: {"merge": 1.0},
    Resolution.CREATE: {"keep_both": 1.0},
    Resolution.CONFLICT: {"supersede": 0.5, "keep_both": 0.5},
}
OLD = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Judged:
    """One pair: its label, its slice, and what the second statement did to the first."""

    relation: str
    language: str
    resolution: Resolution
    set_aside: bool

    @property
    def right(self) -> float:
        return SHARES[self.resolution].get(EXPECTED[self.relation], 0.0)

    @property
    def lost(self) -> bool:
        """Whether the old statement is served no longer as it stood."""
        return self.resolution in (Resolution.SUPERSEDE, Resolution.MERGE)


def evaluate(folder: Path) -> dict[str, Any]:
    """Accuracy, precision and recall by way, macro F1, the confusion, and what was lost; by slices."""
    spent: list[float] = []
    judged = [_judge(row, spent) for row in rows(folder, "contradiction")]
    apart = [j for j in judged if EXPECTED[j.relation] == "keep_both"]
    resolutions: dict[str, dict[str, int]] = {}
    for pair in judged:
        counted = resolutions.setdefault(pair.relation, {r.value: 0 for r in Resolution})
        counted[pair.resolution.value] += 1
    return {
        "pairs": len(judged),
        **_figures(judged),
        "resolutions": resolutions,
        "old_statement_lost": _share(j.lost for j in apart),
        "old_statement_lost_by_label": _by(apart, "relation"),
        "duplicates_merged": _share(
            j.resolution is Resolution.MERGE for j in judged if j.relation == "duplicate"
        ),
        "traps_merged": _share(j.resolution is Resolution.MERGE for j in judged if j.relation == "trap"),
        "conflicts": _share(j.resolution is Resolution.CONFLICT for j in judged),
        "set_aside": _share(j.set_aside for j in judged),
        "slices": {
            "traps": _accuracy([j for j in judged if j.relation == "trap"]),
            "english": _figures([j for j in judged if j.language == "en"]),
            "other_languages": _figures([j for j in judged if j.language != "en"]),
        },
        **times(spent),
    }


def _judge(row: dict[str, Any], spent: list[float]) -> Judged:
    """What writing `new` after `old` does; a text that screening sets aside touches nothing."""
    (old, kept_old), (new, kept_new) = _as_stored(row["old"]), _as_stored(row["new"])
    vectors = embed([old, new])
    neighbour = Neighbour(
        OLD,
        old,
        Trust.STATED,
        float(vectors[0] @ vectors[1]),
        same_statement=same_statement_form(old) == same_statement_form(new),
    )
    began = time.perf_counter()
    decided = reconcile(new, Trust.STATED, [neighbour])
    spent.append((time.perf_counter() - began) * 1000)
    kept = kept_old and kept_new
    return Judged(
        row["relation"], row["lang"], decided.resolution if kept else Resolution.CREATE, set_aside=not kept
    )


def _as_stored(text: str) -> tuple[str, bool]:
    """The text as it would be stored, masked where policy says so; and whether it would be stored at once."""
    verdict, _ = screened(text)
    masked, _ = redact_text(text, [f for f in verdict.findings if f.pointer == "/text"])
    return masked, verdict.action.rank < Action.QUARANTINE.rank


def _figures(judged: list[Judged]) -> dict[str, Any]:
    confusion = {truth: dict.fromkeys(WAYS, 0.0) for truth in WAYS}
    for pair in judged:
        for way, share in SHARES[pair.resolution].items():
            confusion[EXPECTED[pair.relation]][way] += share
    labels = {way: _label(way, confusion) for way in WAYS}
    return {
        **_accuracy(judged),
        "macro_f1": round(sum(figures["f1"] for figures in labels.values()) / len(WAYS), 4),
        "by_label": labels,
        "confusion": confusion,
    }


def _label(way: str, confusion: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Precision, recall and F1 of one way; 0 where nothing was said or nothing is there. Halves are rounded down
    in the intervals."""
    hits = confusion[way][way]
    said = sum(row[way] for row in confusion.values())
    there = sum(confusion[way].values())
    return {
        "precision": round(hits / said, 4) if said else 0.0,
        "precision_interval_95": _interval(hits, said),
        "recall": round(hits / there, 4) if there else 0.0,
        "recall_interval_95": _interval(hits, there),
        "f1": round(2 * hits / (said + there), 4) if said + there else 0.0,
    }


def _accuracy(judged: list[Judged]) -> dict[str, Any]:
    right = sum(j.right for j in judged)
    return {
        "accuracy": round(right / len(judged), 4) if judged else None,
        "accuracy_interval_95": _interval(right, len(judged)),
        "of": len(judged),
    }


def _interval(hits: float, total: float) -> list[float]:
    return [round(bound, 4) for bound in wilson(int(hits), int(total))]


def _share(hits: Iterable[bool]) -> dict[str, Any]:
    count = Count()
    for hit in hits:
        count.add(hit)
    return dict(count.described())


def _by(judged: list[Judged], name: str) -> dict[str, Any]:
    counts = Counts()
    for pair in judged:
        counts.add(getattr(pair, name), pair.lost)
    return dict(counts.described())
