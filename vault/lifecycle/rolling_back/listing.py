"""Rollbacks for staff: what was asked for, and how far each is. No text is opened for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from vault.errors import NotFound
from vault.lifecycle.desk import require_staff
from vault.models import (
    Approval,
    BulkRollback,
    BulkRollbackItem,
    ItemStatus,
    Job,
    JobKind,
    RollbackKind,
    isolation,
)
from vault.retrieval.scope import Scope

MAX_LISTED = 100
ITEM_PAGE = 50


@dataclass(frozen=True, slots=True)
class RollbackState:
    """One rollback with one page of its list. `job` is None until a second person has approved it.

    `done` counts what was dealt with, those rows included that went with an erasure meanwhile.
    """

    row: BulkRollback
    approval: Approval | None
    job: Job | None
    items: tuple[BulkRollbackItem, ...]
    by_kind: dict[str, int]
    by_status: dict[str, int]
    done: int
    next_page: int | None


def list_rollbacks(*, scope: Scope) -> tuple[BulkRollback, ...]:
    """The newest rollbacks, the last asked for first."""
    require_staff(scope)
    rows = BulkRollback.objects.select_related("namespace").order_by("-requested_at", "-pk")
    return tuple(rows[:MAX_LISTED])


def get_rollback(*, rollback_id: UUID, scope: Scope, page: int = 1) -> RollbackState:
    """One rollback as it stands. Raises NotFound."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        row = BulkRollback.objects.select_related("namespace").filter(pk=rollback_id).first()
        if row is None:
            raise NotFound
        kinds, statuses = Counter[str](), Counter[str]()
        for kind, status in row.items.values_list("kind", "status"):
            kinds[kind] += 1
            statuses[status] += 1
        first = (max(1, page) - 1) * ITEM_PAGE
        items = row.items.select_related("namespace").order_by("position")[first : first + ITEM_PAGE]
        return RollbackState(
            row=row,
            approval=Approval.objects.filter(pk=row.approval_id).first() if row.approval_id else None,
            job=Job.objects.filter(kind=JobKind.ROLLBACK, target_id=row.pk).order_by("-created_at").first(),
            items=tuple(items),
            by_kind={kind.value: kinds[kind] for kind in RollbackKind if kinds[kind]},
            by_status={status.value: statuses[status] for status in ItemStatus if statuses[status]},
            done=row.total - statuses[ItemStatus.PENDING],
            next_page=page + 1 if first + ITEM_PAGE < sum(kinds.values()) else None,
        )
