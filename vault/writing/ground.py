"""The locked subject that a write comes down on, and moving the status of what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.canonical import Fact
from vault.crypto import SubjectKeys
from vault.models import Memory, Subject
from vault.retrieval import trail
from vault.retrieval.opening import current_versions, open_content
from vault.retrieval.records import Content
from vault.retrieval.scope import Scope
from vault.types import Status
from vault.writing.store import write_version


@dataclass(frozen=True, slots=True)
class Ground:
    """A subject under its lock, with who writes and when; its rows are open to the transaction."""

    subject: Subject
    keys: SubjectKeys
    scope: Scope
    now: datetime

    def write(self, memory: Memory, content: Content, *, reason: str, sealed: bool) -> Memory:
        """The next version of a memory whose labels were changed on the row."""
        return write_version(
            memory, content, subject=self.subject, author=self.scope.author, reason_code=reason, now=self.now,
            sealed=sealed, keys=self.keys,
        )  # fmt: skip

    def note(self, event: Event, memory: Memory, *, reason: str = "", **facts: Fact) -> None:
        trail.note(
            event, scope=self.scope, kind="memory", target=memory.pk, subject_ref=self.keys.audit_reference,
            outcome=Outcome.OK, reason=reason, **facts,
        )  # fmt: skip


def move_status(
    rows: Sequence[Memory],
    status: Status,
    *,
    event: Event,
    reason: str,
    ground: Ground,
    sealed: bool,
    **facts: Fact,
) -> None:
    """Give each memory a version of that status with its content as it is, and an entry."""
    versions = current_versions(rows)
    for row in rows:
        content = open_content(row, versions[row.pk], keys=ground.keys)
        row.status = status.value
        ground.write(row, content, reason=reason, sealed=sealed)
        ground.note(event, row, reason=reason, **facts)
