"""What was believed at a moment of the past: versions and labels as they stood then.

The indexes know the present alone. A memory that was written to since is opened in the version of that moment: one
that was superseded later counts, one that already was does not. What was forgotten or has expired by now stays out
whenever it is asked for, and what was erased or destroyed is nowhere.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Count, Q

from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault
from vault.models import Memory, MemoryVersion
from vault.models.memory import Labels
from vault.retrieval.candidates import Filter
from vault.retrieval.opening import current_versions, open_content, open_version
from vault.retrieval.records import Content
from vault.types import Status

# The first version counts from the memory's own date, so that an imported memory was believed when it says so.
CHANGED = """
    SELECT m.id FROM vault_memory m
    JOIN vault_memoryversion v ON v.memory_id = m.id AND v.number = m.version
    WHERE m.subject_id = %(subject)s AND m.namespace_id = ANY(%(namespaces)s) AND m.version > 1
      AND m.created_at <= %(as_of)s AND v.written_at > %(as_of)s
    ORDER BY m.id
"""
LABELS = tuple(label.attname for label in Labels._meta.fields)


@dataclass(frozen=True, slots=True)
class Believed:
    """A memory with the labels and the content of a past version."""

    row: Memory
    content: Content


def changed_since(allowed: Filter) -> tuple[UUID, ...]:
    """The memories that were written to after the moment that is asked about; none when that is now."""
    if allowed.as_of >= allowed.now:
        return ()
    with connection.cursor() as cursor:
        cursor.execute(CHANGED, allowed.parameters())
        return tuple(memory for (memory,) in cursor.fetchall())


def believed_then(allowed: Filter, *, keys: SubjectKeys) -> list[Believed]:
    """Those of `allowed.changed` that were served at `allowed.as_of`, opened as they were.

    Needs the subject's rows open to the transaction. Raises IntegrityFault when a version was altered or is missing.
    """
    if not allowed.changed:
        return []
    memories = Memory.objects.in_bulk(allowed.changed)
    versions = _versions(memories.values(), allowed.as_of)
    served = [v for v in versions if v.ciphertext and _is_served(memories[v.memory_id], v, allowed)]
    _check_present([memories[version.memory_id] for version in served], keys)
    found = []
    for version in served:
        memory = memories[version.memory_id]
        content = open_version(version, keys=keys).content
        if allowed.slot in (None, keys.slot_hash(content.attribute) if content.attribute else b""):
            found.append(Believed(_as_it_was(memory, version), content))
    return found


def _versions(memories: Iterable[Memory], as_of: datetime) -> list[MemoryVersion]:
    """The version of each memory that was its current one; a gap in a history is a fault, not an older truth."""
    wanted = {memory.pk: memory.version for memory in memories}
    rows = MemoryVersion.objects.filter(memory_id__in=wanted)
    counts = dict(rows.values_list("memory_id").annotate(Count("id")))
    if any(counts.get(memory, 0) < number for memory, number in wanted.items()):
        raise IntegrityFault
    then = rows.filter(Q(number=1) | Q(written_at__lte=as_of))
    return list(then.order_by("memory_id", "-number").distinct("memory_id"))


def _check_present(memories: Sequence[Memory], keys: SubjectKeys) -> None:
    """The labels of now decide what stays out, so they must be those that were sealed."""
    versions = current_versions(memories)
    for memory in memories:
        open_content(memory, versions[memory.pk], keys=keys)


def _is_served(memory: Memory, version: MemoryVersion, allowed: Filter) -> bool:
    """Whether a memory may be served as this version. Pure."""
    trusts = allowed.trusts()
    return (
        memory.status not in (Status.FORGOTTEN, Status.EXPIRED)
        and not _is_over(memory.expires_at, allowed.now)
        and version.status == Status.ACTIVE
        and not _is_over(version.expires_at, allowed.as_of)
        and (allowed.kinds is None or version.kind in allowed.kinds)
        and (trusts is None or version.trust in trusts)
        and allowed.created.holds(version.created_at)
        and allowed.occurred.holds(version.occurred_at)
    )


def _is_over(end: datetime | None, moment: datetime) -> bool:
    return end is not None and end <= moment


def _as_it_was(memory: Memory, version: MemoryVersion) -> Memory:
    row = copy.copy(memory)
    for label in LABELS:
        setattr(row, label, getattr(version, label))
    row.version, row.updated_at, row.superseded_by_id = version.number, version.written_at, None
    return row
