"""What follows an approval: each kind of act with the service that carries it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from uuid import UUID

from audit.actions import Action as Event
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle.access_export import carry_out_export
from vault.lifecycle.approvals import KIND
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.holds import carry_out_hold_release
from vault.lifecycle.key_epoch import carry_out_key_epoch
from vault.lifecycle.namespaces.changing import carry_out_policy
from vault.lifecycle.reviewing.four_eyes import carry_out_release
from vault.lifecycle.rolling_back.request import carry_out_rollback
from vault.models import Approval, ApprovalKind, ApprovalStatus
from vault.retrieval.scope import Scope

Executor = Callable[[Approval, Scope], None]

# A restore is carried out by the operator at the machine: a running vault cannot replace its own database.
EXECUTORS: Mapping[ApprovalKind, Executor] = {
    ApprovalKind.RELEASE: carry_out_release,
    ApprovalKind.EXPORT: carry_out_export,
    ApprovalKind.HOLD_RELEASE: carry_out_hold_release,
    ApprovalKind.KEY_EPOCH: carry_out_key_epoch,
    ApprovalKind.ROLLBACK: carry_out_rollback,
    ApprovalKind.POLICY: carry_out_policy,
}


def carry_out(
    *, approval_id: UUID, scope: Scope, executors: Mapping[ApprovalKind, Executor] = EXECUTORS
) -> None:
    """Do what was approved; the service behind it uses the approval up, so a second call does nothing twice.

    Raises NotFound, InvalidTransition when it is not approved or is not for the console to do, and whatever the
    service raises: the approval then still stands, until it expires.
    """
    require_staff(scope)
    with refusals_noted(Event.APPROVAL_DENIED, scope=scope, kind=KIND, target=approval_id):
        approval = Approval.objects.filter(pk=approval_id).first()
        if approval is None:
            raise NotFound
        executor = executors.get(ApprovalKind(approval.kind))
        if approval.status != ApprovalStatus.APPROVED or executor is None:
            raise InvalidTransition
        executor(approval, scope)
