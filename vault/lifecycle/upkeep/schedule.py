"""The scheduled side of consolidation: subjects with many small memories, in namespaces that want it."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import InvalidTransition, NotFound, SubjectErased
from vault.lifecycle import jobs
from vault.lifecycle.desk import system_scope
from vault.lifecycle.retention import not_held
from vault.lifecycle.upkeep.consolidation import consolidate_subject
from vault.lifecycle.upkeep.proposing import eligible
from vault.lifecycle.upkeep.redoing import redo
from vault.lifecycle.upkeep.rules import rules_by_namespace
from vault.models import JobKind, Memory, isolation
from vault.retrieval import trail

SCOPE = system_scope("consolidation")
# From so many memories of one namespace that could be put together, it is worth a job.
MANY = 20
# What was just written is still being talked about.
SETTLED = timedelta(days=7)


def queue_consolidation(*, now: datetime, limit: int) -> int:
    """Give up to `limit` subjects with many small memories a job; returns how many."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = Memory.objects.filter(pk__in=not_held(eligible(now - SETTLED)).values("pk"))
        crowded = (
            rows.filter(namespace_id__in=_willing())
            .values("subject_id", "namespace_id")
            .annotate(number=Count("pk"))
            .filter(number__gte=MANY)
            .order_by("-number")
        )
        subjects = list(dict.fromkeys(row["subject_id"] for row in crowded[: limit * 2]))[:limit]
        for subject_id in subjects:
            jobs.enqueue(JobKind.CONSOLIDATION, subject_id)
    return len(subjects)


def run_consolidation(target_id: UUID) -> None:
    """Put together what one subject's willing namespaces hold, or what is left of a whole that was withdrawn.

    `target_id` is the subject or the whole. A subject that may not be touched is skipped.
    """
    try:
        if _is_whole(target_id):
            redo(whole_id=target_id, scope=SCOPE, willing=_willing())
        else:
            consolidate_subject(
                subject_id=target_id, scope=SCOPE, settled_by=timezone.now() - SETTLED, namespaces=_willing()
            )
    except (NotFound, SubjectErased, InvalidTransition) as refusal:
        trail.note_refusal(
            Event.CONSOLIDATION_DONE,
            scope=SCOPE,
            kind="subject",
            outcome=Outcome.SKIPPED,
            reason=refusal.code,
        )


def _is_whole(target_id: UUID) -> bool:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        return Memory.objects.filter(pk=target_id, consolidated=True).exists()


def _willing() -> list[int]:
    return [number for number, rules in rules_by_namespace().items() if rules.consolidation]
