"""Keeping a subject within its namespace's cap: what has the least value is archived, with notice."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q, QuerySet

from audit.actions import Action as Event
from vault.errors import CapReached
from vault.models import LegalHold, Memory, Namespace
from vault.types import Status
from vault.writing.ground import Ground, move_status
from vault.writing.upkeep_policy import upkeep_of
from vault.writing.value import least_valuable

EVICTED = "evicted"
# What the value is reckoned from; a subject at its cap may hold thousands.
WEIGHED = (
    "importance",
    "use_count",
    "seen_count",
    "created_at",
    "last_used_at",
    "trust",
    "useful_count",
    "useless_count",
    "pinned",
)


def make_room(
    *, namespace: Namespace, ground: Ground, coming: int = 1, leaving: Collection[UUID] = ()
) -> tuple[UUID, ...]:
    """Archive as many of the subject's memories as it takes for `coming` more to fit; returns their ids.

    `leaving` are about to give way themselves. Raises CapReached when too many are pinned, or a hold stands on
    the subject: then nothing was archived.
    """
    cap = upkeep_of(namespace.policy).cap
    if cap is None:
        return ()
    standing = served(ground, namespace.pk).exclude(pk__in=leaving)
    excess = standing.count() + coming - cap
    if excess <= 0:
        return ()
    if LegalHold.objects.filter(subject=ground.subject, released_at__isnull=True).exists():
        raise CapReached
    chosen = least_valuable(list(standing.only(*WEIGHED)), excess=excess, now=ground.now)
    if len(chosen) < excess:
        raise CapReached
    ids = tuple(memory.pk for memory in chosen)
    rows = list(Memory.objects.filter(pk__in=ids))
    move_status(
        rows, Status.ARCHIVED, event=Event.MEMORY_EVICTED, reason=EVICTED, ground=ground,
        sealed=namespace.sealed, cap=cap,
    )  # fmt: skip
    return ids


def require_room(*, namespace: Namespace, ground: Ground, coming: int = 1) -> None:
    """Raise CapReached unless `coming` more fit without anything giving way."""
    cap = upkeep_of(namespace.policy).cap
    if cap is not None and served(ground, namespace.pk).count() + coming > cap:
        raise CapReached


def served(ground: Ground, namespace_id: int) -> QuerySet[Memory]:
    """The memories that a cap counts: active, and not past their time."""
    alive = Q(expires_at__isnull=True) | Q(expires_at__gt=ground.now)
    return Memory.objects.filter(
        alive, subject=ground.subject, namespace_id=namespace_id, status=Status.ACTIVE
    )
