"""Lives that policy gives: where they end, and when use or a repetition moves that end.

The end of a life is bound into the sealed version, so to move it writes one. So that reading does not write a
version each time, the end moves only when that is by a tenth of the life or more.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from audit.actions import Action as Event
from vault.models import Memory
from vault.retrieval.opening import open_current
from vault.types import MemoryDraft
from vault.writing.ground import Ground
from vault.writing.upkeep_policy import Life, UpkeepPolicy

STEP_SHARE = 0.1
RENEWED = "life_renewed"


def life_of(draft: MemoryDraft, policy: UpkeepPolicy) -> Life | None:
    """The life that policy gives a draft; None when its writer named an end, or no rule fits."""
    if draft.expires_at is not None:
        return None
    return policy.life_of(kind=draft.kind, attribute=draft.attribute, metadata=draft.metadata)


def renewed_end(memory: Memory, touched: datetime) -> datetime | None:
    """Where the end of its life moves to, reckoned from when it was last used or said; None: it stays."""
    if memory.life_days is None or memory.expires_at is None:
        return None
    life = timedelta(days=memory.life_days)
    end = touched + life
    return end if end - memory.expires_at >= life * STEP_SHARE else None


def renew(memory: Memory, end: datetime, *, ground: Ground, sealed: bool) -> None:
    """Move the end of a memory's life."""
    content = open_current(memory, keys=ground.keys)
    memory.expires_at = end
    ground.write(memory, content, reason=RENEWED, sealed=sealed)
    ground.note(Event.MEMORY_CHANGED, memory, reason=RENEWED, version=memory.version)
