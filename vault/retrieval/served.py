"""A stored memory as the guard of what is served together reads it."""

from __future__ import annotations

from uuid import UUID

from vault.models import Memory
from vault.retrieval.records import Content
from vault.retrieval.servable import Served
from vault.types import SourceType, Trust


def as_served(row: Memory, content: Content, *, search: int = 0) -> Served[UUID]:
    """`search` is the number of the search that found it; its source is type, agent and reference together."""
    return Served(
        id=row.pk,
        text=content.text,
        trust=Trust(row.trust),
        source_type=SourceType(row.source_type),
        source=f"{row.source_type}:{row.agent_id}:{content.source_ref}",
        created_at=row.created_at,
        vector=content.vector,
        search=search,
    )
