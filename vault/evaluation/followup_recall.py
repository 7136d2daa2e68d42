"""What filling in a question does to what is found: better where it leans on the turns before it, no worse where not.

Nobody labelled the memory that answers a follow-up question, so the question as it stands alone takes its place, among
all such questions and all turns of the others: its own turns are no memories yet, a window shows them anyway. For
questions that stand alone, those of the retrieval set are asked behind the turns of an unrelated conversation, over the
turns of the first conversation there; so the measure takes seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from vault.embedding import embed
from vault.evaluation.data import DataMissing
from vault.evaluation.retrieval import (
    ADVERSARIAL_CATEGORY,
    DEPTH,
    Item,
    Question,
    ask,
    figures,
    read_questions,
    read_turns,
)
from vault.evaluation.retrieval_in_memory import InMemoryRanker
from vault.retrieval.score import DEFAULT_WEIGHTS
from vault.sessions.leaning import Said
from vault.sessions.transform import transform

SUBJECT = "followup"
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
DEPTHS = (1, 5)
# Enough that a question's own turns can be left out.
RANKED = 30
# So many questions that stand alone are asked.
MOST_ALONE = 150

Row = Mapping[str, Any]


def said_of(row: Row) -> list[Said]:
    return [Said(turn["role"], turn["text"]) for turn in row["turns"]]


def recall_of_followups(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Share of the questions that need their turns whose standalone form is found, by what was searched with."""
    leaning = [row for row in rows if not row["self_contained"]]
    if not leaning:
        return {}
    ranker = InMemoryRanker(embed)
    ranker.load(_items(rows))
    asked = {
        "question": [row["question"] for row in leaning],
        "transformed": [transform(row["question"], said_of(row)) for row in leaning],
        "standalone": [row["standalone"] for row in leaning],
    }
    return {name: _recall(ranker, texts, leaning) for name, texts in asked.items()}


def recall_of_self_contained(folder: Path, rows: Sequence[Row]) -> dict[str, Any]:
    """Recall of questions that stand alone, as they are and as they are searched behind an unrelated conversation."""
    try:
        turns, questions = read_turns(folder), read_questions(folder)
    except DataMissing:
        return {}
    if not turns:
        return {}
    first = turns[0].subject
    mine = [q for q in questions if q.subject == first and q.evidence and q.category != ADVERSARIAL_CATEGORY]
    mine = mine[:MOST_ALONE]
    items = [item for item in turns if item.subject == first]
    ranker = InMemoryRanker(embed)
    ranker.load(items)
    changed = [
        Question(q.subject, _behind(q.text, rows, n), q.category, q.category_name, q.about, q.evidence)
        for n, q in enumerate(mine)
    ]
    before, after = (_found(ranker, some, items) for some in (mine, changed))
    return {
        "questions": len(mine),
        "changed": sum(new.text != old.text for new, old in zip(changed, mine, strict=True)),
        f"recall@{DEPTH}": before,
        f"recall@{DEPTH}_transformed": after,
        "difference": round(after - before, 4),
    }


def _items(rows: Sequence[Row]) -> list[Item]:
    found = []
    for row in rows:
        texts = [(row["id"], row["standalone"])]
        texts += [(f"{row['id']}/{n}", turn["text"]) for n, turn in enumerate(row["turns"])]
        found += [Item(each, SUBJECT, "", text, WHEN, row["id"], frozenset((each,))) for each, text in texts]
    return found


def _recall(ranker: InMemoryRanker, texts: Sequence[str], rows: Sequence[Row]) -> dict[str, float]:
    as_of = WHEN + timedelta(days=1)
    found = [
        _of_others(row, ranker.rank(SUBJECT, text, k=RANKED, as_of=as_of, weights=DEFAULT_WEIGHTS))
        for row, text in zip(rows, texts, strict=True)
    ]
    return {
        f"recall@{k}": round(fmean(row["id"] in ids[:k] for row, ids in zip(rows, found, strict=True)), 4)
        for k in DEPTHS
    }


def _of_others(row: Row, ids: Sequence[str]) -> list[str]:
    return [each for each in ids if not each.startswith(f"{row['id']}/")]


def _behind(question: str, rows: Sequence[Row], number: int) -> str:
    """A question as it is searched in a session that was about something else."""
    return transform(question, said_of(rows[number % len(rows)])) if rows else question


def _found(ranker: InMemoryRanker, questions: Sequence[Question], items: Sequence[Item]) -> float:
    answers, _ = ask(ranker, questions, items, weights=DEFAULT_WEIGHTS)
    return float(figures(answers)[f"recall@{DEPTH}"] or 0.0)
