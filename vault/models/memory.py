"""Memories, their immutable versions, and the two indexes that let sealed text be found.

Labels stand in clear, for filters, and again inside the associated data of the ciphertext: one that
was changed in SQL does not open. Text, attribute, metadata, source reference and the exact vector stand
only inside the ciphertext.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from vault.models.access import Namespace
from vault.models.identifiers import new_id
from vault.models.subject import Subject
from vault.types import Kind, SourceType, Status, Trust


def one_of(name: str, values: type[Kind] | type[SourceType] | type[Status] | type[Trust]) -> Q:
    return Q(**{f"{name}__in": [value.value for value in values]})


class Labels(models.Model):
    """The labels that a version binds into its ciphertext."""

    kind = models.CharField(max_length=8)
    source_type = models.CharField(max_length=8)
    # The agent that wrote it; null for staff and system.
    agent_id = models.UUIDField(null=True)
    trust = models.CharField(max_length=12)
    status = models.CharField(max_length=12)
    importance = models.FloatField()
    volatile = models.BooleanField()
    occurred_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        abstract = True


class Memory(Labels):
    """One remembered statement, as it stands now."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="memories", db_index=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, db_index=False)
    version = models.PositiveIntegerField(default=1)
    # Keyed digests under the subject's key: of the normalised text, and of the slot that a fact fills.
    fingerprint = models.BinaryField(max_length=32)
    attribute_hash = models.BinaryField(max_length=16, null=True)
    session_id = models.UUIDField(null=True)
    superseded_by = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, db_index=False, related_name="+"
    )
    derived_from = ArrayField(models.UUIDField(), default=list)
    pinned = models.BooleanField(default=False)
    # Counters and dates that move without a change of content; not part of the associated data.
    updated_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    seen_count = models.PositiveIntegerField(default=1)
    use_count = models.PositiveIntegerField(default=0)
    # What those who were served it said of it.
    useful_count = models.PositiveIntegerField(default=0)
    useless_count = models.PositiveIntegerField(default=0)
    # The life that policy gave it; null when the writer named its end, or it has none.
    life_days = models.PositiveIntegerField(null=True)
    life_extends = models.BooleanField(default=False)
    # Put together from the archived memories in `derived_from`.
    consolidated = models.BooleanField(default=False)
    # When its content was destroyed; the row and its counts stay.
    destroyed_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["subject", "namespace", "status"], name="memory_by_subject"),
            models.Index(
                fields=["last_used_at"],
                name="memory_extending",
                condition=Q(life_extends=True, status="active"),
            ),
            models.Index(fields=["subject"], name="memory_consolidated", condition=Q(consolidated=True)),
            models.Index(fields=["subject", "created_at", "id"], name="memory_by_age"),
            models.Index(fields=["expires_at"], name="memory_due", condition=Q(expires_at__isnull=False)),
            models.Index(
                fields=["superseded_by"], name="memory_successor", condition=Q(superseded_by__isnull=False)
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["subject", "namespace", "fingerprint"],
                name="one_active_memory_per_statement",
                condition=Q(status="active"),
            ),
            models.CheckConstraint(name="memory_kind_is_known", condition=one_of("kind", Kind)),
            models.CheckConstraint(
                name="memory_source_is_known", condition=one_of("source_type", SourceType)
            ),
            models.CheckConstraint(name="memory_trust_is_known", condition=one_of("trust", Trust)),
            models.CheckConstraint(name="memory_status_is_known", condition=one_of("status", Status)),
            models.CheckConstraint(
                name="memory_importance_in_bounds", condition=Q(importance__gte=0, importance__lte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"memory {self.pk}"


class MemoryVersion(Labels):
    """The immutable content of a memory at one moment. `created_at` is the memory's, `written_at` its own."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="versions", db_index=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, db_index=False, related_name="+")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, db_index=False, related_name="+")
    number = models.PositiveIntegerField()
    ciphertext = models.BinaryField()
    # SHA-256 of the ciphertext: what the subject's manifest adds up.
    digest = models.BinaryField(max_length=32)
    # Who wrote this version ("agent:<id>", "staff:<id>", "system:<name>"), why (a code), and when.
    author = models.CharField(max_length=80)
    reason_code = models.CharField(max_length=64)
    written_at = models.DateTimeField()
    # When its ciphertext was removed; the row stays, so that the history has no gap.
    destroyed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "number"], name="one_version_per_number")]
        indexes = [
            models.Index(fields=["subject", "namespace"], name="version_by_subject"),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of memory {self.memory_id}"


class MemoryIndex(models.Model):
    """What finds a memory: its protected vector and the length of its keyword text.

    Stands only for memories that may be served; a memory that leaves the active set loses its row. No
    approximate index: under a small subject it silently loses rows, and an exact scan is faster.
    """

    memory = models.OneToOneField(Memory, on_delete=models.PROTECT, primary_key=True, related_name="index")
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, db_index=False, related_name="+")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, db_index=False, related_name="+")
    vector = HalfVectorField(null=True)
    length = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["subject", "namespace"], name="memoryindex_by_subject"),
            models.Index(fields=["memory"], name="memoryindex_to_embed", condition=Q(vector__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"index of memory {self.memory_id}"


class KeywordPosting(models.Model):
    """One keyed token of one memory: the blind index. It says nothing without the subject's key."""

    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, db_index=True, related_name="+")
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, db_index=False, related_name="+")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, db_index=False, related_name="+")
    token = models.BinaryField(max_length=16)
    frequency = models.FloatField()

    class Meta:
        indexes = [models.Index(fields=["subject", "token"], name="posting_by_token")]

    def __str__(self) -> str:
        return f"posting {self.pk}"


class ConflictStatus(models.TextChoices):
    OPEN = "open"
    KEPT = "kept"
    REPLACED = "replaced"
    BOTH = "both"
    CLOSED = "closed"


class ConflictKind(models.TextChoices):
    STATEMENT = "statement"
    ROLLBACK = "rollback"


class Conflict(models.Model):
    """A later statement that contradicts one it may not replace; a person decides.

    Of kind `rollback`, both are one memory: somebody wrote to it after what was to be undone, and going back
    to `to_version` (0: before the first) would lose that.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, db_index=True, related_name="+")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, db_index=False, related_name="+")
    standing = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="challenged_by")
    challenger = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="challenges")
    kind = models.CharField(max_length=12, choices=ConflictKind.choices, default=ConflictKind.STATEMENT)
    to_version = models.PositiveIntegerField(null=True)
    status = models.CharField(max_length=8, choices=ConflictStatus.choices, default=ConflictStatus.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    reason_code = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="conflict_decision_has_a_decider", condition=Q(status="open") | ~Q(decided_by="")
            ),
            models.CheckConstraint(
                name="conflict_goes_back_to_a_version",
                condition=~Q(kind="rollback") | Q(to_version__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["created_at"], name="conflict_open", condition=Q(status="open"))]

    def __str__(self) -> str:
        return f"conflict {self.pk}"
