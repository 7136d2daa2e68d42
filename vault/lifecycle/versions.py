"""A memory's history, and going back in it: that writes a new version, and takes none away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.crypto import SubjectKeys
from vault.errors import InvalidTransition, NotFound
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.diff import Piece, word_diff
from vault.lifecycle.forget import refuse_twin
from vault.models import Memory, MemoryVersion
from vault.retrieval import trail
from vault.retrieval.opening import name_memories, open_version
from vault.retrieval.read import find_memory, is_hidden
from vault.retrieval.records import OpenedMemory, OpenedVersion
from vault.retrieval.scope import Right, Scope
from vault.types import Status, Trust
from vault.writing.change import lock_memory
from vault.writing.contested import review_conflicts
from vault.writing.fingerprint import same_statement_form
from vault.writing.ground import Ground
from vault.writing.store import write_version
from vault.writing.trust import require_trust
from vault.writing.withdrawal import withdraw_consolidated

# Labels that belong to the statement and go back with it; status and creation belong to the memory.
RESTORED_LABELS = ("kind", "source_type", "agent_id", "importance", "volatile", "occurred_at", "expires_at")
COMPARED_LABELS = (*RESTORED_LABELS, "trust", "status")
COMPARED_CONTENT = ("attribute", "source_ref", "metadata")


@dataclass(frozen=True, slots=True)
class VersionView:
    """One version and what it changed: the text word by word, and (old, new) of each label that moved.

    Of the first version, all text is added and no label is listed.
    """

    opened: OpenedVersion
    changes: tuple[Piece, ...]
    labels: Mapping[str, tuple[Any, Any]]


def list_versions(*, memory_id: UUID, scope: Scope) -> tuple[VersionView, ...]:
    """The whole history of a memory, the oldest first; an audited read. Raises NotFound, IntegrityFault.

    For everybody but staff what is forgotten or expired has no history either; a version that was destroyed has
    its date and author, and no text.
    """
    with (
        refusals_noted(Event.VERSIONS_READ, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        relax_commit()
        memory, subject = find_memory(memory_id=memory_id, scope=scope, right=Right.MEMORY_READ)
        if not scope.everything and is_hidden(memory, timezone.now()):
            raise NotFound
        keys = key_vault().subject(subject.pk)
        rows = MemoryVersion.objects.filter(memory=memory).order_by("number")
        opened = [open_version(row, keys=keys) for row in rows]
        trail.note(
            Event.VERSIONS_READ,
            scope=scope,
            kind="memory",
            target=memory.pk,
            subject_ref=keys.audit_reference,
            count=len(opened),
        )
    return tuple(
        compare(before, version) for before, version in zip([None, *opened[:-1]], opened, strict=True)
    )


def compare(before: OpenedVersion | None, version: OpenedVersion) -> VersionView:
    """A version beside the one before it. Pure."""
    if before is None:
        return VersionView(version, word_diff("", version.content.text), {})
    labels = {
        name: (old, new)
        for name, old, new in (
            *((name, getattr(before.row, name), getattr(version.row, name)) for name in COMPARED_LABELS),
            *(
                (name, getattr(before.content, name), getattr(version.content, name))
                for name in COMPARED_CONTENT
            ),
        )
        if old != new
    }
    return VersionView(version, word_diff(before.content.text, version.content.text), labels)


def roll_back(
    *, memory_id: UUID, version: int, expected_version: int, reason: str, scope: Scope
) -> OpenedMemory:
    """Write a new version with the content and labels of an old one; its vector and keywords come back too.

    The trust is that of the old version, and never more than the caller may give. `reason` is a code. Raises
    NotFound for an absent memory or version, StaleVersion, TrustTooLow, and InvalidTransition when the memory
    is not active or another active one makes the old statement.
    """
    with (
        refusals_noted(Event.MEMORY_ROLLED_BACK, scope=scope, kind="memory", target=memory_id),
        transaction.atomic(durable=True),
    ):
        memory, subject = lock_memory(memory_id, expected_version=expected_version, scope=scope)
        if memory.status != Status.ACTIVE:
            raise InvalidTransition
        keys = key_vault().subject(subject.pk)
        _require_trust(memory, scope)
        old = _version(memory, version, keys=keys)
        refuse_twin(memory, keys.fingerprint(same_statement_form(old.content.text)))
        ground = Ground(subject, keys, scope, timezone.now())
        withdraw_consolidated(memory, ground=ground)
        for label in RESTORED_LABELS:
            setattr(memory, label, getattr(old.row, label))
        memory.trust = _trust(memory, old.row, scope).value
        write_version(
            memory,
            old.content,
            subject=subject,
            author=scope.author,
            reason_code=reason,
            now=timezone.now(),
            sealed=memory.namespace.sealed,
            keys=keys,
        )
        review_conflicts(memory, old.content, ground=ground)
        trail.note(
            Event.MEMORY_ROLLED_BACK,
            scope=scope,
            kind="memory",
            target=memory.pk,
            subject_ref=keys.audit_reference,
            reason=reason,
            version=memory.version,
            to_version=version,
        )
        return name_memories([(memory, old.content)], subject=subject)[0]


def _version(memory: Memory, number: int, *, keys: SubjectKeys) -> OpenedVersion:
    row = MemoryVersion.objects.filter(memory=memory, number=number).first()
    if row is None or number == memory.version:
        raise NotFound("There is no such earlier version.")
    if row.destroyed_at is not None:
        raise InvalidTransition("The content of that version was destroyed.")
    return open_version(row, keys=keys)


def _trust(memory: Memory, old: MemoryVersion, scope: Scope) -> Trust:
    """The old version's trust under the ceiling of the caller's grant; staff may give any."""
    return Trust.lowest(Trust(old.trust), _ceiling(memory, scope))


def _require_trust(memory: Memory, scope: Scope) -> None:
    """Going back replaces what stands, and so asks for as much trust as that has."""
    require_trust(Trust(memory.trust), ceiling=_ceiling(memory, scope))


def _ceiling(memory: Memory, scope: Scope) -> Trust:
    if scope.everything:
        return Trust.VERIFIED
    return next(n.max_trust for n in scope.namespaces if n.id == memory.namespace_id)
