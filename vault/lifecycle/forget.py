"""Forgetting one memory and taking that back: a change of status, so a version, and nothing is lost."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidTransition
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.forgotten_parts import archive_parts, forget_parts, is_stood_for, status_before
from vault.models import Memory, Subject
from vault.retrieval import trail
from vault.retrieval.opening import name_memories, open_current
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.cap import require_room
from vault.writing.change import lock_memory
from vault.writing.ground import Ground
from vault.writing.store import has_twin, write_version
from vault.writing.withdrawal import has_own_words, parents_of, withdraw_consolidated


@dataclass(frozen=True, slots=True)
class ForgottenMemory(OpenedMemory):
    """A memory that was forgotten, and the ids of what was put together from it and went with it."""

    wholes: tuple[UUID, ...] = ()


def forget_memory(*, memory_id: UUID, expected_version: int, reason: str, scope: Scope) -> ForgottenMemory:
    """Hide one memory from every search, list and context, until it is restored. `reason` is a code.

    What was consolidated from it is withdrawn, text and all: the fact must not live on in a summary. One that was
    changed since says more than its originals, and is forgotten instead. Of a consolidated memory the originals are
    forgotten with it. Raises NotFound, StaleVersion, InvalidTransition when it is forgotten already.
    """
    with _noted(Event.MEMORY_FORGOTTEN, memory_id, scope), transaction.atomic(durable=True):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        return forget_locked(memory, subject, reason=reason, scope=scope)


def forget_locked(memory: Memory, subject: Subject, *, reason: str, scope: Scope) -> ForgottenMemory:
    """Forget a memory in the caller's transaction, under its subject's lock. Raises InvalidTransition."""
    if memory.status == Status.FORGOTTEN:
        raise InvalidTransition
    ground = _ground(subject, scope)
    wholes = withdraw_consolidated(memory, ground=ground)
    done = _write_status(
        memory, subject, Status.FORGOTTEN, Event.MEMORY_FORGOTTEN, reason=reason, scope=scope
    )
    forget_parts(memory, ground=ground)
    return ForgottenMemory(**{each.name: getattr(done, each.name) for each in fields(done)}, wholes=wholes)


def restore_memory(*, memory_id: UUID, expected_version: int, reason: str, scope: Scope) -> OpenedMemory:
    """Take a forgetting back: the memory has the status again that it had before, and its originals theirs.

    An original with its own words goes back into the archive where what was put together from it stands for it, or
    comes back with it. Raises NotFound, StaleVersion, CapReached, and InvalidTransition when it is not forgotten, when
    its time has run out meanwhile, when another active memory says the same by now, when its text was destroyed, or
    when what it was put together from stands.
    """
    with _noted(Event.MEMORY_RESTORED, memory_id, scope), transaction.atomic(durable=True):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        if memory.status != Status.FORGOTTEN:
            raise InvalidTransition
        status = status_before(memory)
        if status is Status.ACTIVE and memory.expires_at is not None and memory.expires_at <= timezone.now():
            raise InvalidTransition("The memory's time has run out.")
        ground = _ground(subject, scope)
        archive_parts(memory, ground=ground, standing=status is Status.ACTIVE)
        if status is Status.ACTIVE and is_stood_for(memory, ground=ground):
            status = Status.ARCHIVED
        if status is Status.ACTIVE:
            _refuse_parts(memory, ground)
            refuse_twin(memory, bytes(memory.fingerprint))
            require_room(namespace=memory.namespace, ground=ground)
        return _write_status(memory, subject, status, Event.MEMORY_RESTORED, reason=reason, scope=scope)


def refuse_twin(memory: Memory, fingerprint: bytes) -> None:
    """Raise InvalidTransition when another active memory of subject and namespace makes this statement."""
    if has_twin(memory, fingerprint):
        raise InvalidTransition("Another active memory of the subject says the same already.")


def _refuse_parts(memory: Memory, ground: Ground) -> None:
    """A consolidated memory and what it was put together from are not both served."""
    if not memory.consolidated or has_own_words(memory, keys=ground.keys):
        return
    if len(parents_of(memory)) < len(memory.derived_from):
        raise InvalidTransition("What it was put together from stands for itself by now.")


def _ground(subject: Subject, scope: Scope) -> Ground:
    return Ground(subject, key_vault().subject(subject.pk), scope, timezone.now())


def _write_status(
    memory: Memory, subject: Subject, status: Status, event: Event, *, reason: str, scope: Scope
) -> OpenedMemory:
    keys = key_vault().subject(subject.pk)
    content = open_current(memory, keys=keys)
    memory.status = status.value
    write_version(
        memory,
        content,
        subject=subject,
        author=scope.author,
        reason_code=reason,
        now=timezone.now(),
        sealed=memory.namespace.sealed,
        keys=keys,
    )
    trail.note(
        event,
        scope=scope,
        kind="memory",
        target=memory.pk,
        subject_ref=keys.audit_reference,
        reason=reason,
        version=memory.version,
    )
    return name_memories([(memory, content)], subject=subject)[0]


def _noted(event: Event, memory_id: UUID, scope: Scope) -> AbstractContextManager[None]:
    return refusals_noted(event, scope=scope, kind="memory", target=memory_id)
