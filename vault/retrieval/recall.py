"""Recall: search, then a block of text for a prompt that stays within its budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from audit.actions import Action as Event
from vault.retrieval.by_kind import block_searches, within
from vault.retrieval.context import DISPUTED, Block, BlockMemory, assemble
from vault.retrieval.freshness import notes_of, old_after
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Right, Scope
from vault.retrieval.search import SearchQuery, find_together
from vault.retrieval.usage import count_use
from vault.types import Kind, SourceType, Trust


@dataclass(frozen=True, slots=True)
class ContextAnswer:
    """The block, what it costs and by which count, the memories in it, and how many did not fit or were held back."""

    text: str = field(repr=False)
    tokens: int
    memories: tuple[UUID, ...]
    omitted: int
    counting: str
    held_back: int = 0


def build_context(
    *, query: SearchQuery, max_tokens: int = 500, per_kind: Mapping[Kind, int] | None = None, scope: Scope
) -> ContextAnswer:
    """The best memories as one block of at most `max_tokens`, header included.

    With `per_kind`, each kind named there gives at most that many, and kinds not named give none. Without it, number
    and mode of a kind are those of its namespace's policy, as far as the query does not say. Raises what `search`
    raises.
    """
    places = scope.select(query.namespaces, Right.MEMORY_READ)
    searches = block_searches(query, per_kind=per_kind, places=places)
    found = find_together(queries=searches, scope=scope, event=Event.CONTEXT_BUILT)
    hits = within(found.hits, k=query.k, per_kind=per_kind)
    # A look back tells ages as they were.
    now = query.as_of or timezone.now()
    lines = [block_line(hit.memory, scope=scope, now=now) for hit in hits]
    block: Block[UUID] = assemble(lines, max_tokens=max_tokens)
    served = set(block.memories)
    count_use([hit.memory.row for hit in hits if hit.memory.row.pk in served])
    return ContextAnswer(
        block.text, block.tokens, block.memories, block.omitted, block.method, found.held_back
    )


def block_line(memory: OpenedMemory, *, scope: Scope, now: datetime) -> BlockMemory[UUID]:
    """A memory as a line of a context block, with the notes that its namespace's policy asks for."""
    row = memory.row
    disputed = (DISPUTED,) if memory.is_disputed else ()
    policy = next((place.policy for place in scope.namespaces if place.id == row.namespace_id), {})
    return BlockMemory(
        id=row.pk,
        day=(row.occurred_at or row.created_at).date(),
        kind=Kind(row.kind),
        source=SourceType(row.source_type),
        trust=Trust(row.trust),
        text=memory.content.text,
        conflicts_with=memory.conflicts_with,
        notes=(*notes_of(row, ages=old_after(policy), now=now), *disputed),
    )
