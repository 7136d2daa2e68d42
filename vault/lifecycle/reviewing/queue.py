"""The queue: its pages, its numbers, and the neighbours of one write. No text is opened for any of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.lifecycle.desk import require_staff
from vault.lifecycle.reviewing.undecided import KIND
from vault.models import Agent, Namespace, QuarantinedWrite, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import QuarantineStatus

MAX_PAGE = 100


class Assigned(StrEnum):
    """Whose the writes are that are to be listed: the caller's, or nobody's at this time."""

    ME = "me"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What to list; None means any. `overdue_at` keeps what was due by that time.

    `id_part` is the end of a write's id, or all of it.
    """

    status: QuarantineStatus = QuarantineStatus.PENDING
    reason: str | None = None
    namespace: str | None = None
    agent_id: UUID | None = None
    subject_id: UUID | None = None
    detector: str | None = None
    id_part: str | None = None
    assigned: Assigned | None = None
    overdue_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A place in the queue: after the write of this due time and id."""

    due_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class Queue:
    """One page, the first due first, with how many there are in all."""

    results: tuple[QuarantinedWrite, ...]
    total: int
    next: QueuePlace | None


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Pending writes: all, overdue, the caller's and nobody's, and by reason and detector, the most frequent first.

    A write with two reasons counts under both. `agents` and `namespaces` are those that have writes in the queue.
    """

    pending: int
    overdue: int
    mine: int
    unclaimed: int
    by_reason: tuple[tuple[str, int], ...]
    by_detector: tuple[tuple[str, int], ...]
    agents: tuple[Agent, ...]
    namespaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The writes before and after one in the queue; None at its ends."""

    previous: UUID | None
    next: UUID | None


def pending_writes(
    *, scope: Scope, wanted: QueueFilter = QueueFilter(), after: QueuePlace | None = None, limit: int = 50
) -> Queue:
    """A page of the queue for staff; listing is an entry."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        rows = _filtered(wanted, scope)
        total = rows.count()
        if after is not None:
            rows = rows.filter(_later(after))
        size = min(limit, MAX_PAGE)
        found = list(
            rows.defer("ciphertext", "sealed_notes")
            .select_related("namespace")
            .order_by("due_at", "pk")[: size + 1]
        )
        trail.note(Event.QUARANTINE_LISTED, scope=scope, kind=KIND, count=min(len(found), size))
    page = tuple(found[:size])
    more = QueuePlace(page[-1].due_at, page[-1].pk) if len(found) > size else None
    return Queue(page, total, more)


def queue_counts(*, scope: Scope) -> QueueCounts:
    """Count what waits."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        pending = _filtered(QueueFilter(), scope)
        labels = list(pending.values_list("reasons", "detectors", "agent_id", "namespace_id"))
        places = Namespace.objects.filter(pk__in={place for *_, place in labels}).order_by("name")
        return QueueCounts(
            pending=len(labels),
            overdue=pending.filter(due_at__lt=timezone.now()).count(),
            mine=_filtered(QueueFilter(assigned=Assigned.ME), scope).count(),
            unclaimed=_filtered(QueueFilter(assigned=Assigned.NOBODY), scope).count(),
            by_reason=tuple(Counter(code for codes, *_ in labels for code in codes).most_common()),
            by_detector=tuple(Counter(code for _, codes, *_ in labels for code in codes).most_common()),
            agents=tuple(Agent.objects.filter(pk__in={agent for *_, agent, _ in labels}).order_by("name")),
            namespaces=tuple(places.values_list("name", flat=True)),
        )


def neighbours(*, row: QuarantinedWrite, scope: Scope, wanted: QueueFilter = QueueFilter()) -> Neighbours:
    """The writes that stand before and after one under the same filter."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        others = _filtered(wanted, scope).exclude(pk=row.pk)
        later = others.filter(_later(QueuePlace(row.due_at, row.pk))).order_by("due_at", "pk")
        earlier = others.exclude(_later(QueuePlace(row.due_at, row.pk))).order_by("-due_at", "-pk")
        return Neighbours(
            earlier.values_list("pk", flat=True).first(), later.values_list("pk", flat=True).first()
        )


def _later(place: QueuePlace) -> Q:
    return Q(due_at__gt=place.due_at) | Q(due_at=place.due_at, pk__gt=place.id)


def _filtered(wanted: QueueFilter, scope: Scope) -> QuerySet[QuarantinedWrite]:
    rows = QuarantinedWrite.objects.filter(status=wanted.status)
    if wanted.reason is not None:
        rows = rows.filter(reasons__contains=[wanted.reason])
    if wanted.detector is not None:
        rows = rows.filter(detectors__contains=[wanted.detector])
    if wanted.namespace is not None:
        rows = rows.filter(namespace__name=wanted.namespace)
    if wanted.agent_id is not None:
        rows = rows.filter(agent_id=wanted.agent_id)
    if wanted.subject_id is not None:
        rows = rows.filter(subject_id=wanted.subject_id)
    if wanted.overdue_at is not None:
        rows = rows.filter(due_at__lte=wanted.overdue_at)
    if wanted.id_part is not None:
        rows = rows.alias(id_text=Cast("pk", TextField())).filter(id_text__endswith=wanted.id_part.lower())
    if wanted.assigned is Assigned.ME:
        rows = rows.filter(assigned_to=scope.author, claimed_until__gt=timezone.now())
    if wanted.assigned is Assigned.NOBODY:
        rows = rows.filter(Q(claimed_until__isnull=True) | Q(claimed_until__lte=timezone.now()))
    return rows
