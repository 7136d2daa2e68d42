from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from vault.evaluation import consolidation, task
from vault.evaluation.consolidation import consolidate, measure
from vault.evaluation.retrieval import Item, Question
from vault.retrieval.score import Weights

DAY = datetime(2026, 3, 2, tzinfo=UTC)


def item(number: int, text: str, *, speaker: str = "Mira", subject: str = "c1") -> Item:
    before = f"{subject}/{number - 1}" if number else None
    return Item(
        f"{subject}/{number}", subject, speaker, text, DAY, "1", frozenset([f"e{number}"]), before, None
    )


def along(*axes: int) -> np.ndarray:
    vectors = np.zeros((len(axes), 8), dtype=np.float32)
    vectors[np.arange(len(axes)), axes] = 1.0
    return vectors


class InOrder:
    """Ranks as the items were loaded."""

    def load(self, items: Sequence[Item]) -> None:
        self.items = list(items)

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> list[str]:
        return [item.id for item in self.items if item.subject == subject][:k]


def test_what_is_put_together_holds_the_evidence_of_all_its_parts():
    items = [item(0, "The boat is red"), item(1, "The boat is old"), item(2, "Likes tea")]

    kept, whole = consolidate(items, along(0, 0, 1))

    assert whole.text == "The boat is red. The boat is old."
    assert whole.answers == {"e0", "e1"}
    assert kept.previous == whole.id


@pytest.mark.parametrize("other", [{"speaker": "Tim"}, {"subject": "c2"}])
def test_two_speakers_and_two_subjects_are_kept_apart(other):
    items = [item(0, "The boat is red"), item(1, "The boat is old", **other)]

    assert {each.id for each in consolidate(items, along(0, 0))} == {each.id for each in items}


def test_recall_by_tokens_takes_what_fits(monkeypatch):
    monkeypatch.setattr(consolidation, "count_tokens", lambda text: 90 if text == "long" else 60)
    items = [item(0, "short"), item(1, "long"), item(2, "late"), item(3, "later")]
    asked = Question("c1", "?", 1, "plain", frozenset(), frozenset(["e0", "e3"]))

    figures = measure(items, [asked], InOrder())

    assert (figures["recall@5"], figures["recall@200_tokens"], figures["tokens@5"]) == (1.0, 0.5, 270.0)


def test_the_task_is_known_to_the_command():
    assert task("consolidation") is consolidation.evaluate
