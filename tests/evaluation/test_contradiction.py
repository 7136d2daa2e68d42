"""The task on a small sample written for the suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vault.evaluation.contradiction import evaluate

SAMPLE = [
    ("Her shoe size is 38.", "Her shoe size is 39.", "supersedes", "en"),
    ("The kiosk shuts at 6 pm.", "Kiosk closing time: 18:00", "duplicate", "en"),
    ("Likes tea.", "Likes coffee.", "compatible", "en"),
    ("Order 66120 was delivered on 8 May.", "Order 66121 was delivered on 8 May.", "trap", "en"),
    ("The lamp is green.", "The lamp is red.", "supersedes", "en"),
    ("Le chat dort dans la cuisine.", "Le chien dort dans le jardin.", "compatible", "fr"),
]


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("data")
    (folder / "contradiction").mkdir()
    lines = [
        json.dumps({"id": f"x-{n}", "old": old, "new": new, "relation": relation, "why": "", "lang": lang})
        for n, (old, new, relation, lang) in enumerate(SAMPLE)
    ]
    Path(folder, "contradiction", "contradiction.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return evaluate(folder)


def test_a_conflict_counts_half_as_superseding_and_half_as_keeping_both(figures: dict[str, Any]) -> None:
    assert figures["confusion"]["supersede"] == {"supersede": 1.5, "merge": 0.0, "keep_both": 0.5}
    assert figures["accuracy"] == round(5.5 / 6, 4)


def test_macro_f1_is_the_mean_of_three_ways(figures: dict[str, Any]) -> None:
    f1 = [label["f1"] for label in figures["by_label"].values()]

    assert figures["macro_f1"] == pytest.approx(sum(f1) / 3, abs=1e-3)


def test_traps_and_other_languages_are_slices(figures: dict[str, Any]) -> None:
    assert figures["slices"]["traps"]["of"] == figures["slices"]["other_languages"]["of"] == 1
    assert figures["slices"]["english"]["of"] == 5


def test_what_was_lost_is_counted_over_compatible_and_trap_pairs(figures: dict[str, Any]) -> None:
    assert (figures["old_statement_lost"]["hits"], figures["old_statement_lost"]["of"]) == (0, 3)
    assert figures["duplicates_merged"]["share"] == 1.0
