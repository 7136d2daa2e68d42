"""Checking that every sealed row of a subject is there, unaltered, and where it was sealed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from vault.crypto import SubjectKeys
from vault.errors import IntegrityFault, KeyDestroyed
from vault.keys import key_vault
from vault.models import (
    Memory,
    MemoryIndex,
    MemoryVersion,
    QuarantinedWrite,
    Session,
    SessionSummary,
    Subject,
    Turn,
    isolation,
)
from vault.retrieval.integrity import check_manifest
from vault.retrieval.opening import current_versions, open_content, open_version
from vault.retrieval.session_set import check_session
from vault.retrieval.turns import open_summary, open_turn
from vault.types import Status
from vault.writing.set_aside import open_draft

CHUNK = 500
EVERY_ROW = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Checked:
    """How many rows of one subject were opened."""

    subject: UUID
    memories: int
    versions: int
    quarantined: int
    sessions: int
    turns: int


class RowFault(IntegrityFault):
    """The first fault of a check: a stable reason, the subject's row and the row that is wrong."""

    def __init__(self, reason: str, *, subject: UUID, row: UUID | None = None) -> None:
        super().__init__(reason=reason, subject=str(subject), row=str(row or ""))
        self.reason = reason
        self.subject = subject
        self.row = row


def verify_memories() -> Iterator[Checked]:
    """Check every living subject, the oldest first; raises RowFault for the first fault."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        ids = list(Subject.objects.filter(erased_at__isnull=True).order_by("pk").values_list("pk", flat=True))
    for subject_id in ids:
        yield verify_subject(subject_id)


def verify_subject(subject_id: UUID) -> Checked:
    """Check one subject under its lock, so that no write moves the set while it is read."""
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        subject = Subject.objects.select_for_update().get(pk=subject_id)
        if subject.erased_at is not None:
            return Checked(subject_id, 0, 0, 0, 0, 0)
        try:
            keys = key_vault().subject(subject_id)
        except KeyDestroyed:
            raise RowFault("key_destroyed_but_not_erased", subject=subject_id) from None
        _verify_set(subject_id, keys)
        memories = list(Memory.objects.filter(subject=subject).order_by("pk"))
        return Checked(
            subject_id,
            _verify_current(subject, memories, keys),
            _verify_history(subject, keys),
            _verify_quarantined(subject, keys),
            _verify_sessions(subject, keys),
            _verify_turns(subject, keys),
        )


def _verify_set(subject_id: UUID, keys: SubjectKeys) -> None:
    """The manifest catches rows that vanished and old rows that were put back, however many there are."""
    try:
        check_manifest(subject_id, keys=keys, limit=EVERY_ROW)
    except IntegrityFault:
        raise RowFault("rows_are_not_those_of_the_manifest", subject=subject_id) from None


def _verify_current(subject: Subject, memories: list[Memory], keys: SubjectKeys) -> int:
    indexed = set(MemoryIndex.objects.filter(subject=subject).values_list("memory_id", flat=True))
    for start in range(0, len(memories), CHUNK):
        chunk = memories[start : start + CHUNK]
        for memory in chunk:
            if (memory.status == Status.ACTIVE) != (memory.pk in indexed):
                raise RowFault("index_out_of_step", subject=subject.pk, row=memory.pk)
        _open_chunk(subject, chunk, keys)
    return len(memories)


def _open_chunk(subject: Subject, chunk: list[Memory], keys: SubjectKeys) -> None:
    try:
        versions = current_versions(chunk)
    except IntegrityFault:
        raise RowFault("current_version_missing", subject=subject.pk) from None
    for memory in chunk:
        try:
            open_content(memory, versions[memory.pk], keys=keys)
        except IntegrityFault:
            raise RowFault("memory_does_not_open", subject=subject.pk, row=memory.pk) from None


def _verify_history(subject: Subject, keys: SubjectKeys) -> int:
    count = 0
    rows = MemoryVersion.objects.filter(subject=subject).order_by("memory_id", "number")
    for version in rows.iterator(chunk_size=CHUNK):
        try:
            open_version(version, keys=keys)
        except IntegrityFault:
            raise RowFault("version_does_not_open", subject=subject.pk, row=version.pk) from None
        count += 1
    return count


def _verify_quarantined(subject: Subject, keys: SubjectKeys) -> int:
    count = 0
    for write in QuarantinedWrite.objects.filter(subject=subject).exclude(ciphertext=b"").iterator():
        try:
            open_draft(write, keys=keys)
        except IntegrityFault:
            raise RowFault("draft_does_not_open", subject=subject.pk, row=write.pk) from None
        count += 1
    return count


def _verify_sessions(subject: Subject, keys: SubjectKeys) -> int:
    sessions = list(Session.objects.filter(subject=subject).order_by("pk").values_list("pk", flat=True))
    for session in sessions:
        try:
            check_session(session, keys=keys, limit=EVERY_ROW)
        except IntegrityFault:
            raise RowFault("turns_are_not_those_of_the_session", subject=subject.pk, row=session) from None
    return len(sessions)


def _verify_turns(subject: Subject, keys: SubjectKeys) -> int:
    count = 0
    for turn in Turn.objects.filter(subject=subject).order_by("session_id", "number").iterator(CHUNK):
        try:
            open_turn(turn, keys=keys)
        except IntegrityFault:
            raise RowFault("turn_does_not_open", subject=subject.pk, row=turn.session_id) from None
        count += 1
    for summary in SessionSummary.objects.filter(subject=subject).iterator(CHUNK):
        try:
            open_summary(summary, keys=keys)
        except IntegrityFault:
            raise RowFault("summary_does_not_open", subject=subject.pk, row=summary.pk) from None
    return count
