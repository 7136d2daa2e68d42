"""The registers of consolidation for staff: what was put together and stands, and who has many small memories."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.lifecycle.desk import require_staff
from vault.lifecycle.retention import not_held
from vault.lifecycle.upkeep.proposing import eligible
from vault.models import Memory, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import Status

SHOWN = 50
# Fewer are not worth a person's look.
SOME = 5


@dataclass(frozen=True, slots=True)
class Crowd:
    """A subject's memories in one namespace that might be put together: how many, not which."""

    subject_id: UUID
    namespace: str
    number: int


def standing_consolidations(*, scope: Scope) -> tuple[Memory, ...]:
    """What was put together and can be taken apart again, the latest first, without texts; an audited read."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        rows = Memory.objects.filter(consolidated=True, status=Status.ACTIVE)
        found = tuple(rows.select_related("namespace").order_by("-updated_at", "-pk")[:SHOWN])
        trail.note(Event.MEMORY_LISTED, scope=scope, kind="register", reason="consolidated", count=len(found))
    return found


def crowded_subjects(*, scope: Scope) -> tuple[Crowd, ...]:
    """Where small memories gather, the most first; subjects under a hold are left out. An audited read."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        counted = (
            not_held(eligible(timezone.now()))
            .filter(subject__restricted_at__isnull=True)
            .values("subject_id", "namespace__name")
            .annotate(number=Count("pk"))
            .filter(number__gte=SOME)
            .order_by("-number", "subject_id")
        )
        found = tuple(
            Crowd(row["subject_id"], row["namespace__name"], row["number"]) for row in counted[:SHOWN]
        )
        trail.note(Event.MEMORY_LISTED, scope=scope, kind="register", reason="crowded", count=len(found))
    return found
