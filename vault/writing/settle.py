"""What a statement does to the memories it replaces or contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from audit.actions import Action as Event
from vault.models import Conflict, Memory
from vault.models.identifiers import new_id
from vault.types import Status
from vault.writing.ground import Ground, move_status


def retire(superseded: Sequence[UUID], *, ground: Ground, sealed: bool) -> list[UUID]:
    """Give each superseded memory a last version of that status; it leaves every search."""
    rows = list(Memory.objects.filter(pk__in=superseded))
    move_status(
        rows, Status.SUPERSEDED, event=Event.MEMORY_SUPERSEDED, reason="superseded", ground=ground, sealed=sealed
    )  # fmt: skip
    return [row.pk for row in rows]


def open_conflicts(challenger: Memory, standing: Sequence[UUID], *, ground: Ground) -> tuple[UUID, ...]:
    """Put what a memory contradicts, and may not replace, before a person; returns the conflicts' ids."""
    conflicts = [
        Conflict(
            id=new_id(),
            subject=ground.subject,
            namespace_id=challenger.namespace_id,
            standing_id=memory_id,
            challenger=challenger,
        )
        for memory_id in standing
    ]
    Conflict.objects.bulk_create(conflicts)
    return tuple(conflict.pk for conflict in conflicts)
