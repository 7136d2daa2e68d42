"""How fast each caller calls: one small row a caller, shared by all processes and machines."""

from __future__ import annotations

from django.db import models


class CallRate(models.Model):
    """A leaky bucket: `empty_at` is when it will have run out. Unlogged: a crash only forgives."""

    # The id of a credential, or a keyed digest of an address; never a name.
    caller = models.UUIDField(primary_key=True)
    empty_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"rate of {self.pk}"
