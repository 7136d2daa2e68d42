"""Follow-up questions: what of a conversation gets into the search query, and what it costs in length.

A question that needs the earlier turns is right when its query holds every gold term; one that stands alone, when its
query is the question itself.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from vault.evaluation.data import rows
from vault.evaluation.followup_recall import recall_of_followups, recall_of_self_contained, said_of
from vault.evaluation.intervals import Count, Counts
from vault.sessions.leaning import leans
from vault.sessions.transform import transform


def evaluate(folder: Path) -> dict[str, Any]:
    """Share of queries with all gold terms, median length against the standalone question, what stayed as it was."""
    gold, untouched, right = Count(), Count(), Count()
    gold_before = Count()
    by_language, recall, precision = Counts(), Counts(), Counts()
    words: list[float] = []
    characters: list[float] = []
    confusion: dict[str, dict[str, int]] = {"needs_turns": {}, "self_contained": {}}
    labelled = list(rows(folder, "followup"))
    for row in labelled:
        turns = said_of(row)
        used = transform(row["question"], turns)
        truth = "self_contained" if row["self_contained"] else "needs_turns"
        guess = "needs_turns" if leans(row["question"], turns) else "self_contained"
        confusion[truth][guess] = confusion[truth].get(guess, 0) + 1
        recall.add(truth, truth == guess)
        precision.add(guess, truth == guess)
        right.add(truth == guess)
        if row["self_contained"]:
            is_right = used == row["question"]
            untouched.add(is_right)
        else:
            is_right = _holds(used, row["gold_terms"])
            gold.add(is_right)
            gold_before.add(_holds(row["question"], row["gold_terms"]))
            words.append(len(used.split()) / len(row["standalone"].split()))
            characters.append(len(used) / len(row["standalone"]))
        by_language.add("en" if row["lang"] == "en" else "other", is_right)
    return {
        "accuracy": right.share,
        "by_label": {
            name: {"recall": recall.shares().get(name), "precision": precision.shares().get(name)}
            for name in ("needs_turns", "self_contained")
        },
        "confusion": confusion,
        "gold_terms_found": gold.share,
        "gold_terms_found_interval_95": gold.described()["interval_95"],
        "gold_terms_in_the_question": gold_before.share,
        "median_length_words": round(median(words), 4) if words else None,
        "median_length_characters": round(median(characters), 4) if characters else None,
        "self_contained_unchanged": untouched.share,
        "by_language": by_language.described(),
        "recall": {
            "follow_ups": recall_of_followups(labelled),
            "self_contained": recall_of_self_contained(folder, labelled),
        },
    }


def _holds(query: str, terms: list[str]) -> bool:
    folded = query.casefold()
    return all(term.casefold() in folded for term in terms)
