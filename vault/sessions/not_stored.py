"""What of a session's drafts did not become a memory: set aside for a person, or refused. Codes and ids, no words.

It is kept where a running session keeps its topic, sealed under the subject's key; a session that is over has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from vault.crypto import SubjectKeys
from vault.models import QuarantinedWrite, Session, SessionStatus
from vault.retrieval.records import Content
from vault.retrieval.turns import open_state, seal_state

NOT_STORED = "not_stored"
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class NotStored:
    """A draft from a turn that waits for a person, or was refused with `code`.

    `state` is how the draft stands now; empty until somebody looks.
    """

    turn: int
    code: str = ""
    quarantine: UUID | None = None
    state: str = ""


def keep_not_stored(session: Session, drafts: Sequence[NotStored], *, keys: SubjectKeys) -> None:
    """Keep them with a locked session that is over."""
    if not drafts:
        return
    found = [[each.turn, each.code, str(each.quarantine or "")] for each in drafts]
    seal_state(session, Content("", metadata={NOT_STORED: found}), keys=keys)
    session.save(update_fields=["state", "state_revision"])


def not_stored_of(session: Session, *, keys: SubjectKeys) -> list[NotStored]:
    """What was kept, and how it stands now; a draft that is gone is left out. Needs the subject's rows open."""
    if session.status == SessionStatus.ACTIVE:
        return []
    kept = open_state(session, keys=keys).metadata.get(NOT_STORED, ())
    wanted = [UUID(quarantine) for _, _, quarantine in kept if quarantine]
    states = dict(QuarantinedWrite.objects.filter(pk__in=wanted).values_list("pk", "status"))
    found = []
    for turn, code, quarantine in kept:
        if not quarantine:
            found.append(NotStored(turn, code, state=REFUSED))
        elif (write := UUID(quarantine)) in states:
            found.append(NotStored(turn, code, write, states[write]))
    return found
