"""The log's four tables. Rows are only ever inserted: triggers refuse UPDATE and DELETE even to their owner.

No foreign keys: an entry outlives everything it speaks of, and a leaf must be able to outlive its entry, or
nobody could tell that one was deleted.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.functions import Now

from audit import canonical

CODE_CHARACTERS = 64


class AuditEntry(models.Model):
    """One thing that happened, in codes, ids and counts. `id` orders nothing and proves nothing."""

    uuid = models.UUIDField(unique=True)
    # The database's clock, so that the entries of many machines share one.
    at = models.DateTimeField(db_default=Now())
    action = models.CharField(max_length=CODE_CHARACTERS)
    outcome = models.CharField(max_length=CODE_CHARACTERS)
    actor_kind = models.CharField(max_length=CODE_CHARACTERS)
    actor_id = models.CharField(max_length=CODE_CHARACTERS, blank=True)
    target_kind = models.CharField(max_length=CODE_CHARACTERS)
    target_id = models.CharField(max_length=CODE_CHARACTERS, blank=True)
    subject_ref = models.CharField(max_length=CODE_CHARACTERS, blank=True)
    request_id = models.CharField(max_length=CODE_CHARACTERS, blank=True)
    reason = models.CharField(max_length=CODE_CHARACTERS, blank=True)
    facts = models.JSONField(default=dict)

    class Meta:
        db_table = "audit_entry"
        indexes = [
            models.Index(fields=["at", "id"], name="audit_entry_at"),
            models.Index(
                fields=["subject_ref", "at"],
                name="audit_entry_subject",
                condition=~models.Q(subject_ref=""),
            ),
            models.Index(fields=["target_id", "at"], name="audit_entry_target"),
            models.Index(fields=["actor_id", "at"], name="audit_entry_actor"),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    def leaf_bytes(self, seq: int) -> bytes:
        """The bytes of this entry at place `seq`: every field but the table's own row number."""
        fields: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "action",
                "outcome",
                "actor_kind",
                "actor_id",
                "target_kind",
                "target_id",
                "subject_ref",
                "request_id",
                "reason",
                "facts",
            )
        }
        return canonical.leaf_bytes(seq, {**fields, "uuid": str(self.uuid), "at": canonical.instant(self.at)})


class AuditLeaf(models.Model):
    """The place of one entry in the tree: `seq` counts from 0 without gaps, in the order of sealing."""

    seq = models.BigIntegerField(primary_key=True)
    entry_id = models.BigIntegerField(unique=True)
    hash = models.BinaryField(max_length=32)

    class Meta:
        db_table = "audit_leaf"

    def __str__(self) -> str:
        return str(self.seq)


class AuditNode(models.Model):
    """A complete subtree of 2**level leaves, the position-th of its level; level 0 is AuditLeaf."""

    pk = models.CompositePrimaryKey("level", "position")
    level = models.SmallIntegerField()
    position = models.BigIntegerField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        db_table = "audit_node"

    def __str__(self) -> str:
        return f"{self.level}/{self.position}"


class Checkpoint(models.Model):
    """A signed tree head: `note` is what was signed, the other columns are read from it."""

    size = models.BigIntegerField(primary_key=True)
    root = models.BinaryField(max_length=32)
    key_id = models.CharField(max_length=128)
    note = models.TextField()

    class Meta:
        db_table = "audit_checkpoint"

    def __str__(self) -> str:
        return str(self.size)


APPEND_ONLY_TABLES = frozenset(
    model._meta.db_table for model in (AuditEntry, AuditLeaf, AuditNode, Checkpoint)
)
