"""Writes and changes by HTTP, counted by verdict; a write's answer commits in the write's own transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from vault.api.drafts import changes_from
from vault.api.idempotency import Answer, Reservation
from vault.api.rendering import change_answer, write_answer
from vault.metrics import counted_verdict
from vault.retrieval.scope import Scope
from vault.types import MemoryDraft
from vault.writing.change import change_memory
from vault.writing.pipeline import write_memory
from vault.writing.results import WriteResult


def write(draft: MemoryDraft, *, scope: Scope, reservation: Reservation | None) -> Answer:
    """Write a draft; with a reservation, what is answered commits with what is stored."""

    def remember(result: WriteResult) -> None:
        if reservation is not None:
            reservation.finish(write_answer(result))

    with counted_verdict() as verdict:
        result = write_memory(draft=draft, scope=scope, remember=remember)
        verdict.outcome = result.outcome
    return write_answer(result)


def change(memory_id: UUID, body: Mapping[str, Any], *, expected_version: int, scope: Scope) -> Answer:
    """Replace fields of a memory; what it then says is screened like a write."""
    with counted_verdict() as verdict:
        result = change_memory(
            memory_id=memory_id,
            changes=changes_from(body),
            expected_version=expected_version,
            reason=body["reason"],
            scope=scope,
        )
        verdict.outcome = result.outcome
    return change_answer(result)
