"""Raising or lowering the trust of one memory: a judgement of staff, with a reason."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import Memory
from vault.retrieval import trail
from vault.retrieval.opening import name_memories, open_current
from vault.retrieval.read import is_expired
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Scope
from vault.types import Status, Trust
from vault.writing.change import lock_memory
from vault.writing.store import write_version


def promote_trust(
    *, memory_id: UUID, trust: Trust, expected_version: int, reason: str, scope: Scope
) -> OpenedMemory:
    """Write a version of an active memory with another trust; nothing else of it changes. `reason` is a code.

    Nobody but staff may, and nothing raises trust by itself. Raises NotFound, ScopeMissing, StaleVersion, and
    InvalidTransition when the memory has that trust already, is not active, or its time is up.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.MEMORY_PROMOTED, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        _refuse_unless_served(memory)
        before = Trust(memory.trust)
        if before is trust:
            raise InvalidTransition("The memory has this trust already.")
        keys = key_vault().subject(subject.pk)
        content = open_current(memory, keys=keys)
        memory.trust = trust.value
        write_version(
            memory, content, subject=subject, author=scope.author, reason_code=reason, now=timezone.now(),
            sealed=memory.namespace.sealed, keys=keys,
        )  # fmt: skip
        trail.note(
            Event.MEMORY_PROMOTED, scope=scope, kind="memory", target=memory.pk, subject_ref=keys.audit_reference,
            reason=reason, version=memory.version, from_trust=before.value, to_trust=trust.value,
        )  # fmt: skip
        return name_memories([(memory, content)], subject=subject)[0]


def _refuse_unless_served(memory: Memory) -> None:
    if memory.status != Status.ACTIVE or is_expired(memory, timezone.now()):
        raise InvalidTransition("Only a memory that is served can be given another trust.")
