"""Asking a language model about statements that the words leave in doubt, before the transaction that stores.

No lock is held while it thinks. A memory that reads otherwise by the time of the write is judged by the words alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from audit.actions import Action as Event
from vault.errors import InvalidField
from vault.keys import key_vault
from vault.language_model import GARBAGE, ModelFailed, as_line, ask_model, may_ask
from vault.models import isolation
from vault.retrieval import trail
from vault.retrieval.scope import GrantedNamespace, Scope
from vault.retrieval.subjects import find_subject
from vault.types import MemoryDraft, ModelUse, Trust
from vault.writing.neighbours import find_neighbours
from vault.writing.reconcile import Neighbour, doubts
from vault.writing.reconciling.opinion import MODEL, NO_OPINIONS, Choice, Opinions

TASK = (
    "The first line is a new statement about a person or a matter, the others are older statements about the same. "
    "Say of each older one how the new one stands to it: supersede, when both cannot be true and the new one is how "
    "it is now; merge, when it says the same and no fact differs; keep_both, when both can be true; conflict, when you "
    'are not sure. JSON: {"relations": [{"number": <number>, "choice": <supersede, merge, keep_both or conflict>}]}.'
)


def second_opinions(
    draft: MemoryDraft,
    vector: NDArray[np.float32] | None,
    *,
    trust: Trust,
    namespace: GrantedNamespace,
    scope: Scope,
    leaving: UUID | None = None,
) -> Opinions:
    """The model's choices for what a masked draft may concern; none where there is no doubt or no model to be asked.

    `leaving` is the memory that the draft is a change of. A model that fails leaves the words to decide, and that
    is told.
    """
    if not may_ask(ModelUse.CONTRADICTIONS) or vector is None or trust is Trust.UNTRUSTED:
        return NO_OPINIONS
    doubtful = _doubtful(draft, vector, trust=trust, namespace=namespace, scope=scope, leaving=leaving)
    if not doubtful:
        return NO_OPINIONS
    lines = [as_line(new=draft.text)]
    lines += [as_line(number=number, old=old.text) for number, old in enumerate(doubtful, 1)]
    try:
        return Opinions(_choices(ask_model(TASK, lines), doubtful), MODEL)
    except ModelFailed as failure:
        return Opinions(fallback=failure.code)


def _doubtful(
    draft: MemoryDraft,
    vector: NDArray[np.float32],
    *,
    trust: Trust,
    namespace: GrantedNamespace,
    scope: Scope,
    leaving: UUID | None,
) -> Sequence[Neighbour]:
    """What is in doubt as things stand; of a subject that is restricted nothing is shown to anybody."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        subject = find_subject(draft.subject)
        if subject is None or subject.erased_at is not None or subject.restricted_at is not None:
            return ()
        isolation.open_subject(subject.pk, namespaces=[namespace.id])
        keys = key_vault().subject(subject.pk)
        try:
            neighbours = find_neighbours(
                draft, vector, subject=subject, namespace_id=namespace.id, sealed=namespace.sealed, now=now, keys=keys,
                leaving=leaving,
            )  # fmt: skip
        except InvalidField:
            # Refused where it is stored, with its entry.
            return ()
        found = doubts(draft.text, trust, neighbours, kind=draft.kind, occurred_at=draft.occurred_at)
        if found:
            trail.note(
                Event.MEMORY_LISTED, scope=scope, kind="subject", subject_ref=keys.audit_reference,
                reason="language_model", count=len(found),
            )  # fmt: skip
    return found


def _choices(answer: Mapping[str, Any], doubtful: Sequence[Neighbour]) -> Mapping[tuple[UUID, str], Choice]:
    """The choices that can be read; raises ModelFailed where none can."""
    given = answer.get("relations")
    found: dict[tuple[UUID, str], Choice] = {}
    for entry in given if isinstance(given, list) else ():
        number = entry.get("number") if isinstance(entry, dict) else None
        choice = entry.get("choice") if isinstance(entry, dict) else None
        known = isinstance(choice, str) and choice in set(Choice)
        if known and type(number) is int and 0 < number <= len(doubtful):
            old = doubtful[number - 1]
            # Two choices for one are none: it is not sure.
            before = found.get((old.memory_id, old.text), Choice(str(choice)))
            found[old.memory_id, old.text] = before if before == choice else Choice.CONFLICT
    if not found:
        raise ModelFailed(GARBAGE)
    return found
