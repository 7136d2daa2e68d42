"""Destroying the content of what expired, after its namespace's grace period; the row and its counts stay."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from vault.keys import key_vault
from vault.lifecycle.desk import system_scope
from vault.lifecycle.retention import lock_unheld, not_held
from vault.lifecycle.upkeep.rules import rules_by_namespace
from vault.models import Memory, isolation
from vault.types import Status
from vault.writing.destroy import destroy_content
from vault.writing.ground import Ground
from vault.writing.withdrawal import WITHDRAWN, ask_again, ended_as, is_withdrawn, withdraw_consolidated

SCOPE = system_scope("retention")
REASON = "grace_over"


def destroy_due(*, now: datetime, limit: int) -> int:
    """Destroy the content of up to `limit` memories whose grace is over; held subjects are left alone.

    Of those too that were superseded, forgotten or archived before their end came.
    """
    with transaction.atomic(durable=True):
        isolation.open_everything()
        found = list(_due(now).values_list("subject_id", "pk")[:limit])
    return sum(
        _destroy_of(subject_id, [pk for _, pk in group], now)
        for subject_id, group in groupby(sorted(found), key=lambda pair: pair[0])
    )


def _due(now: datetime) -> QuerySet[Memory]:
    over = Q(pk__in=[])
    for namespace, rules in rules_by_namespace().items():
        cutoff = now - timedelta(days=rules.grace_days)
        # When it was written as expired counts too: a hold, or a job that stood still, must not eat the grace.
        over |= Q(namespace_id=namespace, expires_at__lte=cutoff, updated_at__lte=cutoff)
    # A text that could not be destroyed when it was withdrawn, because of a hold that has gone since.
    withdrawn = Q(ended_as([WITHDRAWN]), consolidated=True, status=Status.FORGOTTEN)
    rows = Memory.objects.filter(over | withdrawn, destroyed_at__isnull=True).exclude(status=Status.ACTIVE)
    due: QuerySet[Memory] = not_held(rows)
    return due


def _destroy_of(subject_id: UUID, ids: Sequence[UUID], now: datetime) -> int:
    with transaction.atomic(durable=True):
        subject = lock_unheld(subject_id)
        if subject is None:
            return 0
        ground = Ground(subject, key_vault().subject(subject.pk), SCOPE, now)
        rows = _due(now).filter(pk__in=ids).select_related("namespace")
        for row in list(rows):
            withdrawn = is_withdrawn(row)
            withdraw_consolidated(row, ground=ground)
            destroy_content(row, reason=WITHDRAWN if withdrawn else REASON, ground=ground)
            ask_again([row.pk] if withdrawn else [], now=now)
        return len(ids)
