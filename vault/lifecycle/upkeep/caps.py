"""What a cap has archived, bringing that back, and the pin that keeps a memory out of its reach."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import InvalidTransition
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.forget import refuse_twin
from vault.models import Memory, MemoryVersion, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.cap import EVICTED, require_room
from vault.writing.change import lock_memory
from vault.writing.ground import Ground, move_status

SHOWN = 100


def pin_memory(*, memory_id: UUID, expected_version: int, pinned: bool, scope: Scope) -> Memory:
    """Keep a memory from caps and consolidation, or give it free again. Staff only.

    Raises NotFound, StaleVersion, and InvalidTransition when it is so already or is not active.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.MEMORY_PINNED, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        if memory.pinned == pinned or (pinned and memory.status != Status.ACTIVE):
            raise InvalidTransition
        memory.pinned = pinned
        memory.save(update_fields=["pinned"])
        trail.note(
            Event.MEMORY_PINNED, scope=scope, kind="memory", target=memory.pk,
            subject_ref=key_vault().subject(subject.pk).audit_reference,
            reason="pinned" if pinned else "unpinned",
        )  # fmt: skip
    return memory


def evicted_memories(*, scope: Scope) -> tuple[Memory, ...]:
    """What caps have archived and nobody brought back, the latest first, without texts; an audited read."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        found = tuple(_evicted().select_related("namespace").order_by("-updated_at", "-pk")[:SHOWN])
        trail.note(Event.MEMORY_LISTED, scope=scope, kind="register", reason=EVICTED, count=len(found))
    return found


def bring_back_evicted(*, memory_id: UUID, expected_version: int, reason: str, scope: Scope) -> Memory:
    """Make a memory active again that a cap had archived. Staff only; nothing else gives way to it.

    Raises NotFound, StaleVersion, CapReached, and InvalidTransition when no cap archived it, its time is over or
    another active memory says the same.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.MEMORY_RESTORED, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        now = timezone.now()
        over = memory.expires_at is not None and memory.expires_at <= now
        if over or not _evicted().filter(pk=memory.pk).exists():
            raise InvalidTransition
        refuse_twin(memory, bytes(memory.fingerprint))
        ground = Ground(subject, key_vault().subject(subject.pk), scope, now)
        require_room(namespace=memory.namespace, ground=ground)
        move_status(
            [memory], Status.ACTIVE, event=Event.MEMORY_RESTORED, reason=reason, ground=ground,
            sealed=memory.namespace.sealed,
        )  # fmt: skip
    return memory


def _evicted() -> QuerySet[Memory]:
    current = MemoryVersion.objects.filter(
        memory=OuterRef("pk"), number=OuterRef("version"), reason_code=EVICTED
    )
    return Memory.objects.filter(Exists(current), status=Status.ARCHIVED, destroyed_at__isnull=True)
