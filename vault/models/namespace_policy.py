"""What a namespace's policy said at every time, and changes of it that wait for a second person."""

from __future__ import annotations

from django.db import models

from vault.models.access import Namespace
from vault.models.identifiers import new_id


class NamespacePolicyVersion(models.Model):
    """A policy as it was in force from `created_at` on; append-only.

    Numbers have gaps: a namespace's version also rises when a rule of staff is switched. `author` is empty for a
    policy that was found in force and that nobody wrote through the vault.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="policy_versions")
    version = models.PositiveIntegerField()
    policy = models.JSONField()
    purpose = models.CharField(max_length=200, blank=True)
    sealed = models.BooleanField()
    author = models.CharField(max_length=80, blank=True)
    approved_by = models.CharField(max_length=80, blank=True)
    # Screened like a memory before it is kept: it stands in clear, and must tell of no person.
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["namespace", "version"], name="one_policy_per_version"),
        ]

    def __str__(self) -> str:
        return f"policy version {self.version} of namespace {self.namespace_id}"


class PolicyProposal(models.Model):
    """A change that lets through more than before: what stood when it was asked for, and what would stand."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+")
    before = models.JSONField()
    after = models.JSONField()
    purpose_before = models.CharField(max_length=200, blank=True)
    purpose_after = models.CharField(max_length=200, blank=True)
    reason = models.CharField(max_length=200)
    author = models.CharField(max_length=80)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"policy proposal {self.pk}"
