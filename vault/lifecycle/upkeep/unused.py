"""The register of what nobody uses: long not served, or found useless by those who were served it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.lifecycle.desk import require_staff
from vault.lifecycle.upkeep.rules import rules_by_namespace
from vault.models import Memory, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.value import value_of

PAGE = 50
# So many said that it was of no use, and more than said that it was.
USELESS_FROM = 3


@dataclass(frozen=True, slots=True)
class Unused:
    """One row of the register: no text, which staff read on the memory's own page."""

    memory: Memory
    value: float
    untouched_days: int


@dataclass(frozen=True, slots=True)
class UnusedPage:
    rows: tuple[Unused, ...]
    total: int


def unused_memories(*, scope: Scope, page: int = 1) -> UnusedPage:
    """A page of the active, unpinned memories to look through, the longest untouched first; an audited read."""
    require_staff(scope)
    now = timezone.now()
    first = (max(1, page) - 1) * PAGE
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        rows = Memory.objects.filter(_to_review(now), status=Status.ACTIVE, pinned=False)
        total = rows.count()
        ordered = rows.annotate(touched=Coalesce("last_used_at", "created_at")).order_by("touched", "pk")
        found = list(ordered.select_related("namespace")[first : first + PAGE])
        trail.note(Event.MEMORY_LISTED, scope=scope, kind="register", reason="unused", count=len(found))
    return UnusedPage(tuple(_row(memory, now) for memory in found), total)


def _to_review(now: datetime) -> Q:
    wanted = Q(useless_count__gte=USELESS_FROM, useless_count__gt=F("useful_count"))
    for namespace, rules in rules_by_namespace().items():
        cutoff = now - timedelta(days=rules.unused_days)
        never = Q(last_used_at__isnull=True, created_at__lte=cutoff)
        wanted |= Q(namespace_id=namespace) & (never | Q(last_used_at__lte=cutoff))
    return wanted


def _row(memory: Memory, now: datetime) -> Unused:
    touched = memory.last_used_at or memory.created_at
    return Unused(memory, value_of(memory, now), max(0, (now - touched).days))
