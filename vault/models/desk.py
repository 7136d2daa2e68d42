"""What the review desk remembers beside the writes: filters that staff keep, and patterns that they allow."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from vault.models.access import Agent, Namespace, StaffUser
from vault.models.identifiers import new_id

LONGEST_ALLOWANCE = timedelta(days=90)


class SavedFilter(models.Model):
    """A view of the queue that one member of staff keeps. It names no subject and no write."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    staff = models.ForeignKey(StaffUser, on_delete=models.CASCADE, related_name="saved_filters")
    name = models.CharField(max_length=40)
    # Codes, names of namespaces and ids of agents, by the names that they have in the address.
    query = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff", "name"], name="one_saved_filter_per_staff_and_name")
        ]

    def __str__(self) -> str:
        return f"saved filter {self.pk}"


class AllowedPattern(models.Model):
    """What one agent may write in one namespace although a detector speaks, until a date; it knows no subject."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="allowed_patterns")
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+")
    codes = ArrayField(models.CharField(max_length=128))
    until = models.DateTimeField()
    reason_code = models.SlugField(max_length=64)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    revoked_by = models.CharField(max_length=80, blank=True)
    revoked_at = models.DateTimeField(null=True)
    hits = models.PositiveIntegerField(default=0)
    last_hit_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="allowed_pattern_ends_in_time",
                condition=Q(until__gt=F("created_at")) & Q(until__lte=F("created_at") + LONGEST_ALLOWANCE),
            ),
            models.CheckConstraint(
                name="allowed_pattern_revocation_has_an_author",
                condition=Q(revoked_at__isnull=True) | ~Q(revoked_by=""),
            ),
            models.CheckConstraint(name="allowed_pattern_names_a_code", condition=Q(codes__len__gt=0)),
        ]
        indexes = [
            models.Index(
                fields=["agent", "namespace", "until"],
                name="allowed_pattern_live",
                condition=Q(revoked_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"allowed pattern {self.pk}"
