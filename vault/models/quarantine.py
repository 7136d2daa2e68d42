"""Writes set aside for a person: sealed, not searchable, not embedded, in no context."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from vault.errors import AlreadyDecided
from vault.models.access import Namespace
from vault.models.identifiers import new_id
from vault.models.subject import Subject
from vault.types import QuarantineStatus

NEXT_STATUS: dict[QuarantineStatus, frozenset[QuarantineStatus]] = {
    QuarantineStatus.PENDING: frozenset(
        {QuarantineStatus.RELEASED, QuarantineStatus.REJECTED, QuarantineStatus.LAPSED}
    ),
}


class QuarantinedWrite(models.Model):
    """A draft that waits for a person's decision. The draft and its findings stand only in the ciphertext."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="quarantined")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+")
    agent_id = models.UUIDField(null=True, db_index=True)
    source_type = models.CharField(max_length=8)
    trust = models.CharField(max_length=12)
    status = models.CharField(max_length=8, default=QuarantineStatus.PENDING.value)
    reasons = ArrayField(models.CharField(max_length=64))
    # Which rules and models spoke (see vault.writing.codes); what a sensitive finding is about is not in it.
    detectors = ArrayField(models.CharField(max_length=128), default=list)
    # Grows by one with every change of the draft; a decision names the revision that was read.
    revision = models.PositiveIntegerField(default=1)
    ciphertext = models.BinaryField()
    # The memory that a change was meant for, if it was not a new write.
    memory_id = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    lapses_at = models.DateTimeField()
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    reason_code = models.CharField(max_length=64, blank=True)
    # The memory that a release became.
    released_as = models.UUIDField(null=True)
    # Who works on it, for a while: shown to the others, and no obstacle to a decision.
    assigned_to = models.CharField(max_length=80, blank=True)
    claimed_until = models.DateTimeField(null=True)
    # What reviewers wrote to each other about it, under the subject's key.
    sealed_notes = models.BinaryField(default=bytes)

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="quarantine_pending", condition=Q(status="pending"))]
        constraints = [
            models.CheckConstraint(
                name="quarantine_decision_has_a_decider",
                condition=Q(status__in=["pending", "lapsed"]) | ~Q(decided_by=""),
            ),
            models.CheckConstraint(
                name="quarantine_status_is_known",
                condition=Q(status__in=[status.value for status in QuarantineStatus]),
            ),
        ]

    def __str__(self) -> str:
        return f"quarantined write {self.pk}"

    def move_to(self, status: QuarantineStatus, *, by: str) -> None:
        """Take a decision; raises AlreadyDecided when one was taken before."""
        if status not in NEXT_STATUS.get(QuarantineStatus(self.status), frozenset()):
            raise AlreadyDecided
        self.status, self.decided_by = status.value, by
