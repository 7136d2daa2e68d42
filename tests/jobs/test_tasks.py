"""Tasks are thin: each calls one service, and asks for its next turn while a batch was full."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry, AuditLeaf, Checkpoint
from tests.factories import ago, make_memory, make_quarantined_write, make_subject
from vault import tasks
from vault.lifecycle import retention
from vault.models import Job, JobKind
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked_again(monkeypatch) -> list[str]:
    """The tasks that asked for another turn."""
    found: list[str] = []
    for task in (tasks.expire_due_memories, tasks.lapse_quarantined_writes, tasks.seal_audit_log, tasks.tidy):
        monkeypatch.setattr(task, "delay", lambda name=task.name: found.append(name))
    return found


def test_a_full_batch_of_due_memories_asks_for_the_next(monkeypatch, asked_again):
    monkeypatch.setattr(tasks, "EXPIRE_BATCH", 2)
    subject = make_subject()
    for number in range(3):
        make_memory(f"Note {number}", subject=subject, expires_at=ago(hours=1))

    tasks.expire_due_memories()

    assert asked_again == ["vault.tasks.expire_due_memories"]


def test_the_last_batch_asks_for_nothing(asked_again):
    make_memory(expires_at=ago(hours=1))

    tasks.expire_due_memories()

    assert asked_again == []
    assert AuditEntry.objects.filter(action="memory.expired").exists()


def test_undecided_writes_lapse(asked_again):
    make_quarantined_write(lapses_at=ago(days=1))

    tasks.lapse_quarantined_writes()

    assert AuditEntry.objects.filter(action="quarantine.lapsed").exists()


def test_entries_are_sealed_under_a_signed_head(asked_again):
    make_memory(expires_at=ago(hours=1))
    tasks.expire_due_memories()

    tasks.seal_audit_log()

    assert AuditLeaf.objects.count() == AuditEntry.objects.count()
    assert Checkpoint.objects.order_by("-size").first().size == AuditLeaf.objects.count()


def test_an_empty_log_is_not_signed(asked_again):
    tasks.seal_audit_log()

    assert not Checkpoint.objects.exists()


def test_late_entries_are_sealed_too(asked_again):
    make_memory(expires_at=ago(hours=1))
    tasks.expire_due_memories()

    tasks.seal_late_entries()

    assert AuditLeaf.objects.exists()


def test_the_sweep_hands_out_what_was_lost(monkeypatch):
    Job.objects.create(kind=JobKind.ERASURE, target_id=new_id(), leased_until=timezone.now() - timedelta(1))

    tasks.sweep_jobs()

    assert Job.objects.get().leased_until > timezone.now()


def test_tidying_drops_what_has_run_out(monkeypatch, asked_again):
    dropped: list[str] = []
    monkeypatch.setattr(retention, "drop_expired_answers", lambda **_: dropped.append("answers") or 0)
    monkeypatch.setattr(retention, "drop_expired_tokens", lambda **_: dropped.append("tokens") or 0)

    tasks.tidy()

    assert dropped == ["answers", "tokens"]
    assert asked_again == []
