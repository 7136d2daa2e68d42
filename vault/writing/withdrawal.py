"""Withdrawing what was put together, when one of the memories that it was made of is no longer what it was.

The others are active again with their own text, and the consolidated text is destroyed in every version of
it: a fact that was taken out must not live on inside a summary. A later consolidation may put the rest together.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from audit.actions import Action as Event
from vault.errors import CapReached
from vault.models import LegalHold, Memory
from vault.types import Status
from vault.writing.cap import make_room
from vault.writing.destroy import destroy_content
from vault.writing.ground import Ground, move_status
from vault.writing.store import has_twin

WITHDRAWN = "parent_changed"
CONSOLIDATED = "consolidated"


def withdraw_consolidated(parent: Memory, *, ground: Ground) -> tuple[UUID, ...]:
    """Withdraw every consolidated memory that holds this one; returns their ids.

    The parent itself keeps its status: the caller decides about it. Under a hold the text is hidden, and
    destroyed by the retention job when the hold has gone.
    """
    made = Memory.objects.filter(
        subject=ground.subject,
        consolidated=True,
        destroyed_at__isnull=True,
        derived_from__contains=[parent.pk],
    )
    rows = list(made.select_related("namespace"))
    for row in rows:
        if row.status == Status.ACTIVE:
            bring_back(row, ground=ground, reason=WITHDRAWN, leave=parent.pk)
        _give_up(row, parent, ground)
    return tuple(row.pk for row in rows)


def bring_back(made: Memory, *, ground: Ground, reason: str, leave: UUID | None = None) -> list[Memory]:
    """Make the archived parents of a consolidated memory active again, and the memory itself forgotten.

    A parent stays archived when another active memory says the same by now, or its time has run out.
    """
    sealed = made.namespace.sealed
    facts = {"made": str(made.pk)}
    move_status(
        [made], Status.FORGOTTEN, event=Event.CONSOLIDATION_UNDONE, reason=reason, ground=ground, sealed=sealed,
        because=str(leave or ""),
    )  # fmt: skip
    back = [row for row in parents_of(made) if row.pk != leave and _may_stand(row, ground)]
    for row in back:
        move_status(
            [row], Status.ACTIVE, event=Event.MEMORY_RESTORED, reason=reason, ground=ground, sealed=sealed, **facts
        )  # fmt: skip
    return back


def parents_of(made: Memory) -> Sequence[Memory]:
    """The archived memories that a consolidated one was made of, the oldest first."""
    rows = Memory.objects.filter(
        pk__in=made.derived_from,
        subject_id=made.subject_id,
        status=Status.ARCHIVED,
        destroyed_at__isnull=True,
    )
    return list(rows.order_by("created_at", "pk"))


def _may_stand(row: Memory, ground: Ground) -> bool:
    over = row.expires_at is not None and row.expires_at <= ground.now
    return not over and not has_twin(row, bytes(row.fingerprint))


def _give_up(row: Memory, parent: Memory, ground: Ground) -> None:
    held = LegalHold.objects.filter(subject=ground.subject, released_at__isnull=True).exists()
    if not held:
        destroy_content(row, reason=WITHDRAWN, ground=ground, because=str(parent.pk))
    try:
        make_room(namespace=row.namespace, ground=ground, coming=0)
    except CapReached:
        # All that is left is pinned or held: nothing that a parent's return could push out.
        return
