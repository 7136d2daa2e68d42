"""Counting use: outside the read's transaction, so that no reader waits for it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from audit.log import relax_commit
from vault.models import Memory, isolation


def count_use(memories: Sequence[Memory]) -> None:
    """Note that these memories of one subject were served just now."""
    if not memories:
        return
    with transaction.atomic():
        relax_commit()
        isolation.open_whole_subject(memories[0].subject_id)
        # A memory that somebody is changing just now is passed over: counters never make a writer wait.
        free = Memory.objects.select_for_update(skip_locked=True, no_key=True).filter(
            pk__in=[memory.pk for memory in memories]
        )
        Memory.objects.filter(pk__in=[memory.pk for memory in free]).update(
            use_count=F("use_count") + 1, last_used_at=timezone.now()
        )
