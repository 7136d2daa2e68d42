"""Memories as agents, sessions and staff leave them behind, and the way of a rollback through two people."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tests.factories import make_memory, staff_scope
from vault.keys import key_vault
from vault.lifecycle.acts import carry_out
from vault.lifecycle.approvals import approve
from vault.lifecycle.rolling_back.criteria import Criteria
from vault.lifecycle.rolling_back.preview import Preview, preview_rollback
from vault.lifecycle.rolling_back.request import request_rollback
from vault.lifecycle.rolling_back.run import execute_rollback
from vault.models import (
    Agent,
    ApprovalKind,
    BulkRollback,
    BulkRollbackItem,
    Memory,
    MemoryVersion,
    Subject,
    isolation,
)
from vault.retrieval.opening import open_current
from vault.retrieval.records import Content, OpenedMemory
from vault.writing.store import write_version


def make_agent(name: str = "mail-bot") -> UUID:
    return Agent.objects.get_or_create(name=name)[0].pk


def written_by(agent: UUID | None, text: str = "The boat is red.", **fields: Any) -> OpenedMemory:
    return make_memory(text, agent_id=agent, **fields)


def rewrite(memory: OpenedMemory | Memory, *, author: str, text: str | None = None, **labels: Any) -> Memory:
    """A next version by the real function, of any author; without a text only labels move."""
    pk = memory.row.pk if isinstance(memory, OpenedMemory) else memory.pk
    with transaction.atomic():
        isolation.open_everything()
        row = Memory.objects.select_related("namespace").get(pk=pk)
        subject = Subject.objects.select_for_update().get(pk=row.subject_id)
        keys = key_vault().subject(subject.pk)
        content = Content(text=text) if text is not None else open_current(row, keys=keys)
        for label, value in labels.items():
            setattr(row, label, value)
        write_version(
            row, content, subject=subject, author=author, reason_code="correction", now=timezone.now(),
            sealed=False, keys=keys,
        )  # fmt: skip
        isolation.close()
    return row


def by(agent: UUID) -> str:
    return f"agent:{agent}"


def backdate(memory: OpenedMemory, number: int, at: datetime) -> None:
    """Times of versions are not sealed; a test may move one out of the window."""
    with transaction.atomic():
        isolation.open_everything()
        MemoryVersion.objects.filter(memory_id=memory.row.pk, number=number).update(written_at=at)
        isolation.close()


def last_hour(**wanted: Any) -> Criteria:
    now = timezone.now()
    return Criteria(since=now - timedelta(hours=1), until=now + timedelta(minutes=1), **wanted)


def preview(**wanted: Any) -> Preview:
    return preview_rollback(criteria=last_hour(**wanted), scope=staff_scope())


def kinds(found: Preview) -> dict[UUID, str]:
    """What happens to each row; the last word where there are several."""
    return {change.row_id: change.kind.value for change in found.changes}


def asked(**wanted: Any) -> BulkRollback:
    criteria, scope = last_hour(**wanted), staff_scope()
    digest = preview_rollback(criteria=criteria, scope=scope).digest
    return request_rollback(criteria=criteria, expected_digest=digest, reason_code="tampering", scope=scope)


def started(**wanted: Any) -> BulkRollback:
    """Asked for by one, approved by another, its job queued."""
    rollback = asked(**wanted)
    second = staff_scope()
    approve(approval_id=rollback.approval_id, kinds=[ApprovalKind.ROLLBACK], scope=second)  # type: ignore[arg-type]
    carry_out(approval_id=rollback.approval_id, scope=second)  # type: ignore[arg-type]
    return rollback


def rolled_back(**wanted: Any) -> BulkRollback:
    rollback = started(**wanted)
    execute_rollback(rollback.pk)
    rollback.refresh_from_db()
    return rollback


def now_of(memory: OpenedMemory) -> tuple[str, str]:
    """Status and text as they stand."""
    with transaction.atomic():
        isolation.open_everything()
        row = Memory.objects.get(pk=memory.row.pk)
        found = row.status, open_current(row, keys=key_vault().subject(row.subject_id)).text
        isolation.close()
    return found


def outcomes(rollback: BulkRollback) -> list[tuple[str, str]]:
    with transaction.atomic():
        isolation.open_everything()
        rows = BulkRollbackItem.objects.filter(rollback_id=rollback.pk).order_by("position")
        found = list(rows.values_list("kind", "status"))
        isolation.close()
    return found
