"""Finding what was written: versions and waiting writes that meet the criteria, and the histories they are of.

Every function needs a transaction with all rows open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Q

from audit.actions import Action as Event
from audit.models import AuditEntry
from vault.errors import IntegrityFault, KeyDestroyed
from vault.keys import key_vault
from vault.lifecycle.rolling_back.criteria import Criteria
from vault.lifecycle.rolling_back.plan import History, Step
from vault.models import (
    BulkRollbackItem,
    ItemStatus,
    Memory,
    MemoryVersion,
    QuarantinedWrite,
    RollbackKind,
    SubjectToken,
)
from vault.retrieval.opening import open_version
from vault.types import QuarantineStatus, Status
from vault.writing.set_aside import open_draft

RELEASED = "released"
SUBJECT_TOKEN = "subject_token"  # noqa: S105 - a kind of author
Numbers = dict[UUID, set[int]]


def matching_versions(criteria: Criteria) -> tuple[Numbers, int]:
    """The versions to be undone, by memory, and how many could not be opened to compare their source."""
    found: Numbers = defaultdict(set)
    for memory_id, number in _written(criteria):
        found[memory_id].add(number)
    for memory_id, number in _released(criteria):
        found[memory_id].add(number)
    return _of_reference(found, criteria) if criteria.source_ref else (found, 0)


def waiting_writes(criteria: Criteria) -> tuple[list[QuarantinedWrite], int]:
    """Writes that still wait for review, and how many could not be opened to compare."""
    rows = _of_window(
        QuarantinedWrite.objects.filter(status=QuarantineStatus.PENDING), criteria, "created_at"
    )
    rows = _of_writer(rows, criteria)
    if not (criteria.source_ref or criteria.session_id):
        return list(rows.defer("ciphertext")), 0
    found, unreadable = [], 0
    for row in rows:
        try:
            draft, _ = open_draft(row, keys=key_vault().subject(row.subject_id))
        except (IntegrityFault, KeyDestroyed):
            unreadable += 1
            continue
        same_session = criteria.session_id in (None, draft.session)
        if same_session and criteria.source_ref in ("", draft.source.ref):
            found.append(row)
    return found, unreadable


def load_histories(ids: Collection[UUID], matches: Numbers) -> list[History]:
    """The histories of memories, with what is to be undone and what earlier rollbacks dealt with."""
    # Of a memory whose content policy destroyed, nothing is left to undo.
    memories = {memory.pk: memory for memory in Memory.objects.filter(pk__in=ids, destroyed_at=None)}
    settled = _settled(memories)
    steps: dict[UUID, list[Step]] = defaultdict(list)
    rows = MemoryVersion.objects.filter(memory_id__in=memories).order_by("memory_id", "number")
    for memory_id, number, status, at in rows.values_list("memory_id", "number", "status", "written_at"):
        steps[memory_id].append(
            Step(
                number=number,
                status=Status(status),
                written_at=at,
                matches=number in matches.get(memory_id, ()),
                settled=number in settled.get(memory_id, ()),
            )
        )
    return [_history(memory, steps[memory.pk]) for memory in memories.values() if steps[memory.pk]]


def _history(memory: Memory, steps: list[Step]) -> History:
    return History(
        memory_id=memory.pk,
        subject_id=memory.subject_id,
        namespace_id=memory.namespace_id,
        status=Status(memory.status),
        steps=tuple(steps),
        superseded_by=memory.superseded_by_id,
        derived_from=tuple(memory.derived_from),
    )


def _of_window(rows: Any, criteria: Criteria, column: str) -> Any:
    window = {f"{column}__gte": criteria.since, f"{column}__lt": criteria.until}
    rows = rows.filter(**window)
    return rows if criteria.namespace_id is None else rows.filter(namespace_id=criteria.namespace_id)


def _of_writer(rows: Any, criteria: Criteria) -> Any:
    if criteria.agent_id is not None:
        rows = rows.filter(agent_id=criteria.agent_id)
    return rows if criteria.source_type is None else rows.filter(source_type=criteria.source_type.value)


def _written(criteria: Criteria) -> Iterator[tuple[UUID, int]]:
    rows = _of_window(MemoryVersion.objects.all(), criteria, "written_at")
    if criteria.source_type is not None:
        rows = rows.filter(source_type=criteria.source_type.value)
    if criteria.session_id is not None:
        rows = rows.filter(memory__session_id=criteria.session_id)
    created = Q(number=1)
    if criteria.agent_id is not None:
        created &= Q(agent_id=criteria.agent_id)
    if criteria.agent_id is not None and criteria.by_agent:
        created |= Q(author__in=_authors(rows, criteria.agent_id))
    yield from rows.filter(created).values_list("memory_id", "number")


def _authors(rows: Any, agent_id: UUID) -> list[str]:
    """The agent, and the subject tokens it issued; the log still knows of those that were deleted."""
    names = rows.filter(author__startswith=f"{SUBJECT_TOKEN}:").values_list("author", flat=True).distinct()
    tokens = {name.partition(":")[2] for name in names.order_by("author")}
    living = SubjectToken.objects.filter(pk__in=tokens, agent_id=agent_id).values_list("pk", flat=True)
    issued = AuditEntry.objects.filter(
        action=Event.SUBJECT_TOKEN_ISSUED, actor_kind="agent", actor_id=str(agent_id), target_id__in=tokens
    )
    own = {*map(str, living), *issued.values_list("target_id", flat=True)}
    return [f"agent:{agent_id}", *(f"{SUBJECT_TOKEN}:{token}" for token in sorted(own))]


def _released(criteria: Criteria) -> Iterator[tuple[UUID, int]]:
    """Versions that a reviewer wrote by letting a write through that was handed in, or let through, then."""
    rows = _of_writer(QuarantinedWrite.objects.filter(status=QuarantineStatus.RELEASED), criteria)
    handed_in = Q(created_at__gte=criteria.since, created_at__lt=criteria.until)
    let_through = Q(decided_at__gte=criteria.since, decided_at__lt=criteria.until)
    rows = rows.filter(handed_in | let_through).exclude(released_as=None)
    if criteria.namespace_id is not None:
        rows = rows.filter(namespace_id=criteria.namespace_id)
    for write in rows.defer("ciphertext"):
        if (memory_id := write.released_as) is not None:
            yield from ((memory_id, number) for number in _released_version(write, memory_id, criteria))


def _released_version(write: QuarantinedWrite, memory_id: UUID, criteria: Criteria) -> list[int]:
    versions = MemoryVersion.objects.filter(memory_id=memory_id, author=write.decided_by)
    if criteria.session_id is not None:
        versions = versions.filter(memory__session_id=criteria.session_id)
    if write.memory_id is None:
        # A draft that was merged into a known memory wrote no version: the first is older than it.
        versions = versions.filter(number=1, written_at__gte=write.created_at)
    elif criteria.session_id is None:
        versions = versions.filter(reason_code=RELEASED, written_at__lte=write.decided_at)
    else:
        return []
    return list(versions.order_by("-number").values_list("number", flat=True)[:1])


def _of_reference(found: Numbers, criteria: Criteria) -> tuple[Numbers, int]:
    same: Numbers = defaultdict(set)
    unreadable = 0
    rows = MemoryVersion.objects.filter(memory_id__in=found).order_by("subject_id")
    for row in _only(rows.iterator(chunk_size=500), found):
        try:
            opened = open_version(row, keys=key_vault().subject(row.subject_id))
        except (IntegrityFault, KeyDestroyed):
            unreadable += 1
            continue
        if opened.content.source_ref == criteria.source_ref:
            same[row.memory_id].add(row.number)
    return same, unreadable


def _only(rows: Iterable[MemoryVersion], found: Numbers) -> Iterator[MemoryVersion]:
    return (row for row in rows if row.number in found[row.memory_id])


def _settled(ids: Collection[UUID]) -> Numbers:
    """Versions that an earlier rollback undid, wrote, or put before a person."""
    found: Numbers = defaultdict(set)
    items = BulkRollbackItem.objects.filter(
        memory_id__in=ids, status__in=[ItemStatus.DONE, ItemStatus.CONFLICT]
    )
    for item in items:
        last = item.result_version or item.seen_version
        first = last if item.kind == RollbackKind.REVIVE else item.to_version + 1
        found[item.memory_id].update(range(first, last + 1))  # type: ignore[index]
    return found
