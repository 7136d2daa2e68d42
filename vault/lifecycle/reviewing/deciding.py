"""The decision on one write: let in as it is or masked, kept out, and what may go with it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from vault.errors import ApprovalRequired
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.registers import mark_suspended
from vault.lifecycle.release import Cleared, clear, put_into_vault
from vault.lifecycle.reviewing.allowing import allow_pattern, allowable
from vault.lifecycle.reviewing.undecided import (
    KIND,
    Undecided,
    lock_undecided,
    note_write,
    read_undecided,
    settle,
)
from vault.models import Grant, QuarantinedWrite, Subject, isolation
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Scope
from vault.types import QuarantineStatus


class Variant(StrEnum):
    """How a draft is let in: as policy masks it, or with all personal and sensitive data masked."""

    AS_IS = "as_is"
    REDACTED = "redacted"


def release_write(
    *,
    write_id: UUID,
    revision: int,
    reason_code: str,
    scope: Scope,
    variant: Variant = Variant.AS_IS,
    allow_until: datetime | None = None,
) -> OpenedMemory:
    """Let a quarantined write into the vault on a reviewer's word; its trust does not rise by that.

    Screening is not asked again, but what the policy refuses outright stays out, credentials above all. With
    `allow_until`, later writes of that agent that are stopped by nothing else pass until then. Raises NotFound,
    AlreadyDecided, StaleVersion for another revision than the one read, ApprovalRequired for a high-impact claim
    (the caller then asks a second person, see four_eyes, and that alone is noted), SecretDetected,
    CategoryNotAllowed, SubjectErased, InvalidField and InvalidTransition when the pattern cannot be allowed.
    """
    require_staff(scope)
    with refusals_noted(
        Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=write_id, unless=ApprovalRequired
    ):
        # Slow, so before the transaction opens; the lock then shows whether it is still what was read.
        read = read_undecided(write_id, revision)
        cleared = clear_for_one(read, variant, scope=scope)
        agent = allowable(read, until=allow_until) if allow_until else None
        with transaction.atomic(durable=True):
            write, subject = lock_undecided(write_id, revision)
            memory = release_locked(
                write, subject, cleared, reason_code=reason_code, variant=variant, scope=scope
            )
            if agent is not None and allow_until is not None:
                allow_pattern(read, agent, until=allow_until, reason_code=reason_code, scope=scope)
    return memory


def reject_write(
    *, write_id: UUID, revision: int, reason_code: str, scope: Scope, suspend_grant: bool = False
) -> QuarantinedWrite:
    """Keep a quarantined write out for good, and with `suspend_grant` its agent out of the namespace.

    Raises NotFound, AlreadyDecided, StaleVersion, SubjectErased.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        write, _ = lock_undecided(write_id, revision)
        reject_locked(write, reason_code=reason_code, scope=scope)
        if suspend_grant and write.agent_id is not None:
            _suspend_grant(write.agent_id, write.namespace_id, scope)
    return write


def clear_for_one(read: Undecided, variant: Variant, *, scope: Scope) -> Cleared:
    """`clear_read` for a release by one person.

    Raises ApprovalRequired for a high-impact claim, whether it was found then or now, or could not be looked for.
    """
    if read.is_high_impact:
        raise ApprovalRequired
    cleared = clear_read(read, variant, scope=scope)
    if cleared.is_high_impact:
        raise ApprovalRequired
    return cleared


def clear_read(read: Undecided, variant: Variant, *, scope: Scope) -> Cleared:
    """Mask and embed what was read; slow, so outside of a transaction. Raises as `vault.lifecycle.release.clear`."""
    return clear(read.row, read.draft, read.verdict, scope=scope, redacted=variant is Variant.REDACTED)


def release_locked(
    write: QuarantinedWrite,
    subject: Subject,
    cleared: Cleared,
    *,
    reason_code: str,
    variant: Variant,
    scope: Scope,
) -> OpenedMemory:
    """Let a locked write in, in the caller's transaction."""
    memory = put_into_vault(write, cleared, scope=scope)
    isolation.open_whole_subject(subject.pk)
    write.released_as = memory.row.pk
    settle(write, QuarantineStatus.RELEASED, reason_code=reason_code, scope=scope)
    note_write(Event.QUARANTINE_RELEASED, write, scope, reason=reason_code, variant=variant.value)
    return memory


def reject_locked(write: QuarantinedWrite, *, reason_code: str, scope: Scope) -> None:
    """Keep a locked write out, in the caller's transaction."""
    settle(write, QuarantineStatus.REJECTED, reason_code=reason_code, scope=scope)
    note_write(Event.QUARANTINE_REJECTED, write, scope, reason=reason_code)


def _suspend_grant(agent_id: UUID, namespace_id: int, scope: Scope) -> None:
    """A grant that is gone or suspended already stops its agent as well."""
    grants = Grant.objects.select_for_update().filter(
        agent_id=agent_id, namespace_id=namespace_id, suspended_at__isnull=True
    )
    for grant in grants:
        mark_suspended(grant, scope=scope)
