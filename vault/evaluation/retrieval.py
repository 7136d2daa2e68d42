"""Retrieval over labelled conversations: how much of a question's evidence is in the first five or ten.

Recall@k is the share of a question's evidence among the first k, a mean over the questions of categories 1 to 4;
category 5 asks about the wrong speaker on purpose and is reported apart. An observation stands for the turns
that it was distilled from; evidence that no observation holds counts as missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

from vault.evaluation.data import rows
from vault.retrieval.score import DEFAULT_WEIGHTS, Weights

DEPTH = 10
ADVERSARIAL_CATEGORY = 5
SIMILARITY_ONLY = Weights(1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Item:
    """One memory of a set. `answers` are the ids of the evidence that it stands for."""

    id: str
    subject: str
    speaker: str
    text: str
    created: datetime
    session: str
    answers: frozenset[str]
    previous: str | None = None
    following: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what a right answer rests on. Only `text` and `subject` ever reach a ranker."""

    subject: str
    text: str
    category: int
    category_name: str
    about: frozenset[str]
    evidence: frozenset[str]


class Ranker(Protocol):
    """Something that stores memories and finds them again: the pure functions in memory, or the whole vault."""

    def load(self, items: Sequence[Item]) -> None:
        """Store these items and forget those of before; items of a session come in their order."""

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> Sequence[str]:
        """The ids of the k best items of a subject, the best first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a ranker gave for one question."""

    question: Question
    found: tuple[Item, ...]

    def recall(self, k: int) -> float:
        held = frozenset().union(*(item.answers for item in self.found[:k]))
        return len(held & self.question.evidence) / len(self.question.evidence)

    def reciprocal_rank(self) -> float:
        """1 / rank of the first item that holds evidence, 0 when none of the first ten does."""
        ranks = (n for n, item in enumerate(self.found, 1) if item.answers & self.question.evidence)
        return 1.0 / next(ranks, float("inf"))

    def wrong_speakers(self, k: int) -> float:
        """The share of the first k that somebody else said than the one whom the question is about."""
        first = self.found[:k]
        return sum(item.speaker not in self.question.about for item in first) / len(first) if first else 0.0


def evaluate_retrieval(data_dir: Path, ranker: Ranker) -> dict[str, Any]:
    """All figures for turns and observations, by the default score and by similarity alone. Raises DataMissing."""
    questions = read_questions(data_dir)
    report: dict[str, Any] = {"similarity_only": {}, "isolation_violations": 0}
    for name, items in (("turns", read_turns(data_dir)), ("observations", read_observations(data_dir))):
        ranker.load(items)
        for place, weights in ((report, DEFAULT_WEIGHTS), (report["similarity_only"], SIMILARITY_ONLY)):
            answers, violations = ask(ranker, questions, items, weights=weights)
            place[name] = figures(answers)
            report["isolation_violations"] += violations
    return report


def ask(
    ranker: Ranker, questions: Iterable[Question], items: Sequence[Item], *, weights: Weights
) -> tuple[list[Answer], int]:
    """Ask every question a day after its conversation's end; also how many foreign items came back."""
    known = {item.id: item for item in items}
    end: dict[str, datetime] = {}
    for item in items:
        end[item.subject] = max(item.created, end.get(item.subject, item.created))
    answers, violations = [], 0
    for question in questions:
        as_of = end[question.subject] + timedelta(days=1)
        ids = ranker.rank(question.subject, question.text, k=DEPTH, as_of=as_of, weights=weights)
        found = tuple(known[each] for each in ids)
        violations += sum(item.subject != question.subject for item in found)
        answers.append(Answer(question, found))
    return answers, violations


def figures(answers: Sequence[Answer]) -> dict[str, Any]:
    """The figures of one run; questions without evidence are left out."""
    scored = [each for each in answers if each.question.evidence]
    plain = [each for each in scored if each.question.category != ADVERSARIAL_CATEGORY]
    by_category: dict[str, list[Answer]] = defaultdict(list)
    for each in plain:
        by_category[each.question.category_name].append(each)
    about_one = [each for each in plain if len(each.question.about) == 1]
    return {
        **_means(plain),
        "by_category": {name: _means(some) for name, some in sorted(by_category.items())},
        "wrong_speaker@5": _mean(each.wrong_speakers(5) for each in about_one),
        "wrong_speaker@10": _mean(each.wrong_speakers(10) for each in about_one),
        "adversarial": _means([each for each in scored if each.question.category == ADVERSARIAL_CATEGORY]),
    }


def read_turns(data_dir: Path) -> list[Item]:
    return _linked([_item(row, answers=[row["id"]]) for row in rows(data_dir, "retrieval", "memories")])


def read_observations(data_dir: Path) -> list[Item]:
    return _linked(
        [_item(row, answers=row["source_ids"]) for row in rows(data_dir, "retrieval", "observations")]
    )


def read_questions(data_dir: Path) -> list[Question]:
    return [
        Question(
            subject=row["subject"],
            text=row["question"],
            category=row["category"],
            category_name=row["category_name"],
            about=frozenset(row["about"]),
            evidence=frozenset(row["evidence_ids"]),
        )
        for row in rows(data_dir, "retrieval", "questions")
    ]


def _item(row: Mapping[str, Any], *, answers: Iterable[str]) -> Item:
    created = datetime.fromisoformat(row["created"])
    return Item(
        id=row["id"],
        subject=row["subject"],
        speaker=row["speaker"],
        text=row["text"],
        created=created if created.tzinfo else created.replace(tzinfo=UTC),
        session=str(row["session"]),
        answers=frozenset(answers),
    )


def _linked(items: Sequence[Item]) -> list[Item]:
    """The items with the ids of their neighbours, as they follow each other in one session."""
    linked = []
    for before, item, behind in zip([None, *items], items, [*items[1:], None], strict=False):
        linked.append(replace(item, previous=_id_within(before, item), following=_id_within(behind, item)))
    return linked


def _id_within(neighbour: Item | None, item: Item) -> str | None:
    together = neighbour and (neighbour.subject, neighbour.session) == (item.subject, item.session)
    return neighbour.id if neighbour and together else None


def _means(answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "questions": len(answers),
        "recall@5": _mean(each.recall(5) for each in answers),
        "recall@10": _mean(each.recall(10) for each in answers),
        "mrr": _mean(each.reciprocal_rank() for each in answers),
    }


def _mean(values: Iterable[float]) -> float | None:
    """Rounded to four decimals; None of nothing."""
    counted = list(values)
    return round(fmean(counted), 4) if counted else None
