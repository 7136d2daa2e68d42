"""What those who were served a memory said of it."""

from __future__ import annotations

from django.db import models

from vault.models.access import Namespace
from vault.models.identifiers import new_id
from vault.models.memory import Memory
from vault.models.subject import Subject


class MemoryFeedback(models.Model):
    """One caller's word on one memory on one day (UTC). The counters on the memory are the sum of these."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    memory = models.ForeignKey(Memory, on_delete=models.PROTECT, related_name="+", db_index=False)
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="+", db_index=True)
    namespace = models.ForeignKey(Namespace, on_delete=models.PROTECT, related_name="+", db_index=False)
    caller = models.CharField(max_length=80)
    day = models.DateField(db_index=True)
    useful = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["memory", "caller", "day"], name="one_word_per_caller_and_day")
        ]

    def __str__(self) -> str:
        return f"feedback {self.pk}"
