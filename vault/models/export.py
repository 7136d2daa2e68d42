"""Access exports: who asked for everything on a subject, where that stands, and the sealed bytes of the file."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from vault.models.identifiers import new_id


class ExportStatus(models.TextChoices):
    WAITING = "waiting_for_approval"
    QUEUED = "queued"
    RUNNING = "running"
    READY = "ready"
    EXPIRED = "expired"
    FAILED = "failed"
    REFUSED = "refused"


EXPORT_NEXT: dict[str, frozenset[str]] = {
    ExportStatus.WAITING: frozenset({ExportStatus.QUEUED, ExportStatus.REFUSED}),
    ExportStatus.QUEUED: frozenset({ExportStatus.RUNNING, ExportStatus.FAILED}),
    # A worker that was lost is followed by one that begins anew.
    ExportStatus.RUNNING: frozenset({ExportStatus.RUNNING, ExportStatus.READY, ExportStatus.FAILED}),
    ExportStatus.READY: frozenset({ExportStatus.EXPIRED}),
}
UNFINISHED_EXPORT = (ExportStatus.WAITING, ExportStatus.QUEUED, ExportStatus.RUNNING)


class AccessExport(models.Model):
    """One export of what is kept on a subject. It goes with the subject."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # No foreign key: its check would lock the subject's row against every writer with each part of the file.
    subject_id = models.UUIDField(db_index=True)
    # The agent that asked, if one did; only it may follow the export through the API.
    agent_id = models.UUIDField(null=True)
    # The namespaces (ids) that the file covers; null for all of them.
    namespaces = ArrayField(models.BigIntegerField(), null=True)
    status = models.CharField(max_length=20, choices=ExportStatus.choices, default=ExportStatus.WAITING)
    reason_code = models.SlugField(max_length=64)
    requested_by = models.CharField(max_length=80)
    requested_at = models.DateTimeField()
    # Counts the times that a worker began; what an earlier one still writes is refused.
    attempt = models.PositiveIntegerField(default=0)
    # The moment that the file tells of.
    as_of = models.DateTimeField(null=True)
    ready_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="export_status_is_known",
                condition=Q(status__in=[status.value for status in ExportStatus]),
            ),
            models.CheckConstraint(
                name="export_that_is_ready_expires",
                condition=~Q(status="ready") | Q(expires_at__isnull=False, ready_at__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["subject_id", "requested_by"],
                name="one_open_export_per_asker",
                condition=Q(status__in=[status.value for status in UNFINISHED_EXPORT]),
            ),
        ]
        indexes = [
            models.Index(fields=["expires_at"], name="export_due", condition=Q(status="ready")),
        ]

    def __str__(self) -> str:
        return f"access export {self.pk}"


class AccessExportPart(models.Model):
    """A stretch of the file, sealed under the subject's key and bound to its export, attempt and place."""

    export = models.ForeignKey(AccessExport, on_delete=models.PROTECT, db_index=False, related_name="parts")
    subject_id = models.UUIDField(db_index=True)
    number = models.PositiveIntegerField()
    ciphertext = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["export", "number"], name="one_export_part_per_place")]

    def __str__(self) -> str:
        return f"part {self.number} of access export {self.export_id}"
