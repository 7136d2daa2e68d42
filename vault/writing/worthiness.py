"""Refusing what is plainly not a memory: raw output of a tool, and chatter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.errors import NotWorthKeeping
from vault.retrieval import trail
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.types import MemoryDraft, SourceType
from vault.writing.worth import refused_as_write

ORIGIN = {SourceType.USER: "user", SourceType.EXTERNAL: "tool"}
POLICY = "worth_check"


def refuse_unworthy(
    draft: MemoryDraft, vector: NDArray[np.float32] | None, *, namespace: GrantedNamespace, scope: Scope
) -> None:
    """Raise NotWorthKeeping, recorded, for what nobody will need again; `reason` in its facts says why.

    An import is taken as it is, and so is everything where the namespace's policy says `worth_check: false`.
    """
    if draft.created_at is not None or namespace.policy.get(POLICY) is False:
        return
    origin = ORIGIN.get(draft.source.type, "agent")
    reason = refused_as_write(draft.text, origin=origin, vector=vector)
    if reason is None:
        return
    trail.note_refusal(
        Event.MEMORY_REFUSED, scope=scope, kind="namespace", target=str(namespace.id),
        reason=NotWorthKeeping.code, worth=reason.value,
    )  # fmt: skip
    raise NotWorthKeeping(f"{NotWorthKeeping.detail} It looks like {reason.value.replace('_', ' ')}.")
