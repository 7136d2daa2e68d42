"""Rules that staff write themselves: a pattern and what happens to a text that it matches."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from vault.models.access import Namespace
from vault.models.identifiers import new_id
from vault.types import RuleAction


class Rule(models.Model):
    """A rule of one namespace, or of all. Its newest version may be a draft beside the one that is live."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.SlugField(max_length=48, unique=True)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, null=True, related_name="+")
    # Rules are read in this order; where two say how to store a text, the first decides.
    position = models.PositiveIntegerField()
    version = models.PositiveIntegerField(default=1)
    live_version = models.PositiveIntegerField(null=True)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField()
    hits = models.PositiveBigIntegerField(default=0)
    last_hit_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                name="rule_live_version_exists",
                condition=Q(live_version__isnull=True) | Q(live_version__lte=F("version")),
            )
        ]

    def __str__(self) -> str:
        return f"rule {self.pk}"


class RuleVersion(models.Model):
    """What a rule said at one time; immutable but for the outcome of its trial."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    rule = models.ForeignKey(Rule, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    # Screened like a memory before it is kept: a pattern must not be what it looks for.
    pattern = models.CharField(max_length=500)
    action = models.CharField(max_length=20)
    # The slot that a preference goes to, for the action that stores one.
    slot = models.SlugField(max_length=64, blank=True)
    author = models.CharField(max_length=80)
    written_at = models.DateTimeField()
    # Over how many past texts it was tried, and how many it matched; null until then.
    tried_at = models.DateTimeField(null=True)
    tried_on = models.PositiveIntegerField(null=True)
    matched = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["rule", "number"], name="one_rule_version_per_number"),
            models.CheckConstraint(
                name="rule_action_is_known",
                condition=Q(action__in=[action.value for action in RuleAction]),
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of rule {self.rule_id}"
