"""What a statement does to the memories it replaces."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from audit.actions import Action as Event
from vault.models import Memory
from vault.types import Status
from vault.writing.ground import Ground, move_status


def retire(superseded: Sequence[UUID], *, ground: Ground, sealed: bool) -> list[UUID]:
    """Give each superseded memory a last version of that status; it leaves every search."""
    rows = list(Memory.objects.filter(pk__in=superseded))
    move_status(
        rows, Status.SUPERSEDED, event=Event.MEMORY_SUPERSEDED, reason="superseded", ground=ground, sealed=sealed
    )  # fmt: skip
    return [row.pk for row in rows]
