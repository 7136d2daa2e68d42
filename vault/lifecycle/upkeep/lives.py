"""Moving the end of lives that use extends, outside every read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, F, QuerySet

from vault.errors import IntegrityFault, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.desk import system_scope
from vault.models import Memory, isolation
from vault.types import Status
from vault.writing.ground import Ground
from vault.writing.lives import STEP_SHARE, renew, renewed_end
from vault.writing.locks import lock_subject

SCOPE = system_scope("retention")
A_STEP_LESS = timedelta(days=1) * (1 - STEP_SHARE)


def renew_used(*, now: datetime, limit: int) -> int:
    """Move the end of up to `limit` memories that were used since; what is over already is not brought back."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        found = list(_to_renew(now).values_list("subject_id", "pk")[:limit])
    return sum(
        _renew_of(subject_id, [pk for _, pk in group], now)
        for subject_id, group in groupby(sorted(found), key=lambda pair: pair[0])
    )


def _to_renew(now: datetime) -> QuerySet[Memory]:
    moved = ExpressionWrapper(F("last_used_at") + F("life_days") * A_STEP_LESS, output_field=DateTimeField())
    return Memory.objects.filter(
        status=Status.ACTIVE, life_extends=True, last_used_at__isnull=False, expires_at__gt=now
    ).filter(expires_at__lte=moved)


def _renew_of(subject_id: UUID, ids: Sequence[UUID], now: datetime) -> int:
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        try:
            subject = lock_subject(subject_id)
        except SubjectErased:
            return 0
        ground = Ground(subject, key_vault().subject(subject.pk), SCOPE, now)
        renewed = 0
        for row in _to_renew(now).filter(pk__in=ids).select_related("namespace"):
            end = renewed_end(row, row.last_used_at) if row.last_used_at else None
            # One that was altered keeps its end: its readers are refused, and the others must not wait for it.
            with suppress(IntegrityFault):
                if end is not None:
                    renew(row, end, ground=ground, sealed=row.namespace.sealed)
                    renewed += 1
        return renewed
