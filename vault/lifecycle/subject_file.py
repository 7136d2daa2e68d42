"""What staff see of one subject: all that is kept, in one read, and the way to it by the caller's own id.

Nothing here changes a row; every look is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from audit.actions import Action
from audit.log import relax_commit
from vault.errors import NotFound
from vault.keys import key_vault
from vault.lifecycle.desk import require_staff
from vault.lifecycle.visits import LaterVisit, later_visits
from vault.models import (
    ErasureRequest,
    IdempotencyRecord,
    LegalHold,
    Memory,
    MemoryVersion,
    QuarantinedWrite,
    Subject,
    SubjectToken,
    isolation,
)
from vault.retrieval import trail
from vault.retrieval.opening import open_memories
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Scope
from vault.retrieval.subjects import find_subject, reference_of
from vault.types import Status

MEMORY_PAGE = 25
WRITES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class SubjectFile:
    """All that is kept on one subject. `reference` is the caller's own id for it, empty after an erasure.

    `memories` is one page of those in the status that was asked for, `memories_total` how many have it.
    """

    subject: Subject
    reference: str
    by_status: dict[str, int]
    versions: int
    memories: tuple[OpenedMemory, ...]
    memories_total: int
    quarantined: tuple[QuarantinedWrite, ...]
    holds: tuple[LegalHold, ...]
    erasures: tuple[ErasureRequest, ...]
    live_tokens: int
    replay_answers: int
    later_visits: tuple[LaterVisit, ...]

    @property
    def is_held(self) -> bool:
        return any(hold.released_at is None for hold in self.holds)

    @property
    def open_erasure(self) -> ErasureRequest | None:
        return next((row for row in self.erasures if row.status not in ("refused", "done")), None)


def find_subject_id(*, external_id: str, scope: Scope) -> UUID:
    """The internal id of a subject by the caller's own id, exact and case-sensitive, erased ones included.

    Raises NotFound; the look-up is recorded either way, never with what was looked for.
    """
    require_staff(scope)
    subject = find_subject(external_id)
    if subject is None:
        trail.note_refusal(Action.SUBJECT_READ, scope=scope, kind="subject", reason=NotFound.code)
        raise NotFound
    with transaction.atomic(durable=True):
        relax_commit()
        trail.note(
            Action.SUBJECT_READ, scope=scope, kind="subject", subject_ref=_audit_reference(subject),
            reason="looked_up",
        )  # fmt: skip
    return subject.pk


def subject_file(
    *, subject_id: UUID, scope: Scope, status: Status = Status.ACTIVE, page: int = 1
) -> SubjectFile:
    """All that is kept, with one page of the memories of one status, newest first. Raises NotFound."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        subject = _subject(subject_id)
        file = _file(subject, status, page)
        trail.note(
            Action.SUBJECT_READ, scope=scope, kind="subject", subject_ref=_audit_reference(subject),
            count=len(file.memories),
        )  # fmt: skip
    return file


def subject_reference(*, subject_id: UUID, scope: Scope) -> str:
    """The caller's own id of a subject, for services that take that. Raises NotFound, KeyDestroyed."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        return reference_of(_subject(subject_id))


def _file(subject: Subject, status: Status, page: int) -> SubjectFile:
    memories = Memory.objects.filter(subject=subject)
    chosen = memories.filter(status=status).order_by("-created_at", "-pk")
    first = (max(1, page) - 1) * MEMORY_PAGE
    writes = QuarantinedWrite.objects.filter(subject=subject).defer("ciphertext").order_by("-created_at")
    tokens = SubjectToken.objects.filter(
        subject_id=subject.pk, revoked_at=None, expires_at__gt=timezone.now()
    )
    return SubjectFile(
        subject=subject,
        reference="" if subject.erased_at else reference_of(subject),
        by_status=dict(memories.order_by().values_list("status").annotate(Count("pk"))),
        versions=MemoryVersion.objects.filter(subject=subject).count(),
        memories=open_memories(list(chosen[first : first + MEMORY_PAGE]), subject=subject)
        if not subject.erased_at
        else (),
        memories_total=chosen.count(),
        quarantined=tuple(writes[:WRITES_SHOWN]),
        holds=tuple(LegalHold.objects.filter(subject=subject).order_by("-placed_at", "-pk")),
        erasures=tuple(ErasureRequest.objects.filter(subject_id=subject.pk).order_by("-requested_at")),
        live_tokens=tokens.count(),
        replay_answers=IdempotencyRecord.objects.filter(subject_id=subject.pk).count(),
        later_visits=later_visits(subject.pk),
    )


def _subject(subject_id: UUID) -> Subject:
    subject = Subject.objects.filter(pk=subject_id).first()
    if subject is None:
        raise NotFound
    return subject


def _audit_reference(subject: Subject) -> str:
    """Empty after an erasure: the reference went with the key."""
    return "" if subject.erased_at else key_vault().subject(subject.pk).audit_reference
