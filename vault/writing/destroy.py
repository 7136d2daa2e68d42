"""Destroying what a memory says while its row stays: no ciphertext is left of any of its versions.

The road not taken: deleting the rows. Counts, dates and links would go with them, and a history with a gap
cannot be told from one that was tampered with.
"""

from __future__ import annotations

from audit.actions import Action as Event
from vault.models import Memory, MemoryVersion
from vault.retrieval.records import Content
from vault.types import Status
from vault.writing.contested import close_conflicts
from vault.writing.ground import Ground

NOTHING = Content(text="")


def destroy_content(memory: Memory, *, reason: str, ground: Ground, because: str = "") -> int:
    """Write a last, empty version and remove the ciphertext of every one before it; returns how many.

    `because` is the id of the memory on whose account it happens. Raises ValueError for one that is served.
    """
    if memory.status == Status.ACTIVE:
        raise ValueError("a memory that is served keeps its content")
    memory.destroyed_at = ground.now
    ground.write(memory, NOTHING, reason=reason, sealed=memory.namespace.sealed)
    earlier = MemoryVersion.objects.filter(
        memory=memory, number__lt=memory.version, destroyed_at__isnull=True
    )
    close_conflicts(memory, ground=ground)
    gone = earlier.update(ciphertext=b"", destroyed_at=ground.now)
    ground.note(Event.MEMORY_DESTROYED, memory, reason=reason, versions=gone, because=because)
    return gone
