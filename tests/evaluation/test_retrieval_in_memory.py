import zlib
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from vault.evaluation.retrieval import Item
from vault.evaluation.retrieval_in_memory import InMemoryRanker
from vault.retrieval.score import Weights
from vault.retrieval.tokens import stems

DAY = datetime(2026, 3, 2, tzinfo=UTC)
TURNS = [
    ("Mira", "We keep the boat in the old harbour."),
    ("Tim", "Which harbour do you mean?"),
    ("Mira", "The one behind the fish market."),
    ("Tim", "I bought a red canoe last week."),
    ("Mira", "Invoice INV-2026/7 for the mooring came back."),
]


def embed(texts: Sequence[str]) -> np.ndarray:
    """A bag of stems hashed into a vector: texts with the same words are near."""
    vectors = np.zeros((len(texts), 384), dtype=np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for stem in ["", *stems(text)]:
            row[zlib.crc32(stem.encode()) % 384] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def items(subject: str = "c1") -> list[Item]:
    ids = [f"{subject}/{n}" for n in range(len(TURNS))]
    around = [None, *ids, None]
    return [
        Item(ids[n], subject, who, text, DAY, "1", frozenset([ids[n]]), around[n], around[n + 2])
        for n, (who, text) in enumerate(TURNS)
    ]


@pytest.fixture
def ranker():
    made = InMemoryRanker(embed)
    made.load([*items(), *items("c2")])
    return made


def ask(ranker: InMemoryRanker, query: str, k: int = 5) -> list[str]:
    return ranker.rank("c1", query, k=k, as_of=DAY, weights=Weights())


def test_the_memory_with_the_words_is_found(ranker):
    assert ask(ranker, "Who bought a canoe?")[0] == "c1/3"


def test_the_memory_with_the_identifier_is_found(ranker):
    assert ask(ranker, "what about inv-2026/7")[0] == "c1/4"


def test_the_named_person_is_preferred(ranker):
    assert ask(ranker, "What harbour did Mira mention?")[0] in ("c1/0", "c1/2")


def test_no_other_subject_is_ever_found(ranker):
    assert all(found.startswith("c1/") for found in ask(ranker, "harbour", k=100))


def test_no_more_than_k_are_found(ranker):
    assert len(ask(ranker, "harbour", k=2)) == 2


def test_loading_forgets_what_was_there(ranker):
    ranker.load(items("c3"))

    assert ranker.shelves.keys() == {"c3"}


def test_the_topic_is_asked_without_the_speaker(ranker):
    assert ranker.prepare("c1", "What boat does Mira keep?").hints.topic == "What boat does keep?"


def test_candidates_know_which_tokens_they_hold(ranker):
    held = {each.id: each.held for each in ranker.prepare("c1", "red canoe").candidates}

    assert held["c1/3"] == {"s:red", "s:cano"}
    assert held["c1/0"] == frozenset()


def test_neighbours_of_the_best_become_candidates(monkeypatch, ranker):
    monkeypatch.setattr("vault.evaluation.retrieval_in_memory.MIN_NEAREST", 1)

    assert {each.id for each in ranker.prepare("c1", "canoe").candidates} == {"c1/2", "c1/3", "c1/4"}
