"""The window task: conversations as sessions, a budget that is kept, and extraction against observations."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from vault.evaluation.conversations import store_conversation
from vault.evaluation.extraction import extraction_figures
from vault.evaluation.retrieval import Item, Question
from vault.evaluation.window import BUDGETS, Tally, _measure

CREATED = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def item(number, text):
    speaker = "Imogen" if number % 2 else "Rupert"
    return Item(f"t{number}", "talk", speaker, text, CREATED, "1", frozenset({f"t{number}"}))


TALK = [item(1, "I prefer my invoices from Hollin Mill on paper, never by e-mail.")] + [
    item(number, f"Pallet {number} went to hall {number} at noon, and the clerk signed the list for it.")
    for number in range(2, 60)
]
QUESTION = Question(
    "talk", "How does Imogen want her invoices?", 1, "one", frozenset({"Imogen"}), frozenset({"t1"})
)


class FirstTurn:
    """A ranker that always finds the first turn."""

    def rank(self, subject, query, *, k, as_of, weights):
        return ["t1"]


@pytest.mark.django_db(transaction=True)
def test_a_window_with_memories_holds_what_truncation_lost_and_stays_within_its_budget():
    tallies = {budget: Tally([], []) for budget in BUDGETS}

    _measure(TALK, store_conversation("talk", TALK), [QUESTION], FirstTurn(), tallies)

    assert [tally.over for tally in tallies.values()] == [0] * len(BUDGETS)
    assert tallies[500].kept == [1.0]
    assert tallies[500].truncated == [0.0]
    assert tallies[32000].truncated == [1.0]


def test_what_was_noted_of_a_talk_is_found_among_its_drafts(tmp_path):
    (tmp_path / "retrieval").mkdir()
    noted = {
        "subject": "talk", "id": "o1", "speaker": "Imogen", "text": "Imogen prefers invoices on paper, not by mail.",
        "created": CREATED.isoformat(), "session": 1, "source_ids": ["t1"],
    }  # fmt: skip
    (tmp_path / "retrieval" / "observations.jsonl").write_text(json.dumps(noted))

    figures = extraction_figures(tmp_path, TALK[:4])

    assert figures["recall"] == 1.0
    assert figures["drafts"] >= 1
