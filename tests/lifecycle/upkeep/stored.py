"""Looking at rows and moving counters, past every scope."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction

from vault.models import Memory, MemoryVersion, Namespace, isolation


def row_of(memory_id: UUID) -> Memory:
    with transaction.atomic():
        isolation.open_everything()
        return Memory.objects.select_related("namespace").get(pk=memory_id)


def versions_of(memory_id: UUID) -> list[MemoryVersion]:
    with transaction.atomic():
        isolation.open_everything()
        return list(MemoryVersion.objects.filter(memory_id=memory_id).order_by("number"))


def set_on(memory_id: UUID, **fields: Any) -> None:
    """Move what is not sealed: counters, dates of use, the pin."""
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=memory_id).update(**fields)


def with_upkeep(name: str = "default", **rules: Any) -> Namespace:
    """The namespace with these rules of upkeep in its policy."""
    namespace, _ = Namespace.objects.get_or_create(name=name)
    namespace.policy = {"upkeep": rules}
    namespace.save()
    return namespace
