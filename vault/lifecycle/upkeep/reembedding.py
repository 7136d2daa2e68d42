"""Embedding again what the model failed on: until then a memory is found by its words alone.

The mark is the index row without a vector. A text on which the model fails again stays marked.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from audit.actions import Action as Event
from vault.errors import IntegrityFault, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.desk import system_scope
from vault.models import Memory, MemoryIndex, Subject, isolation
from vault.retrieval.opening import open_current
from vault.retrieval.records import Content
from vault.types import Status
from vault.writing.ground import Ground
from vault.writing.judge import embed_or_none
from vault.writing.locks import lock_subject

SCOPE = system_scope("embedding")
EMBEDDED = "embedded"


def embed_missing(*, now: datetime, limit: int) -> int:
    """Give up to `limit` memories the vector they lack; returns how many have one now."""
    with transaction.atomic(durable=True):
        isolation.open_everything()
        # In any order: texts on which the model always fails must not keep the others waiting for ever.
        found = list(_marked().order_by("?").values_list("subject_id", "pk")[:limit])
    return sum(_embed_one(subject_id, memory_id, now) for subject_id, memory_id in found)


def _marked() -> QuerySet[Memory]:
    without = MemoryIndex.objects.filter(vector__isnull=True, namespace__sealed=False)
    return Memory.objects.filter(pk__in=without.values("memory_id"), status=Status.ACTIVE)


def _embed_one(subject_id: UUID, memory_id: UUID, now: datetime) -> bool:
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        read = _read(memory_id)
    # Slow, so between the two transactions; the lock then shows whether it is still what was read.
    vector = None if read is None else embed_or_none(read[1].text)
    if read is None or vector is None:
        return False
    version, content = read
    with transaction.atomic(durable=True):
        isolation.open_whole_subject(subject_id)
        try:
            subject: Subject = lock_subject(subject_id)
        except SubjectErased:
            return False
        memory = _marked().filter(pk=memory_id, version=version).select_related("namespace").first()
        if memory is None:
            return False
        ground = Ground(subject, key_vault().subject(subject.pk), SCOPE, now)
        embedded = Content(
            content.text, content.attribute, content.source_ref, content.metadata, content.findings, vector
        )
        ground.write(memory, embedded, reason=EMBEDDED, sealed=memory.namespace.sealed)
        ground.note(Event.MEMORY_CHANGED, memory, reason=EMBEDDED, version=memory.version)
    return True


def _read(memory_id: UUID) -> tuple[int, Content] | None:
    memory = _marked().filter(pk=memory_id).first()
    if memory is None:
        return None
    try:
        return memory.version, open_current(memory, keys=key_vault().subject(memory.subject_id))
    except IntegrityFault:
        return None
