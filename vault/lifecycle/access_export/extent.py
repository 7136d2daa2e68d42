"""What an export would hold, before it is made: for whoever approves it. Opens no text."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vault.errors import NotFound
from vault.lifecycle.desk import require_staff
from vault.models import (
    AccessExport,
    Memory,
    MemoryVersion,
    Namespace,
    QuarantinedWrite,
    Session,
    isolation,
)
from vault.retrieval.scope import Scope


@dataclass(frozen=True, slots=True)
class Extent:
    """What there is of the subject now. `namespaces` is None for everything."""

    namespaces: tuple[str, ...] | None
    memories: int
    versions: int
    set_aside: int
    sessions: int


def extent_of(*, export_id: UUID, scope: Scope) -> Extent:
    """Count what the export covers, for staff. Raises NotFound, also when it went with its subject."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        export = AccessExport.objects.filter(pk=export_id).first()
        if export is None:
            raise NotFound
        covered = Q(subject_id=export.subject_id)
        if export.namespaces is not None:
            covered &= Q(namespace_id__in=export.namespaces)
        memories, versions, set_aside, sessions = (
            model.objects.filter(covered).count()
            for model in (Memory, MemoryVersion, QuarantinedWrite, Session)
        )
        return Extent(_names(export), memories, versions, set_aside, sessions)


def _names(export: AccessExport) -> tuple[str, ...] | None:
    if export.namespaces is None:
        return None
    named = Namespace.objects.filter(pk__in=export.namespaces).order_by("name")
    return tuple(named.values_list("name", flat=True))
