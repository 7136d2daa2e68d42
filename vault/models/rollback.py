"""Rollbacks of many memories: what was asked to be undone, fixed as a list, and how far it is."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.db import models
from django.db.models import F, Q

from vault.models.access import Namespace
from vault.models.identifiers import new_id
from vault.models.memory import Memory
from vault.models.quarantine import QuarantinedWrite
from vault.models.subject import Subject


class RollbackStatus(models.TextChoices):
    REQUESTED = "requested"
    RUNNING = "running"
    DONE = "done"


ROLLBACK_NEXT: dict[str, frozenset[str]] = {
    RollbackStatus.REQUESTED: frozenset({RollbackStatus.RUNNING}),
    RollbackStatus.RUNNING: frozenset({RollbackStatus.DONE}),
}


class BulkRollback(models.Model):
    """What one agent, source or session wrote in a stretch of time, to be undone.

    It knows no subject. A source's reference may be personal and belongs to no one subject, so that no key
    could seal it and go with an erasure: it is used for the preview, and only that it was is kept. What is
    undone is the list of items that the preview gave.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    status = models.CharField(max_length=10, choices=RollbackStatus.choices, default=RollbackStatus.REQUESTED)
    agent_id = models.UUIDField(null=True)
    source_type = models.CharField(max_length=8, blank=True)
    by_reference = models.BooleanField(default=False)
    session_id = models.UUIDField(null=True)
    since = models.DateTimeField()
    until = models.DateTimeField()
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, null=True, related_name="+")
    reason_code = models.SlugField(max_length=64)
    # SHA-256 over the items as they were previewed: what a second person approves.
    items_digest = models.BinaryField(max_length=32)
    total = models.PositiveIntegerField()
    requested_by = models.CharField(max_length=80)
    requested_at = models.DateTimeField()
    approval_id = models.UUIDField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rollback_status_is_known",
                condition=Q(status__in=[status.value for status in RollbackStatus]),
            ),
            models.CheckConstraint(
                name="rollback_names_whose_writes",
                condition=Q(agent_id__isnull=False)
                | ~Q(source_type="")
                | Q(by_reference=True)
                | Q(session_id__isnull=False),
            ),
            models.CheckConstraint(name="rollback_window_has_a_length", condition=Q(since__lt=F("until"))),
        ]

    def __str__(self) -> str:
        return f"rollback {self.pk}"


class RollbackKind(models.TextChoices):
    """What a rollback does to one row; carried out in this order."""

    RESTORE = "restore"  # a changed memory goes back to the version before
    FORGET = "forget"  # a created one is hidden
    STALE = "stale"  # what was derived from either is hidden
    REVIVE = "revive"  # what a hidden one had replaced or absorbed is served again
    REJECT = "reject"  # a write that still waits for review is kept out
    CONFLICT = "conflict"  # somebody else wrote since: a person decides


class ItemStatus(models.TextChoices):
    PENDING = "pending"
    DONE = "done"
    SKIPPED = "skipped"
    CONFLICT = "conflict"
    FAILED = "failed"


class BulkRollbackItem(models.Model):
    """One memory, or one quarantined write, of a rollback; gone with its subject."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    rollback = models.ForeignKey(BulkRollback, on_delete=models.PROTECT, related_name="items", db_index=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="+")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, db_index=False, related_name="+")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=RollbackKind.choices)
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, null=True, related_name="+")
    write = models.ForeignKey(QuarantinedWrite, on_delete=models.PROTECT, null=True, related_name="+")
    # The version (or revision) that the preview saw, and the one to go back to; 0 is before the first.
    seen_version = models.PositiveIntegerField()
    to_version = models.PositiveIntegerField(default=0)
    to_status = models.CharField(max_length=12, blank=True)
    # The version that was written for it.
    result_version = models.PositiveIntegerField(null=True)
    status = models.CharField(max_length=8, choices=ItemStatus.choices, default=ItemStatus.PENDING)
    outcome_code = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rollback", "position"], name="one_rollback_item_per_position"),
            models.CheckConstraint(
                name="rollback_item_kind_is_known",
                condition=Q(kind__in=[kind.value for kind in RollbackKind]),
            ),
            models.CheckConstraint(
                name="rollback_item_status_is_known",
                condition=Q(status__in=[status.value for status in ItemStatus]),
            ),
            models.CheckConstraint(
                name="rollback_item_is_of_one_row",
                condition=Q(memory__isnull=True, write__isnull=False)
                | Q(memory__isnull=False, write__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"rollback item {self.pk}"

    @property
    def row_id(self) -> UUID:
        """The memory or the quarantined write that the item is about: one of the two, by constraint."""
        return cast(UUID, self.memory_id or self.write_id)
