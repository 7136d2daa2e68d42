"""Who decides on which kind of request for approval, who may see it, and why somebody does not decide."""

from __future__ import annotations

from datetime import datetime

from console.access import ABILITIES, Ability, abilities_of
from vault.lifecycle.desk import STAFF
from vault.models import Approval, ApprovalKind, ApprovalStatus, Role, StaffUser

# Whoever may do the act itself; of a policy, somebody who may not. Reading follows APPROVAL_READERS.
APPROVERS: dict[ApprovalKind, Ability] = {
    ApprovalKind.RELEASE: Ability.QUEUE_DECIDE,
    ApprovalKind.ROLLBACK: Ability.ROLLBACK_CHANGE,
    ApprovalKind.EXPORT: Ability.EXPORT_CHANGE,
    ApprovalKind.HOLD_RELEASE: Ability.HOLD_CHANGE,
    ApprovalKind.KEY_EPOCH: Ability.OPERATION_CHANGE,
    ApprovalKind.RESTORE: Ability.OPERATION_CHANGE,
    ApprovalKind.RETRAINING: Ability.EXPORT_CHANGE,
    ApprovalKind.POLICY: Ability.NAMESPACE_DECIDE,
}
# Whoever decides on the others' requests may ask as well; a policy is asked for by who sets it.
ASKERS: dict[ApprovalKind, Ability] = {**APPROVERS, ApprovalKind.POLICY: Ability.NAMESPACE_CHANGE}
APPROVAL_READERS: dict[ApprovalKind, Ability] = {
    ApprovalKind.RELEASE: Ability.QUEUE_READ,
    ApprovalKind.ROLLBACK: Ability.ROLLBACK_READ,
    ApprovalKind.EXPORT: Ability.EXPORT_READ,
    ApprovalKind.HOLD_RELEASE: Ability.SUBJECT_READ,
    ApprovalKind.KEY_EPOCH: Ability.OPERATION_READ,
    ApprovalKind.RESTORE: Ability.OPERATION_READ,
    ApprovalKind.RETRAINING: Ability.EXPORT_READ,
    ApprovalKind.POLICY: Ability.NAMESPACE_READ,
}
ASKED_IT, NOT_THE_ROLE, TOO_LATE = "asked_it", "not_the_role", "too_late"


def deciding_roles(kind: str) -> tuple[str, ...]:
    """The roles that decide on a kind of request, as people call them."""
    return roles_with(APPROVERS[ApprovalKind(kind)])


def roles_with(ability: Ability) -> tuple[str, ...]:
    """The roles that hold an ability, as people call them."""
    return tuple(role.label for role in Role if ability in ABILITIES[role])


def rests_on_their_roles(row: Approval) -> bool:
    """Whether the people who asked for and approved a request still have roles that may; agents and jobs have none."""
    for author, table in ((row.requested_by, ASKERS), (row.decided_by, APPROVERS)):
        kind, _, number = author.partition(":")
        staff = StaffUser.objects.filter(pk=number).first() if kind == STAFF else None
        if staff is not None and table[ApprovalKind(row.kind)] not in abilities_of(staff):
            return False
    return True


def why_not(row: Approval, staff: StaffUser, *, now: datetime) -> str:
    """Why this member of staff does not decide on an open request: a code, empty for who does."""
    if APPROVERS[ApprovalKind(row.kind)] not in abilities_of(staff):
        return NOT_THE_ROLE
    if row.expires_at <= now:
        return TOO_LATE
    if row.status == ApprovalStatus.ASKED and row.requested_by == f"staff:{staff.pk}":
        return ASKED_IT
    return ""
