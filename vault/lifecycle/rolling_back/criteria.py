"""What to undo: whose writes, and of which stretch of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from vault.errors import InvalidField
from vault.types import SourceType


@dataclass(frozen=True, slots=True)
class Criteria:
    """Writes from `since` up to, and without, `until`; all that is given has to hold.

    Of an agent, all it wrote: through its tokens, the tokens it issued, and what was released for it. Of a
    source or a session alone, what it created. Raises InvalidField when nothing says whose writes, or the
    stretch has no length: an empty wish must not undo everything.
    """

    since: datetime
    until: datetime
    agent_id: UUID | None = None
    source_type: SourceType | None = None
    # The caller's own note; it may be personal and is kept nowhere.
    source_ref: str = field(default="", repr=False)
    session_id: UUID | None = None
    namespace_id: int | None = None

    def __post_init__(self) -> None:
        if not (self.agent_id or self.source_type or self.source_ref or self.session_id):
            raise InvalidField("Say whose writes: an agent, a source or a session.", pointer="/")
        if self.since >= self.until:
            raise InvalidField("The stretch of time has to end after it begins.", pointer="/until")

    @property
    def by_agent(self) -> bool:
        """Whether changes count as well as creations: only an agent is named by each version."""
        return self.agent_id is not None and self.session_id is None
