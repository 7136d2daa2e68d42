"""Opening sealed rows: the current version of memories, and versions of the past."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault
from vault.keys import key_vault
from vault.models import Agent, Memory, MemoryVersion, Namespace, Subject
from vault.retrieval.content import unpack, version_context
from vault.retrieval.disputes import Dispute, disputed, disputes_of, sides
from vault.retrieval.records import Content, OpenedMemory, OpenedVersion
from vault.retrieval.subjects import reference_of


def current_versions(memories: Iterable[Memory]) -> dict[UUID, MemoryVersion]:
    """The version that each memory says is its current one; raises IntegrityFault when one is missing."""
    wanted = {memory.pk: memory.version for memory in memories}
    rows = MemoryVersion.objects.filter(memory_id__in=wanted).only(
        "memory_id", "number", "ciphertext", "digest", "author", "reason_code", "written_at"
    )
    found = {row.memory_id: row for row in rows if row.number == wanted[row.memory_id]}
    if len(found) != len(wanted):
        raise IntegrityFault
    return found


def open_content(memory: Memory, version: MemoryVersion, *, keys: SubjectKeys) -> Content:
    """The content of a memory's current version, checked against the labels that the memory shows now."""
    context = version_context(
        memory,
        memory=memory.pk,
        version=memory.version,
        subject=memory.subject_id,
        namespace=memory.namespace_id,
    )
    return unpack(keys.open(bytes(version.ciphertext), context=context))


def open_current(memory: Memory, *, keys: SubjectKeys) -> Content:
    """The content of one memory as it stands now; raises IntegrityFault when it was altered or is missing."""
    return open_content(memory, current_versions([memory])[memory.pk], keys=keys)


def open_version(version: MemoryVersion, *, keys: SubjectKeys) -> OpenedVersion:
    """One version of the past, checked against the labels that it had; one that was destroyed says nothing."""
    if version.destroyed_at is not None and not version.ciphertext:
        return OpenedVersion(version, Content(text=""))
    context = version_context(
        version,
        memory=version.memory_id,
        version=version.number,
        subject=version.subject_id,
        namespace=version.namespace_id,
    )
    return OpenedVersion(version, unpack(keys.open(bytes(version.ciphertext), context=context)))


def open_memories(memories: Sequence[Memory], *, subject: Subject) -> tuple[OpenedMemory, ...]:
    """Open memories of one subject, in the given order, with the names that people read.

    Raises IntegrityFault when one of them was altered, moved or replayed, KeyDestroyed after an erasure.
    """
    keys = key_vault().subject(subject.pk)
    versions = current_versions(memories)
    return name_memories(
        [(memory, open_content(memory, versions[memory.pk], keys=keys)) for memory in memories],
        subject=subject,
    )


def name_memories(
    opened: Sequence[tuple[Memory, Content]], *, subject: Subject, disputes: Sequence[Dispute] | None = None
) -> tuple[OpenedMemory, ...]:
    """Put the names of subject, namespace and agent beside contents that are open already, and what contradicts them.

    `disputes` are the open conflicts of the subject where the caller has read them.
    """
    if not opened:
        return ()
    disputes = disputes_of(subject.pk) if disputes is None else disputes
    contradicted, doubted = sides(disputes), disputed(disputes)
    reference = reference_of(subject)
    memories = [memory for memory, _ in opened]
    namespaces = dict(
        Namespace.objects.filter(pk__in={m.namespace_id for m in memories}).values_list("pk", "name")
    )
    agents = dict(
        Agent.objects.filter(pk__in={m.agent_id for m in memories if m.agent_id}).values_list("pk", "name")
    )
    replaced: dict[UUID, list[UUID]] = {}
    successors = Memory.objects.filter(superseded_by__in=[m.pk for m in memories])
    for old, new in successors.values_list("pk", "superseded_by_id"):
        replaced.setdefault(new, []).append(old)
    return tuple(
        OpenedMemory(
            row=memory,
            content=content,
            subject=reference,
            namespace=namespaces[memory.namespace_id],
            agent=agents.get(memory.agent_id, "") if memory.agent_id else "",
            supersedes=tuple(replaced.get(memory.pk, ())),
            conflicts_with=contradicted.get(memory.pk, ()),
            is_disputed=memory.pk in doubted,
        )
        for memory, content in opened
    )
