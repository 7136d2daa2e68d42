"""What the job of consolidation does to retrieval: a sealed store, the job's own service, the same questions twice.

Ages are as in the data, counted back from now: what was put together today was not believed on an earlier day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from vault.evaluation.retrieval import Item, Question, Ranker
from vault.evaluation.retrieval_sealed import SealedRanker
from vault.evaluation.scratch import scratch_vault
from vault.keys import key_vault
from vault.lifecycle.upkeep.consolidation import Consolidated, consolidate_subject
from vault.lifecycle.upkeep.schedule import SCOPE
from vault.models import Memory, Namespace, isolation
from vault.retrieval.opening import open_current
from vault.retrieval.score import Weights
from vault.retrieval.search import SearchQuery, search

Measure = Callable[[Sequence[Item], Sequence[Question], Ranker], Mapping[str, Any]]


def evaluate_job(
    items: Sequence[Item], questions: Sequence[Question], *, measure: Measure, conversations: int
) -> dict[str, Any]:
    """The figures of `measure` before and after the job, over the first so many conversations."""
    chosen = list(dict.fromkeys(item.subject for item in items))[:conversations]
    some = _ending_now([item for item in items if item.subject in chosen])
    asked = [question for question in questions if question.subject in chosen]
    with scratch_vault():
        ranker = LiveRanker()
        ranker.load(some)
        before = measure(some, asked, _Loaded(ranker))
        done = [_run(subject_id, ranker) for subject_id in ranker.subjects()]
        after = measure(ranker.standing(some), asked, _Loaded(ranker))
    return {
        "conversations": len(chosen),
        "before": before,
        "after": after,
        "made": sum(len(run.made) for run in done),
        "left": sum(run.left for run in done),
    }


class LiveRanker(SealedRanker):
    """Searches what is believed now."""

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> Sequence[str]:
        found = search(query=SearchQuery(subject, query, k=k, weights=weights), scope=self._scope).results
        return [self._names[hit.memory.row.pk] for hit in found]

    def subjects(self) -> list[UUID]:
        with transaction.atomic():
            isolation.open_everything()
            return sorted(set(Memory.objects.values_list("subject_id", flat=True)))

    def places(self) -> list[int]:
        return list(Namespace.objects.filter(name=self.namespace).values_list("pk", flat=True))

    def standing(self, items: Sequence[Item]) -> list[Item]:
        """The items as they stand after a run: what was put together holds the evidence of all its parts."""
        known = {item.id: item for item in items}
        with transaction.atomic():
            isolation.open_everything()
            for row in Memory.objects.filter(consolidated=True):
                parts = [known.pop(self._names[part]) for part in row.derived_from]
                whole = replace(
                    parts[0],
                    id=f"{parts[0].id}+{len(parts) - 1}",
                    text=open_current(row, keys=key_vault().subject(row.subject_id)).text,
                    answers=frozenset().union(*(part.answers for part in parts)),
                )
                known[whole.id] = whole
                self._names[row.pk] = whole.id
        return list(known.values())


class _Loaded:
    """A ranker whose store stands already."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker

    def load(self, items: Sequence[Item]) -> None:
        return

    def rank(self, subject: str, query: str, *, k: int, as_of: datetime, weights: Weights) -> Sequence[str]:
        return self._ranker.rank(subject, query, k=k, as_of=as_of, weights=weights)


def _run(subject_id: UUID, ranker: LiveRanker) -> Consolidated:
    return consolidate_subject(
        subject_id=subject_id, scope=SCOPE, settled_by=timezone.now(), namespaces=ranker.places()
    )


def _ending_now(items: Sequence[Item]) -> list[Item]:
    """The items moved in time, so that each conversation ended yesterday."""
    end: dict[str, datetime] = {}
    for item in items:
        end[item.subject] = max(item.created, end.get(item.subject, item.created))
    yesterday = timezone.now() - timedelta(days=1)
    return [replace(item, created=item.created + (yesterday - end[item.subject])) for item in items]
