"""The review desk: what was set aside, its audited reveal, and the decision that is taken once.

The road not taken: deciding by the row's status alone. A decision also names the revision that was read, so
that nobody releases a text they have not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import AlreadyDecided, InvalidTransition, NotFound, StaleVersion
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.release import Cleared, clear, put_into_vault
from vault.models import QuarantinedWrite, Subject, isolation
from vault.retrieval import trail
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import reference_of
from vault.types import MemoryDraft, QuarantineStatus, Verdict
from vault.writing.locks import lock_subject
from vault.writing.set_aside import open_draft

KIND = "quarantine"
MAX_PAGE = 100


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What to list; None means any. `overdue_at` keeps what was due by that time."""

    status: QuarantineStatus = QuarantineStatus.PENDING
    reason: str | None = None
    namespace: str | None = None
    agent_id: UUID | None = None
    subject_id: UUID | None = None
    overdue_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A place in the queue: after the write of this due time and id."""

    due_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class Queue:
    """One page, the first due first, with how many there are in all; no text is opened for it."""

    results: tuple[QuarantinedWrite, ...]
    total: int
    next: QueuePlace | None


@dataclass(frozen=True, slots=True)
class OpenedWrite:
    """A quarantined write as a reviewer reads it, with the caller's own id of its subject."""

    row: QuarantinedWrite
    draft: MemoryDraft
    verdict: Verdict
    subject: str


def pending_writes(
    *, scope: Scope, wanted: QueueFilter = QueueFilter(), after: QueuePlace | None = None, limit: int = 50
) -> Queue:
    """A page of the queue for staff."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_everything()
        rows = _filtered(wanted)
        total = rows.count()
        if after is not None:
            rows = rows.filter(Q(due_at__gt=after.due_at) | Q(due_at=after.due_at, pk__gt=after.id))
        size = min(limit, MAX_PAGE)
        found = list(
            rows.defer("ciphertext").select_related("namespace").order_by("due_at", "pk")[: size + 1]
        )
        trail.note(Event.QUARANTINE_LISTED, scope=scope, kind=KIND, count=min(len(found), size))
    page = tuple(found[:size])
    more = QueuePlace(page[-1].due_at, page[-1].pk) if len(found) > size else None
    return Queue(page, total, more)


def open_write(*, write_id: UUID, scope: Scope, purpose: str) -> OpenedWrite:
    """Reveal a draft to a reviewer who says why, by a code; the reveal is an entry.

    Raises NotFound, and InvalidTransition when the draft was deleted with its decision or its time.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_REVEALED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        isolation.open_everything()
        write = _find(write_id)
        if not write.ciphertext:
            raise InvalidTransition("The draft is no longer kept.")
        keys = key_vault().subject(write.subject_id)
        draft, verdict = open_draft(write, keys=keys)
        _note(Event.QUARANTINE_REVEALED, write, scope, reason=purpose)
        return OpenedWrite(write, draft, verdict, reference_of(write.subject))


