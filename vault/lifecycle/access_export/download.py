"""Handing the file out: opened part by part, so that no more than one part is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import associated_data
from vault.errors import ExportExpired, IntegrityFault, InvalidTransition, NotFound, ScopeMissing
from vault.keys import key_vault
from vault.lifecycle.access_export.approval import KIND
from vault.lifecycle.access_export.listing import may_follow
from vault.lifecycle.desk import refusals_noted
from vault.models import AccessExport, AccessExportPart, ExportStatus, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Right, Scope


@dataclass(frozen=True, slots=True)
class Download:
    """A file on its way out. Its name says nothing about the subject."""

    name: str
    size: int
    chunks: Iterator[bytes] = field(repr=False)


def open_download(*, export_id: UUID, purpose: str, scope: Scope) -> Download:
    """The zip file of an export that is ready; `purpose` is a code. The download is an entry before a byte is sent.

    Raises NotFound, InvalidTransition before the file is ready, ExportExpired afterwards.
    """
    with (
        refusals_noted(Event.EXPORT_DOWNLOADED, scope=scope, kind=KIND, target=export_id),
        transaction.atomic(durable=True),
    ):
        if not scope.everything:
            scope.require(Right.SUBJECT_EXPORT)
        isolation.open_everything()
        export = AccessExport.objects.filter(pk=export_id).first()
        if export is None or not may_follow(export, scope):
            raise NotFound
        _require_ready(export)
        _require_covered(export, scope)
        last = AccessExportPart.objects.filter(export=export).aggregate(last=Max("number"))["last"]
        if last is None:
            raise IntegrityFault
        trail.note(
            Event.EXPORT_DOWNLOADED, scope=scope, kind=KIND, target=export.pk,
            subject_ref=key_vault().subject(export.subject_id).audit_reference, reason=purpose, bytes=export.size,
        )  # fmt: skip
    return Download(f"access-export-{export.pk}.zip", export.size, _chunks(export, last))


def part_context(export: AccessExport, number: int) -> bytes:
    """The associated data of one part: which file it belongs to, and where."""
    return associated_data(
        what="access export part",
        export=export.pk,
        subject=export.subject_id,
        attempt=export.attempt,
        number=number,
    )


def _require_ready(export: AccessExport) -> None:
    if export.status == ExportStatus.EXPIRED:
        raise ExportExpired
    if export.status != ExportStatus.READY or export.expires_at is None:
        raise InvalidTransition("The file is not ready.")
    if export.expires_at <= timezone.now():
        raise ExportExpired


def _require_covered(export: AccessExport, scope: Scope) -> None:
    """What was granted when the file was asked for must be granted still."""
    if scope.everything:
        return
    granted = {namespace.id for namespace in scope.require(Right.SUBJECT_EXPORT)}
    if export.namespaces is None or not set(export.namespaces) <= granted:
        raise ScopeMissing


def _chunks(export: AccessExport, last: int) -> Iterator[bytes]:
    """The file's bytes. One that is destroyed on the way ends with an error, never as if it were whole."""
    for number in range(last + 1):
        with transaction.atomic():
            isolation.open_whole_subject(export.subject_id)
            part = AccessExportPart.objects.filter(export=export, number=number).first()
            if part is None:
                raise IntegrityFault
            keys = key_vault().subject(export.subject_id)
            opened = keys.open(bytes(part.ciphertext), context=part_context(export, number))
            isolation.close()
        yield opened
