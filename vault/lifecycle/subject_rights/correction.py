"""Correcting a memory because its subject asked for it: a version by staff, in the name of the request."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.subject_rights import moves
from vault.models import Memory, RequestKind, RequestStatus, Subject, SubjectRequest, isolation
from vault.retrieval.read import get_memory
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Scope
from vault.writing.change import change_memory
from vault.writing.results import WriteResult

REASON = "subject_asked"


def memory_to_correct(*, request_id: UUID, memory_id: UUID, scope: Scope) -> OpenedMemory:
    """The memory as it stands, for whoever corrects it. Raises NotFound for one of another subject."""
    _require(request_id, memory_id, scope)
    return get_memory(memory_id=memory_id, scope=scope)


def correct_memory(
    *, request_id: UUID, memory_id: UUID, text: str, expected_version: int, scope: Scope
) -> WriteResult:
    """Write the corrected text as a version by staff; it is screened like every other.

    Raises NotFound, InvalidTransition unless the correction is approved, StaleVersion, SecretDetected.
    """
    with refusals_noted(Event.SUBJECT_CORRECTED, scope=scope, kind=moves.KIND, target=request_id):
        _require(request_id, memory_id, scope)

        def remember(result: WriteResult) -> None:
            """In the transaction that stores the version."""
            isolation.open_everything()
            request = SubjectRequest.objects.get(pk=request_id)
            moves.note(
                Event.SUBJECT_CORRECTED, request, scope=scope, reason=result.outcome, memory=str(memory_id),
                subject=Subject.objects.get(pk=request.subject_id),
            )  # fmt: skip

        return change_memory(
            memory_id=memory_id, changes={"text": text}, expected_version=expected_version, reason=REASON,
            scope=scope, remember=remember,
        )  # fmt: skip


def _require(request_id: UUID, memory_id: UUID, scope: Scope) -> None:
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        request = SubjectRequest.objects.filter(pk=request_id, kind=RequestKind.CORRECTION).first()
        if request is None:
            raise NotFound
        if not Memory.objects.filter(pk=memory_id, subject_id=request.subject_id).exists():
            raise NotFound
        if request.status != RequestStatus.APPROVED:
            raise InvalidTransition
