"""Following a request by its number: all that a subject needs once it has proved to be itself.

The number is 160 random bits, so a wrong one says nothing about anybody. After an erasure it is what is left: the
certificate is handed out to whoever holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import NotFound
from vault.lifecycle.access_export import Download
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.subject_rights import exporting, moves, numbers
from vault.lifecycle.subject_rights.following import follow
from vault.models import (
    AccessExport,
    ErasureRequest,
    ExportStatus,
    RequestKind,
    RequestStatus,
    SubjectRequest,
    isolation,
)
from vault.retrieval.scope import Scope


@dataclass(frozen=True, slots=True)
class Tracked:
    """Where a request stands, in codes and times. `file_until` is when the access export ends, if one is ready."""

    kind: RequestKind
    status: RequestStatus
    received_at: datetime
    due_at: datetime
    extension_code: str
    ground_code: str
    done_at: datetime | None
    certificate: dict[str, Any] | None
    file_until: datetime | None


def track(*, number: str, scope: Scope) -> Tracked:
    """Where the request of this number stands. Raises NotFound, recorded."""
    with refusals_noted(Event.SUBJECT_REQUEST_READ, scope=scope, kind=moves.KIND):
        follow(_find(number).pk)
        row = _find(number, scope=scope)
        # The one that is decided on, if this one shares its fate.
        first = row.duplicate_of or row
        return Tracked(
            kind=RequestKind(row.kind),
            status=RequestStatus(row.status),
            received_at=row.received_at,
            due_at=first.due_at,
            extension_code=first.extension_code,
            ground_code=row.ground_code,
            done_at=row.done_at,
            certificate=_certificate(first),
            file_until=_file_until(first),
        )


def certificate_by_number(*, number: str, scope: Scope) -> dict[str, Any]:
    """The signed certificate of the erasure that the subject asked for. Raises NotFound until there is one."""
    certificate = track(number=number, scope=scope).certificate
    if certificate is None:
        raise NotFound
    return certificate


def export_by_number(*, number: str, scope: Scope) -> Download:
    """The file with everything that is kept. Raises NotFound, InvalidTransition, ExportExpired."""
    with refusals_noted(Event.SUBJECT_REQUEST_READ, scope=scope, kind=moves.KIND):
        row = _find(number)
        first = row.duplicate_of or row
        if first.export_id is None:
            raise NotFound
    return exporting.open_export(export_id=first.export_id, scope=scope)


def _find(number: str, *, scope: Scope | None = None) -> SubjectRequest:
    """The request of a number; with a scope, the look at it is an entry."""
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_directory()
        rows = SubjectRequest.objects.select_related("duplicate_of")
        row = rows.filter(reference_hash=numbers.number_hash(number)).first()
        if row is None:
            raise NotFound
        if scope is not None:
            moves.note(Event.SUBJECT_REQUEST_READ, row, scope=scope, reason="by_number")
    return row


def _certificate(row: SubjectRequest) -> dict[str, Any] | None:
    if row.erasure_id is None:
        return None
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(row.subject_id)
        erasure = ErasureRequest.objects.get(pk=row.erasure_id)
    return None if erasure.certificate is None else dict(erasure.certificate)


def _file_until(row: SubjectRequest) -> datetime | None:
    if row.export_id is None:
        return None
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(row.subject_id)
        export = AccessExport.objects.filter(pk=row.export_id, status=ExportStatus.READY).first()
    return None if export is None else export.expires_at
