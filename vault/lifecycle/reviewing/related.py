"""What stands around one write: what else waits of its agent and its subject, and how its like was decided."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet

from vault.lifecycle.desk import require_staff
from vault.models import QuarantinedWrite, isolation
from vault.retrieval.scope import Scope
from vault.types import QuarantineStatus

SHOWN = 5
DECIDED = (QuarantineStatus.RELEASED, QuarantineStatus.REJECTED)


@dataclass(frozen=True, slots=True)
class Group:
    """The first rows of a list, and how many it has. No text is opened."""

    rows: tuple[QuarantinedWrite, ...]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


@dataclass(frozen=True, slots=True)
class Related:
    """`earlier` are decisions on writes of the same agent with a reason or a detector in common, the latest first."""

    of_agent: Group
    of_subject: Group
    earlier: Group


def related_writes(*, row: QuarantinedWrite, scope: Scope) -> Related:
    """The surroundings of a write, by its labels alone."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        others = QuarantinedWrite.objects.exclude(pk=row.pk).defer("ciphertext", "sealed_notes")
        waiting = others.filter(status=QuarantineStatus.PENDING).order_by("due_at", "pk")
        alike = Q(reasons__overlap=row.reasons) | Q(detectors__overlap=row.detectors)
        decided = others.filter(alike, status__in=DECIDED).order_by("-decided_at", "-pk")
        return Related(
            of_agent=_group(_of_same_writer(waiting, row)) if row.agent_id else Group((), 0),
            of_subject=_group(waiting.filter(subject_id=row.subject_id)),
            earlier=_group(_of_same_writer(decided, row)),
        )


def _of_same_writer(rows: QuerySet[QuarantinedWrite], row: QuarantinedWrite) -> QuerySet[QuarantinedWrite]:
    """Of the same agent; what no agent wrote is like what no agent wrote from the same kind of source."""
    if row.agent_id is not None:
        return rows.filter(agent_id=row.agent_id)
    return rows.filter(agent_id__isnull=True, source_type=row.source_type)


def _group(rows: QuerySet[QuarantinedWrite]) -> Group:
    return Group(tuple(rows[:SHOWN]), rows.count())
