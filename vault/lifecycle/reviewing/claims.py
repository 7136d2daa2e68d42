"""Who works on a write: a claim for a while, shown to the others. It warns and never blocks a decision."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import AlreadyClaimed
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.reviewing.undecided import KIND, find_write, note_write, require_undecided
from vault.models import QuarantinedWrite, isolation
from vault.retrieval.scope import Scope

CLAIM = timedelta(minutes=15)


def claimant(write: QuarantinedWrite, *, now: datetime) -> str:
    """Who works on a write at this time, as "staff:3"; empty for nobody. Pure."""
    return write.assigned_to if write.claimed_until is not None and write.claimed_until > now else ""


def claim_write(*, write_id: UUID, scope: Scope, take_over: bool = False) -> QuarantinedWrite:
    """Say that the caller works on a write from now on, for a quarter of an hour; once more renews it.

    Raises NotFound, AlreadyDecided, and AlreadyClaimed when somebody else does, unless it is to be taken over.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_ASSIGNED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        write = _lock(write_id)
        other = claimant(write, now=timezone.now())
        taken = other not in ("", scope.author)
        if taken and not take_over:
            raise AlreadyClaimed(claimed_by=other, until=write.claimed_until)
        write.assigned_to, write.claimed_until = scope.author, timezone.now() + CLAIM
        write.save(update_fields=["assigned_to", "claimed_until"])
        note_write(Event.QUARANTINE_ASSIGNED, write, scope, reason="taken_over" if taken else "claimed")
    return write


def let_go(*, write_id: UUID, scope: Scope) -> None:
    """End the caller's own claim; somebody else's stands. Raises NotFound, AlreadyDecided."""
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_ASSIGNED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        write = _lock(write_id)
        if claimant(write, now=timezone.now()) != scope.author:
            return
        write.claimed_until = None
        write.save(update_fields=["claimed_until"])
        note_write(Event.QUARANTINE_ASSIGNED, write, scope, reason="let_go")


def _lock(write_id: UUID) -> QuarantinedWrite:
    isolation.open_everything()
    find_write(write_id)
    write = QuarantinedWrite.objects.select_for_update(of=("self",)).get(pk=write_id)
    require_undecided(write, write.revision)
    return write
