"""What consolidation does to retrieval: the same questions before and after, over the same observations.

A memory that stands for several holds the evidence of all of them, so recall among the first k rises by its
length alone. What a prompt pays for is tokens: `recall@200_tokens` takes the best that fit into so many.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vault.embedding import embed
from vault.evaluation.consolidation_sealed import evaluate_job
from vault.evaluation.retrieval import (
    ADVERSARIAL_CATEGORY,
    Answer,
    Item,
    Question,
    Ranker,
    read_observations,
    read_questions,
)
from vault.evaluation.retrieval_in_memory import InMemoryRanker
from vault.lifecycle.upkeep.clustering import SAME_MATTER, Part, cluster
from vault.lifecycle.upkeep.extract import Statement, put_together
from vault.lifecycle.upkeep.proposing import MAX_CONSIDERED, SMALL_CHARACTERS
from vault.retrieval.score import DEFAULT_WEIGHTS
from vault.retrieval.tokenizer_count import count_tokens

DEPTH = 40
TOKENS = 200
# What goes through the sealed store: one takes some minutes.
CONVERSATIONS = 1
Vectors = NDArray[np.float32]


def evaluate(folder: Path) -> dict[str, Any]:
    """The figures before and after, at the threshold that the service uses. Raises DataMissing.

    In memory over all conversations, and through the job over the first of them.
    """
    questions = [
        question
        for question in read_questions(folder)
        if question.evidence and question.category != ADVERSARIAL_CATEGORY
    ]
    items = read_observations(folder)
    vectors = _vectors([item.text for item in items])
    return {
        "before": measure(items, questions),
        "after": measure(consolidate(items, vectors), questions),
        "same_matter": SAME_MATTER,
        "job": evaluate_job(items, questions, measure=measure, conversations=CONVERSATIONS),
    }


def consolidate(items: Sequence[Item], vectors: Vectors, *, same_matter: float = SAME_MATTER) -> list[Item]:
    """The items with what one run of the service would put together; `vectors` run parallel to them."""
    by_subject: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        if len(item.text) <= SMALL_CHARACTERS:
            by_subject[item.subject].append(place)
    stands_for: dict[str, str] = {}
    made: list[Item] = []
    for places in by_subject.values():
        chosen = sorted(places, key=lambda place: items[place].created)[:MAX_CONSIDERED]
        parts = [Part(vectors[place], len(items[place].text), items[place].speaker) for place in chosen]
        for group in cluster(parts, same_matter=same_matter):
            whole = _together([items[chosen[member]] for member in group])
            made.append(whole)
            stands_for |= {items[chosen[member]].id: whole.id for member in group}
    kept = [item for item in items if item.id not in stands_for]
    return [_relinked(item, stands_for) for item in kept] + made


def measure(
    items: Sequence[Item], questions: Sequence[Question], ranker: Ranker | None = None
) -> dict[str, Any]:
    """Recall over the questions by rank and by tokens, and what the first five cost."""
    ranker = ranker or InMemoryRanker(_vectors)
    ranker.load(items)
    known = {item.id: item for item in items}
    end: dict[str, datetime] = {}
    for item in items:
        end[item.subject] = max(item.created, end.get(item.subject, item.created))
    answers = []
    for question in questions:
        as_of = end[question.subject] + timedelta(days=1)
        ids = ranker.rank(question.subject, question.text, k=DEPTH, as_of=as_of, weights=DEFAULT_WEIGHTS)
        answers.append(Answer(question, tuple(known[each] for each in ids)))
    tokens = {item.id: count_tokens(item.text) for item in items}
    return {
        "memories": len(items),
        "questions": len(answers),
        "recall@5": _mean([answer.recall(5) for answer in answers]),
        "recall@10": _mean([answer.recall(10) for answer in answers]),
        f"recall@{TOKENS}_tokens": _mean([answer.recall(_fitting(answer, tokens)) for answer in answers]),
        "tokens@5": _mean([sum(tokens[item.id] for item in answer.found[:5]) for answer in answers]),
    }


def _vectors(texts: Sequence[str]) -> Vectors:
    return np.asarray(embed(texts))


def _together(group: Sequence[Item]) -> Item:
    first = group[0]
    extract = put_together([Statement(item.text) for item in group])
    return replace(
        first,
        id=f"{first.id}+{len(group) - 1}",
        text=extract.text,
        created=max(item.created for item in group),
        answers=frozenset().union(*(item.answers for item in group)),
        previous=None,
        following=None,
    )


def _relinked(item: Item, stands_for: dict[str, str]) -> Item:
    return replace(
        item,
        previous=None if item.previous is None else stands_for.get(item.previous, item.previous),
        following=None if item.following is None else stands_for.get(item.following, item.following),
    )


def _fitting(answer: Answer, tokens: dict[str, int]) -> int:
    """How many of the best fit into the tokens, one after another."""
    spent = 0
    for number, item in enumerate(answer.found):
        spent += tokens[item.id]
        if spent > TOKENS:
            return number
    return len(answer.found)


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0
