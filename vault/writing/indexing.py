"""Keeping the two indexes of one memory in step with its current version."""

from __future__ import annotations

from vault.crypto import SubjectKeys
from vault.models import KeywordPosting, Memory, MemoryIndex
from vault.retrieval.fields import index_text
from vault.retrieval.records import Content
from vault.retrieval.tokens import document_tokens
from vault.types import Status


def index_memory(memory: Memory, content: Content, *, keys: SubjectKeys, sealed: bool) -> None:
    """Write the protected vector and the keyword postings of a memory that may be served."""
    unindex_memory(memory)
    if memory.status != Status.ACTIVE:
        return
    tokens = document_tokens(index_text(text=content.text, metadata=content.metadata).keyword)
    hashes = keys.token_hashes(tokens)
    place = {"memory_id": memory.pk, "subject_id": memory.subject_id, "namespace_id": memory.namespace_id}
    vector = None
    if content.vector is not None and not sealed:
        vector = keys.protect(content.vector).tolist()
    MemoryIndex.objects.create(**place, vector=vector, length=sum(tokens.values()))
    KeywordPosting.objects.bulk_create(
        KeywordPosting(**place, token=token, frequency=count)
        for token, count in zip(hashes, tokens.values(), strict=True)
    )


def unindex_memory(memory: Memory) -> None:
    """Take a memory out of every search at once."""
    KeywordPosting.objects.filter(memory=memory).delete()
    MemoryIndex.objects.filter(memory=memory).delete()
