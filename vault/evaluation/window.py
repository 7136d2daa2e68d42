"""Windows over whole conversations: how much of a question's evidence a window, or the memories in it, still holds.

Each conversation is one session of sealed turns; its turns are memories as well, as an agent would have written them in
earlier runs. For every question the memories are found by the search service, and the window is arranged as the API
arranges it. Plain truncation keeps the last turns that fit into the same budget, by the same count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any
from uuid import UUID, uuid5

from vault.evaluation.conversations import StoredConversation, store_conversation
from vault.evaluation.extraction import extraction_figures
from vault.evaluation.retrieval import ADVERSARIAL_CATEGORY, Item, Question, read_questions, read_turns
from vault.evaluation.retrieval_sealed import SealedRanker
from vault.evaluation.scratch import scratch_vault
from vault.retrieval.context import BlockMemory
from vault.retrieval.kind_policy import WINDOW_DEFAULTS
from vault.retrieval.score import DEFAULT_WEIGHTS
from vault.sessions.arrange import Arrangement, arrange
from vault.sessions.window import is_full
from vault.types import Kind, SourceType, Trust

BUDGETS = (500, 1000, 2000, 4000, 8000, 16000, 32000)
MOST = WINDOW_DEFAULTS[Kind.FACT].k


@dataclass(slots=True)
class Tally:
    """What windows of one budget held, question by question."""

    kept: list[float]
    truncated: list[float]
    over: int = 0


def evaluate(folder: Path) -> dict[str, Any]:
    """The table of budgets, and the figures of extraction on the same conversations. Raises DataMissing."""
    questions = [q for q in read_questions(folder) if q.evidence and q.category != ADVERSARIAL_CATEGORY]
    turns = read_turns(folder)
    tallies = {budget: Tally([], []) for budget in BUDGETS}
    with scratch_vault():
        ranker = SealedRanker()
        ranker.load(turns)
        for subject, some in groupby(turns, key=lambda item: item.subject):
            items = list(some)
            stored = store_conversation(subject, items)
            _measure(items, stored, [q for q in questions if q.subject == subject], ranker, tallies)
        extraction = extraction_figures(folder, turns)
    return {
        "budgets": [_row(budget, tally) for budget, tally in tallies.items()],
        "questions": len(questions),
        "extraction": extraction,
    }


def _measure(
    items: Sequence[Item],
    stored: StoredConversation,
    questions: Iterable[Question],
    ranker: SealedRanker,
    tallies: dict[int, Tally],
) -> None:
    ids = {item.id: uuid5(UUID(int=0), item.id) for item in items}
    named = {memory: item for item, memory in ids.items()}
    lines = {item.id: _line(item, ids[item.id]) for item in items}
    same = {ids[item.id]: number for number, item in enumerate(items, 1)}
    as_of = max(item.created for item in items) + timedelta(days=1)
    truncated = {budget: _truncated(items, stored, budget) for budget in BUDGETS}
    for question in questions:
        found = ranker.rank(question.subject, question.text, k=MOST, as_of=as_of, weights=DEFAULT_WEIGHTS)
        for budget, tally in tallies.items():
            window = arrange(
                units=stored.units, points=stored.points, memories=[lines[each] for each in found],
                max_tokens=budget, needs_summary=is_full(stored.units, budget), same=same,
            )  # fmt: skip
            held = {items[number - 1].id for number in window.chosen.numbers}
            held |= {named[memory] for memory in window.memories}
            tally.kept.append(_share(held, question))
            tally.truncated.append(_share(truncated[budget], question))
            tally.over += _is_over(window, stored, budget)


def _is_over(window: Arrangement, stored: StoredConversation, budget: int) -> bool:
    """Whether the parts, counted once more from their texts, cost more than the budget."""
    return (
        stored.cost(window.chosen.numbers) + stored.count(window.block) + stored.count(window.summary.text)
        > budget
    )


def _truncated(items: Sequence[Item], stored: StoredConversation, budget: int) -> set[str]:
    spent, kept = 0, set()
    for number in range(len(items), 0, -1):
        spent += stored.cost([number])
        if spent > budget:
            break
        kept.add(items[number - 1].id)
    return kept


def _share(held: set[str], question: Question) -> float:
    return len(held & question.evidence) / len(question.evidence)


def _line(item: Item, memory: UUID) -> BlockMemory[UUID]:
    return BlockMemory(
        id=memory, day=item.created.date(), kind=Kind.FACT, source=SourceType.USER, trust=Trust.STATED,
        text=f"{item.speaker}: {item.text}",
    )  # fmt: skip


def _row(budget: int, tally: Tally) -> dict[str, Any]:
    return {
        "max_tokens": budget,
        "evidence_kept": round(fmean(tally.kept), 4) if tally.kept else None,
        "truncation_kept": round(fmean(tally.truncated), 4) if tally.truncated else None,
        "over_budget": tally.over,
    }
