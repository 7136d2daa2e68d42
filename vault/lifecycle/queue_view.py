"""The queue in numbers, and one write's row without its text: shown before anything is opened."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from vault.errors import NotFound
from vault.lifecycle.desk import require_staff
from vault.models import Agent, QuarantinedWrite, isolation
from vault.retrieval.scope import Scope
from vault.types import QuarantineStatus


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Pending writes: all, those past their due time, and by reason, the most frequent first.

    A write with two reasons counts under both. `agents` names the agents that have writes in the queue.
    """

    pending: int
    overdue: int
    by_reason: tuple[tuple[str, int], ...]
    agents: tuple[Agent, ...]


def queue_counts(*, scope: Scope) -> QueueCounts:
    """Count what waits; opens no text."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        pending = QuarantinedWrite.objects.filter(status=QuarantineStatus.PENDING)
        reasons = Counter(code for codes in pending.values_list("reasons", flat=True) for code in codes)
        writers = {agent for agent in pending.values_list("agent_id", flat=True) if agent}
        return QueueCounts(
            pending=pending.count(),
            overdue=pending.filter(due_at__lt=timezone.now()).count(),
            by_reason=tuple(reasons.most_common()),
            agents=tuple(Agent.objects.filter(pk__in=writers).order_by("name")),
        )


def write_row(*, write_id: UUID, scope: Scope) -> QuarantinedWrite:
    """One write's state, labels and decision, without its text. Raises NotFound."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = QuarantinedWrite.objects.select_related("namespace").defer("ciphertext")
        row = rows.filter(pk=write_id).first()
    if row is None:
        raise NotFound
    return row
