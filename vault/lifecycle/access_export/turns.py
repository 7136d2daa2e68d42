"""The turns of a file in the making: each commits by itself, under the subject's lock, with what it has stored.

An erasure that comes in between takes the parts with it, and the next turn finds the subject erased. A worker that
was lost is followed by one that begins anew; should the lost one still write, its turn finds the attempt over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.models import AuditEntry
from vault.errors import IntegrityFault, InvalidTransition, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.access_export.approval import KIND, move
from vault.lifecycle.access_export.archive import Parts
from vault.lifecycle.access_export.collecting import Look, Names
from vault.lifecycle.access_export.download import part_context
from vault.lifecycle.access_export.expiry import drop_parts
from vault.lifecycle.desk import system_scope
from vault.models import (
    AccessExport,
    AccessExportPart,
    ExportStatus,
    Job,
    JobKind,
    JobStatus,
    Memory,
    QuarantinedWrite,
    Session,
    Subject,
    isolation,
)
from vault.retrieval import trail
from vault.writing.locks import lock_subject

SCOPE = system_scope("export")
# The file for programs and the page for people each go through everything.
PASSES = 2


@dataclass(slots=True)
class Build:
    """One attempt at one file."""

    export_id: UUID
    attempt: int
    as_of: datetime
    parts: Parts = field(default_factory=Parts)
    names: Names = field(default_factory=Names)
    stored: int = 0
    done: int = 0
    faults: int = 0
    counts: dict[str, int] = field(default_factory=dict)


class ExportTakenOver(InvalidTransition):
    """Another worker makes the file now, or the export was closed."""

    code = "export_taken_over"
    detail = "Another worker makes this file."


def begin(export_id: UUID) -> Build | None:
    """Start an attempt from nothing: what an earlier one stored is deleted."""
    with transaction.atomic(durable=True):
        export = _locked(export_id)
        if export is None or export.status not in (
            ExportStatus.QUEUED,
            ExportStatus.RUNNING,
            ExportStatus.WAITING,
        ):
            return None
        move(export, ExportStatus.RUNNING)
        drop_parts(export)
        export.attempt += 1
        export.as_of = timezone.now()
        export.save(update_fields=["status", "attempt", "as_of"])
        total = _rows_to_tell(export) * PASSES
        _job(export_id).update(progress_done=0, progress_total=total)
        return Build(export.pk, export.attempt, export.as_of)


def _locked(export_id: UUID) -> AccessExport | None:
    """The export's row behind its subject's lock, in the order that every decision keeps."""
    isolation.open_everything()
    subject_id = AccessExport.objects.filter(pk=export_id).values_list("subject_id", flat=True).first()
    if subject_id is None:
        return None
    isolation.open_whole_subject(subject_id)
    lock_subject(subject_id)
    return AccessExport.objects.select_for_update().filter(pk=export_id).first()


@contextmanager
def turn(build: Build) -> Iterator[tuple[AccessExport, Look]]:
    """One turn; at its end the parts that filled up are stored and the progress is told."""
    with transaction.atomic(durable=True):
        export = _locked(build.export_id)
        if export is None:
            # Only an erasure takes the row.
            raise SubjectErased
        if export.status != ExportStatus.RUNNING or export.attempt != build.attempt:
            raise ExportTakenOver
        yield export, _look(build, export)
        _store(build, export, build.parts.take())
        _job(build.export_id).update(progress_done=build.done)


def _look(build: Build, export: AccessExport) -> Look:
    covered = None if export.namespaces is None else frozenset(export.namespaces)
    return Look(
        subject=Subject.objects.get(pk=export.subject_id),
        keys=key_vault().subject(export.subject_id),
        as_of=build.as_of,
        namespaces=covered,
        names=build.names,
        asker=export.agent_id if covered is not None and _is_partial(export, covered) else None,
    )


def _is_partial(export: AccessExport, covered: frozenset[int]) -> bool:
    """Whether something of the subject stands in a namespace that the file does not cover."""
    models = (Memory, QuarantinedWrite, Session)
    return any(
        model.objects.filter(subject_id=export.subject_id).exclude(namespace_id__in=covered).exists()
        for model in models
    )


def _rows_to_tell(export: AccessExport) -> int:
    reference = key_vault().subject(export.subject_id).audit_reference
    memories = Memory.objects.filter(subject_id=export.subject_id).count()
    return memories + AuditEntry.objects.filter(subject_ref=reference).count()


def _job(export_id: UUID) -> Any:
    return Job.objects.filter(kind=JobKind.EXPORT, target_id=export_id, status=JobStatus.RUNNING)


def _store(build: Build, export: AccessExport, parts: list[bytes]) -> None:
    keys = key_vault().subject(export.subject_id)
    AccessExportPart.objects.bulk_create(
        AccessExportPart(
            export=export,
            subject_id=export.subject_id,
            number=number,
            ciphertext=keys.seal(part, context=part_context(export, number)),
        )
        for number, part in enumerate(parts, build.stored)
    )
    build.stored += len(parts)


def finish(build: Build) -> None:
    with turn(build) as (export, look):
        _store(build, export, build.parts.take(last=True))
        now = timezone.now()
        move(export, ExportStatus.READY)
        export.ready_at, export.expires_at = now, now + settings.EXPORT_KEPT
        export.size = build.parts.size
        export.save(update_fields=["status", "ready_at", "expires_at", "size"])
        _note(build, export, look)
    _job(build.export_id).update(progress_done=build.done, progress_total=build.done)


def _note(build: Build, export: AccessExport, look: Look) -> None:
    reference = look.keys.audit_reference
    if build.faults:
        trail.note(
            Event.MEMORY_INTEGRITY_FAULT, scope=SCOPE, kind=KIND, target=export.pk, subject_ref=reference,
            outcome=Outcome.FAILED, reason=IntegrityFault.code, count=build.faults,
        )  # fmt: skip
    trail.note(
        Event.EXPORT_COMPLETED, scope=SCOPE, kind=KIND, target=export.pk, subject_ref=reference,
        reason=export.reason_code, bytes=export.size, records=sum(build.counts.values()),
    )  # fmt: skip
