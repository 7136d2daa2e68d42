"""Releasing a high-impact claim: one reviewer asks, another approves exactly that, then it is carried out."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from vault.errors import InvalidTransition
from vault.lifecycle.approvals import Act, act_of, ask, spend
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.reviewing.deciding import Variant, clear_read, release_locked
from vault.lifecycle.reviewing.undecided import KIND, lock_undecided, read_undecided
from vault.models import Approval, ApprovalKind
from vault.retrieval.scope import Scope


def ask_release(
    *, write_id: UUID, revision: int, reason_code: str, scope: Scope, variant: Variant = Variant.AS_IS
) -> Approval:
    """Ask a second person to approve the release of a high-impact claim, at the revision that was read.

    Raises NotFound, AlreadyDecided, StaleVersion, SubjectErased, and InvalidTransition for a write that one person
    may decide alone.
    """
    require_staff(scope)
    with refusals_noted(Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=write_id):
        read = read_undecided(write_id, revision)
        if not read.is_high_impact and not clear_read(read, variant, scope=scope).is_high_impact:
            raise InvalidTransition("One reviewer may decide this alone.")
        act = release_act(write_id, revision=revision, reason_code=reason_code, variant=variant)
        with transaction.atomic(durable=True):
            lock_undecided(write_id, revision)
            return ask(act=act, reason_code=reason_code, scope=scope)


def release_act(write_id: UUID, *, revision: int, reason_code: str, variant: Variant) -> Act:
    """The act that two people agree on: this draft as it was read, for this reason, in this way."""
    return Act(
        ApprovalKind.RELEASE,
        write_id,
        {"revision": revision, "reason_code": reason_code, "variant": variant.value},
    )


def carry_out_release(approval: Approval, scope: Scope) -> None:
    """Release what two people agreed on, and use their approval up in the same transaction.

    Raises ApprovalRequired, and as `release_write`; the approval then still stands.
    """
    require_staff(scope)
    act = act_of(approval)
    if act.kind is not ApprovalKind.RELEASE or act.target_id is None:
        raise InvalidTransition
    revision, variant = int(str(act.particulars["revision"])), Variant(str(act.particulars["variant"]))
    with refusals_noted(Event.QUARANTINE_DECISION_REFUSED, scope=scope, kind=KIND, target=act.target_id):
        cleared = clear_read(read_undecided(act.target_id, revision), variant, scope=scope)
        with transaction.atomic(durable=True):
            write, subject = lock_undecided(act.target_id, revision)
            spend(act=act, scope=scope)
            release_locked(
                write,
                subject,
                cleared,
                reason_code=str(act.particulars["reason_code"]),
                variant=variant,
                scope=scope,
            )
