"""The follow-up task over a small set written for it."""

from __future__ import annotations

import json

import pytest

from vault.evaluation.data import DataMissing
from vault.evaluation.followup import evaluate
from vault.evaluation.followup_recall import recall_of_followups, recall_of_self_contained

LEANING = {
    "id": "1",
    "turns": [{"role": "user", "text": "Where is order 55210 of Hollin Mill?"}],
    "question": "and since when?",
    "standalone": "Since when is order 55210 of Hollin Mill there?",
    "gold_terms": ["55210"],
    "self_contained": False,
    "lang": "en",
}
ALONE = {
    "id": "2",
    "turns": [{"role": "user", "text": "Thanks a lot."}],
    "question": "When does the shop in Ghent close?",
    "standalone": "When does the shop in Ghent close?",
    "gold_terms": ["ghent"],
    "self_contained": True,
    "lang": "en",
}


def test_gold_terms_length_and_untouched_questions_are_counted(tmp_path):
    (tmp_path / "followup").mkdir()
    (tmp_path / "followup" / "followup.jsonl").write_text(
        "\n".join(json.dumps(row) for row in (LEANING, ALONE))
    )

    figures = evaluate(tmp_path)

    assert (figures["gold_terms_found"], figures["self_contained_unchanged"], figures["accuracy"]) == (
        1.0,
        1.0,
        1.0,
    )
    assert figures["median_length_words"] < 1.6
    assert figures["confusion"] == {
        "needs_turns": {"needs_turns": 1},
        "self_contained": {"self_contained": 1},
    }


def test_a_missing_set_is_said_so(tmp_path):
    with pytest.raises(DataMissing):
        evaluate(tmp_path)


def test_filling_in_finds_what_the_bare_question_does_not():
    others = [
        {**ALONE, "id": str(n), "turns": [], "standalone": f"Since when is parcel {n} there?"}
        for n in range(100, 120)
    ]

    recall = recall_of_followups([LEANING, *others])

    assert recall["transformed"]["recall@1"] == 1.0 > recall["question"]["recall@1"]


def test_without_the_retrieval_set_only_follow_ups_are_measured(tmp_path):
    assert recall_of_self_contained(tmp_path, [LEANING]) == {}
