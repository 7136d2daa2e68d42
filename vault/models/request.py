"""Rows about requests themselves: answers kept for replay, and jobs."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from vault.models.identifiers import new_id


class IdempotencyRecord(models.Model):
    """The first answer to an Idempotency-Key, sealed under its subject's key; gone with the subject."""

    caller = models.CharField(max_length=80)
    endpoint = models.CharField(max_length=120)
    key_hash = models.BinaryField(max_length=32)
    # Keyed digest of method, path and body: another body under the same key is refused.
    request_hash = models.BinaryField(max_length=32)
    subject_id = models.UUIDField(null=True, db_index=True)
    # Null while the first request is still running.
    status_code = models.PositiveSmallIntegerField(null=True)
    sealed_answer = models.BinaryField(default=bytes)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["caller", "endpoint", "key_hash"], name="one_answer_per_idempotency_key"
            )
        ]

    def __str__(self) -> str:
        return f"idempotency record {self.pk}"


class JobKind(models.TextChoices):
    ERASURE = "erasure"
    EXPORT = "export"
    ROLLBACK = "rollback"
    CONSOLIDATION = "consolidation"


class JobStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(models.Model):
    """A piece of work as a row: the broker's message is only a nudge that carries this id."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=16, choices=JobKind.choices)
    status = models.CharField(max_length=8, choices=JobStatus.choices, default=JobStatus.QUEUED)
    # The row that the job works on; never text.
    target_id = models.UUIDField()
    attempts = models.PositiveSmallIntegerField(default=0)
    # A worker owns the job until then; afterwards the sweeper may hand it out again.
    leased_until = models.DateTimeField(null=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "target_id"],
                name="one_live_job_per_target",
                condition=Q(status__in=["queued", "running"]),
            )
        ]
        indexes = [models.Index(fields=["status", "leased_until"], name="job_to_sweep")]

    def __str__(self) -> str:
        return f"job {self.pk}"
