"""Existence comes first: before a body is read and a precondition looked at, a foreign id is not found."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from audit.actions import Action, Outcome
from vault.errors import NotFound
from vault.models import Memory
from vault.retrieval import trail
from vault.retrieval.read import find_memory
from vault.retrieval.scope import Right, Scope


def require_memory(memory_id: UUID, *, scope: Scope, right: Right) -> Memory:
    """The row of a memory that the caller may touch. Raises NotFound, recorded; ScopeMissing."""
    try:
        with transaction.atomic():
            memory, _ = find_memory(memory_id=memory_id, scope=scope, right=right)
    except NotFound:
        trail.note_refusal(
            Action.ACCESS_DENIED, scope=scope, kind="memory", target=memory_id, outcome=Outcome.DENIED,
            reason=NotFound.code,
        )  # fmt: skip
        raise
    return memory
