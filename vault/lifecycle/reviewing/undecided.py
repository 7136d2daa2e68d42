"""A write that nobody has decided yet: found, read, locked, and settled once. Shared by all that decide."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.canonical import Fact
from vault.errors import AlreadyDecided, NotFound, StaleVersion
from vault.keys import key_vault
from vault.models import QuarantinedWrite, Subject, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.screening.verdict import Reason
from vault.types import MemoryDraft, QuarantineStatus, Verdict
from vault.writing.locks import lock_subject
from vault.writing.set_aside import open_draft

KIND = "quarantine"


@dataclass(frozen=True, slots=True)
class Undecided:
    """A pending write with its draft, as it was read before any lock."""

    row: QuarantinedWrite
    draft: MemoryDraft
    verdict: Verdict

    @property
    def is_high_impact(self) -> bool:
        """Whether only two people together may let it in; what is sealed says so, whatever stands beside it."""
        claim = Reason.HIGH_IMPACT_CLAIM.value
        return claim in self.verdict.reasons or claim in self.row.reasons


def find_write(write_id: UUID) -> QuarantinedWrite:
    """One write; rows must be open. Raises NotFound."""
    write = QuarantinedWrite.objects.filter(pk=write_id).select_related("namespace", "subject").first()
    if write is None:
        raise NotFound
    return write


def read_undecided(write_id: UUID, revision: int) -> Undecided:
    """The draft that a decision is about, in a transaction of its own.

    Raises NotFound, AlreadyDecided, StaleVersion.
    """
    with transaction.atomic(durable=True):
        isolation.open_everything()
        write = find_write(write_id)
        require_undecided(write, revision)
        draft, verdict = open_draft(write, keys=key_vault().subject(write.subject_id))
    return Undecided(write, draft, verdict)


def lock_undecided(write_id: UUID, revision: int) -> tuple[QuarantinedWrite, Subject]:
    """Lock subject and write, in the order that every writer keeps. Raises as `read_undecided`, SubjectErased."""
    isolation.open_everything()
    subject = lock_subject(find_write(write_id).subject_id)
    write = (
        QuarantinedWrite.objects.select_for_update(of=("self",)).select_related("namespace").get(pk=write_id)
    )
    require_undecided(write, revision)
    return write, subject


def require_undecided(write: QuarantinedWrite, revision: int) -> None:
    """Raise AlreadyDecided for a decided write, StaleVersion for another revision than the one read."""
    if write.status != QuarantineStatus.PENDING:
        raise AlreadyDecided(decided_by=write.decided_by, status=write.status)
    if write.revision != revision:
        raise StaleVersion("The draft has changed since it was read; read it again.")


def settle(write: QuarantinedWrite, status: QuarantineStatus, *, reason_code: str, scope: Scope) -> None:
    """Write the decision on a locked row."""
    write.move_to(status, by=scope.author)
    write.decided_at, write.reason_code, write.claimed_until = timezone.now(), reason_code, None
    if status is QuarantineStatus.RELEASED:
        # The memory has it now; the draft is not kept twice.
        write.ciphertext = b""
    write.save()


def note_write(
    event: Event, write: QuarantinedWrite, scope: Scope, *, reason: str = "", **facts: Fact
) -> None:
    """The entry of what was done to a write, in the caller's transaction."""
    trail.note(
        event, scope=scope, kind=KIND, target=write.pk, outcome=Outcome.OK, reason=reason,
        subject_ref=key_vault().subject(write.subject_id).audit_reference, **facts,
    )  # fmt: skip
