"""Subjects, what holds them back, and the requests to erase them."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from vault.models.identifiers import new_id


class Subject(models.Model):
    """Who or what memories are about; the isolation boundary.

    The caller's own id for the subject is personal data: it stands here only as a keyed hash, for the
    look-up, and sealed under the subject's own key, to be shown. After an erasure the hash stays, so that
    a later write is refused.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    reference_hash = models.BinaryField(max_length=32, unique=True)
    sealed_reference = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(auto_now_add=True)
    last_activity_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    # The namespaces that had something of it at its erasure: only who reads there is told that it was erased.
    erased_in = ArrayField(models.BigIntegerField(), default=list)
    # Article 18 GDPR: kept and still written to, but served to no agent.
    restricted_at = models.DateTimeField(null=True)
    # The manifest of the set of current versions: see vault.crypto.manifest.
    manifest_value = models.BinaryField(default=bytes)
    manifest_count = models.PositiveIntegerField(default=0)
    manifest_sequence = models.PositiveBigIntegerField(default=0)
    manifest_mac = models.BinaryField(default=bytes)

    def __str__(self) -> str:
        return f"subject {self.pk}"


class LegalHold(models.Model):
    """Stops expiry and erasure of one subject until it is released."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="holds")
    reason_code = models.SlugField(max_length=64)
    placed_by = models.CharField(max_length=64)
    placed_at = models.DateTimeField(auto_now_add=True)
    released_by = models.CharField(max_length=64, blank=True)
    released_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"hold {self.pk}"


class ErasureStatus(models.TextChoices):
    RECEIVED = "received"
    VERIFIED = "verified"
    ON_HOLD = "on_hold"
    APPROVED = "approved"
    REFUSED = "refused"
    EXECUTING = "executing"
    DONE = "done"


ERASURE_NEXT: dict[str, frozenset[str]] = {
    ErasureStatus.RECEIVED: frozenset({ErasureStatus.VERIFIED, ErasureStatus.REFUSED, ErasureStatus.ON_HOLD}),
    ErasureStatus.VERIFIED: frozenset({ErasureStatus.APPROVED, ErasureStatus.REFUSED, ErasureStatus.ON_HOLD}),
    ErasureStatus.ON_HOLD: frozenset({ErasureStatus.VERIFIED, ErasureStatus.APPROVED, ErasureStatus.REFUSED}),
    ErasureStatus.APPROVED: frozenset({ErasureStatus.EXECUTING, ErasureStatus.ON_HOLD}),
    ErasureStatus.EXECUTING: frozenset({ErasureStatus.DONE}),
}


class ErasureRequest(models.Model):
    """A request to erase a subject: asked by one, approved by another, executed by a job."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # No foreign key: the request and its certificate outlive the subject's rows.
    subject_id = models.UUIDField(db_index=True)
    # The agent that asked, if one did; only it may follow the request through the API.
    agent_id = models.UUIDField(null=True)
    status = models.CharField(max_length=12, choices=ErasureStatus.choices, default=ErasureStatus.RECEIVED)
    reason_code = models.SlugField(max_length=64)
    sealed_evidence = models.BinaryField(default=bytes)
    requested_by = models.CharField(max_length=80)
    requested_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    ground_code = models.SlugField(max_length=64, blank=True)
    executed_at = models.DateTimeField(null=True)
    # The signed certificate as it was issued: counts, dates and ids, no personal data.
    certificate = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="erasure_requester_is_not_approver",
                condition=Q(decided_by="") | ~Q(decided_by=F("requested_by")),
            ),
            models.CheckConstraint(
                name="erasure_decision_has_a_decider",
                condition=Q(status__in=["received", "verified", "on_hold"]) | ~Q(decided_by=""),
            ),
            models.UniqueConstraint(
                fields=["subject_id"],
                name="one_open_erasure_per_subject",
                condition=~Q(status__in=["refused", "done"]),
            ),
        ]

    def __str__(self) -> str:
        return f"erasure request {self.pk}"
