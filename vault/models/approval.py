"""Four eyes: one person asks for an act, another approves exactly that act, in time, once."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from vault.models.identifiers import new_id


class ApprovalKind(models.TextChoices):
    RELEASE = "release"
    ROLLBACK = "rollback"
    EXPORT = "export"
    HOLD_RELEASE = "hold_release"
    KEY_EPOCH = "key_epoch"
    RESTORE = "restore"
    RETRAINING = "retraining"
    POLICY = "policy"


class ApprovalStatus(models.TextChoices):
    ASKED = "asked"
    APPROVED = "approved"
    REFUSED = "refused"
    USED = "used"
    EXPIRED = "expired"


APPROVAL_NEXT: dict[str, frozenset[str]] = {
    ApprovalStatus.ASKED: frozenset(
        {ApprovalStatus.APPROVED, ApprovalStatus.REFUSED, ApprovalStatus.EXPIRED}
    ),
    ApprovalStatus.APPROVED: frozenset({ApprovalStatus.USED, ApprovalStatus.EXPIRED}),
}


class Approval(models.Model):
    """A request for one act. It knows no subject: what it names is a row, by id, and codes."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=16, choices=ApprovalKind.choices)
    status = models.CharField(max_length=8, choices=ApprovalStatus.choices, default=ApprovalStatus.ASKED)
    # The row that the act is about, where there is one, and its other particulars: ids, codes, numbers, times.
    target_id = models.UUIDField(null=True)
    particulars = models.JSONField(default=dict)
    # SHA-256 of kind, target and particulars: what was approved and nothing else. None of them is personal.
    request_hash = models.BinaryField(max_length=32)
    reason_code = models.SlugField(max_length=64)
    requested_by = models.CharField(max_length=80)
    requested_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    ground_code = models.SlugField(max_length=64, blank=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="approval_requester_is_not_approver",
                condition=Q(decided_by="") | ~Q(decided_by=F("requested_by")),
            ),
            models.CheckConstraint(
                name="approval_decision_has_a_decider",
                condition=Q(status__in=["asked", "expired"]) | ~Q(decided_by=""),
            ),
            models.CheckConstraint(
                name="approval_status_is_known",
                condition=Q(status__in=[status.value for status in ApprovalStatus]),
            ),
            models.UniqueConstraint(
                fields=["request_hash"],
                name="one_open_approval_per_request",
                condition=Q(status__in=["asked", "approved"]),
            ),
        ]
        indexes = [
            models.Index(
                fields=["expires_at"], name="approval_open", condition=Q(status__in=["asked", "approved"])
            )
        ]

    def __str__(self) -> str:
        return f"approval {self.pk}"
