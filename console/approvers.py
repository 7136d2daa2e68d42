"""Who decides on which kind of request for approval, and who may see it."""

from __future__ import annotations

from console.access import Ability
from vault.models import ApprovalKind

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
