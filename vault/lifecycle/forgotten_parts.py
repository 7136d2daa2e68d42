"""Forgetting a consolidated memory forgets what it was put together from, and taking that back takes both back.

Whoever forgets a statement means what it says, not the row in which it stands: the originals say the same, and would
stay readable in the archive.
"""

from __future__ import annotations

from audit.actions import Action as Event
from vault.models import Memory
from vault.types import Status
from vault.writing.ground import Ground, move_status
from vault.writing.withdrawal import CONSOLIDATED, ended_as, parents_of

# The last version of an original that was forgotten together with what it was put together into.
WITH_WHOLE = "whole_forgotten"


def forget_parts(whole: Memory, *, ground: Ground) -> int:
    """Forget the archived originals of a whole; returns how many. Needs the subject's lock."""
    if not whole.consolidated:
        return 0
    parts = list(parents_of(whole))
    move_status(
        parts, Status.FORGOTTEN, event=Event.MEMORY_FORGOTTEN, reason=WITH_WHOLE, ground=ground,
        sealed=whole.namespace.sealed, made=str(whole.pk),
    )  # fmt: skip
    return len(parts)


def archive_parts(whole: Memory, *, ground: Ground) -> int:
    """Put back into the archive what was forgotten with a whole and was not touched since; returns how many."""
    if not whole.consolidated:
        return 0
    parts = list(
        Memory.objects.filter(
            ended_as((WITH_WHOLE,)), pk__in=whole.derived_from, subject_id=whole.subject_id,
            status=Status.FORGOTTEN, destroyed_at__isnull=True,
        ).order_by("created_at", "pk")
    )  # fmt: skip
    move_status(
        parts, Status.ARCHIVED, event=Event.MEMORY_RESTORED, reason=CONSOLIDATED, ground=ground,
        sealed=whole.namespace.sealed, made=str(whole.pk),
    )  # fmt: skip
    return len(parts)