def quarantine_state(*, write_id: UUID, scope: Scope) -> QuarantinedWrite:
    """The state of the caller's own write, without its text. Raises NotFound for anybody else's."""
    with (
        refusals_noted(Event.QUARANTINE_OPENED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        relax_commit()
        namespaces = {namespace.id for namespace in scope.require(Right.MEMORY_WRITE)}
        isolation.open_everything()
        write = _find(write_id)
        own = write.agent_id is not None and write.agent_id == scope.agent_id
        if not own or write.namespace_id not in namespaces or not scope.allows_subject(write.subject_id):
            raise NotFound
        _note(Event.QUARANTINE_OPENED, write, scope)
    return write


def release_write(*, write_id: UUID, revision: int, reason_code: str, scope: Scope) -> OpenedMemory:
    """Let a quarantined write into the vault on a reviewer's word; its trust does not rise by that.

    Screening is not asked again, but what the policy refuses outright stays out, credentials above all.
    Raises NotFound, AlreadyDecided, StaleVersion for another revision than the one read, SecretDetected,
    CategoryNotAllowed, SubjectErased.
    """
    require_staff(scope)
    with refusals_noted(Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=write_id):
        # Slow, so before the transaction opens; the lock then shows whether it is still what was read.
        read = _read_undecided(write_id, revision)
        cleared = clear(read.row, read.draft, read.verdict, scope=scope)
        with transaction.atomic(durable=True):
            write, subject = _lock_undecided(write_id, revision)
            memory = _release(write, subject, cleared, reason_code=reason_code, scope=scope)
    return memory


def reject_write(*, write_id: UUID, revision: int, reason_code: str, scope: Scope) -> QuarantinedWrite:
    """Keep a quarantined write out for good. Raises NotFound, AlreadyDecided, StaleVersion, SubjectErased."""
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        write, _ = _lock_undecided(write_id, revision)
        _decide(write, QuarantineStatus.REJECTED, reason_code=reason_code, scope=scope)
        _note(Event.QUARANTINE_REJECTED, write, scope, reason=reason_code)
    return write


def _release(
    write: QuarantinedWrite, subject: Subject, cleared: Cleared, *, reason_code: str, scope: Scope
) -> OpenedMemory:
    memory = put_into_vault(write, cleared, scope=scope)
    isolation.open_whole_subject(subject.pk)
    write.released_as = memory.row.pk
    _decide(write, QuarantineStatus.RELEASED, reason_code=reason_code, scope=scope)
    _note(Event.QUARANTINE_RELEASED, write, scope, reason=reason_code)
    return memory


def _filtered(wanted: QueueFilter) -> QuerySet[QuarantinedWrite]:
    rows = QuarantinedWrite.objects.filter(status=wanted.status)
    if wanted.reason is not None:
        rows = rows.filter(reasons__contains=[wanted.reason])
    if wanted.namespace is not None:
        rows = rows.filter(namespace__name=wanted.namespace)
    if wanted.agent_id is not None:
        rows = rows.filter(agent_id=wanted.agent_id)
    if wanted.subject_id is not None:
        rows = rows.filter(subject_id=wanted.subject_id)
    if wanted.overdue_at is not None:
        rows = rows.filter(due_at__lte=wanted.overdue_at)
    return rows


def _find(write_id: UUID) -> QuarantinedWrite:
    write = QuarantinedWrite.objects.filter(pk=write_id).select_related("namespace", "subject").first()
    if write is None:
        raise NotFound
    return write


def _read_undecided(write_id: UUID, revision: int) -> OpenedWrite:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        write = _find(write_id)
        _require_undecided(write, revision)
        draft, verdict = open_draft(write, keys=key_vault().subject(write.subject_id))
        return OpenedWrite(write, draft, verdict, reference_of(write.subject))


def _lock_undecided(write_id: UUID, revision: int) -> tuple[QuarantinedWrite, Subject]:
    """Lock subject and write, in the order that every writer keeps."""
    isolation.open_everything()
    subject = lock_subject(_find(write_id).subject_id)
    write = (
        QuarantinedWrite.objects.select_for_update(of=("self",)).select_related("namespace").get(pk=write_id)
    )
    _require_undecided(write, revision)
    return write, subject


def _require_undecided(write: QuarantinedWrite, revision: int) -> None:
    if write.status != QuarantineStatus.PENDING:
        raise AlreadyDecided(decided_by=write.decided_by, status=write.status)
    if write.revision != revision:
        raise StaleVersion("The draft has changed since it was read; read it again.")


def _decide(write: QuarantinedWrite, status: QuarantineStatus, *, reason_code: str, scope: Scope) -> None:
    write.move_to(status, by=scope.author)
    write.decided_at, write.reason_code = timezone.now(), reason_code
    if status is QuarantineStatus.RELEASED:
        # The memory has it now; the draft is not kept twice.
        write.ciphertext = b""
    write.save()


def _note(event: Event, write: QuarantinedWrite, scope: Scope, *, reason: str = "") -> None:
    reference = key_vault().subject(write.subject_id).audit_reference
    trail.note(event, scope=scope, kind=KIND, target=write.pk, subject_ref=reference, reason=reason)
