from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import ago, make_memory, make_quarantined_write, make_scope, make_subject, staff_scope
from vault.lifecycle.holds import place_hold
from vault.lifecycle.retention import (
    drop_expired_answers,
    drop_expired_tokens,
    drop_idle_rates,
    expire_due,
    lapse_due,
)
from vault.models import (
    CallRate,
    IdempotencyRecord,
    Memory,
    MemoryIndex,
    MemoryVersion,
    QuarantinedWrite,
    SubjectToken,
    isolation,
)

pytestmark = pytest.mark.django_db


def expire(limit: int = 100) -> int:
    return expire_due(now=timezone.now(), limit=limit)


def lapse(limit: int = 100) -> int:
    return lapse_due(now=timezone.now(), limit=limit)


def statuses() -> list[str]:
    with transaction.atomic():
        isolation.open_everything()
        return sorted(Memory.objects.values_list("status", flat=True))


def test_a_memory_past_its_time_gets_an_expired_version():
    memory = make_memory(expires_at=ago(hours=1))

    assert expire() == 1

    with transaction.atomic():
        isolation.open_everything()
        last = MemoryVersion.objects.get(memory=memory.row, number=2)
        assert not MemoryIndex.objects.filter(memory=memory.row).exists()
    assert (last.status, last.author, last.reason_code) == ("expired", "system:retention", "expired")


def test_a_memory_whose_time_has_not_come_stays():
    make_memory(expires_at=timezone.now() + timedelta(hours=1))

    assert expire() == 0
    assert statuses() == ["active"]


def test_a_memory_without_an_end_stays():
    make_memory()

    assert expire() == 0


def test_expiring_twice_expires_once():
    make_memory(expires_at=ago(hours=1))
    expire()

    assert expire() == 0
    assert AuditEntry.objects.filter(action="memory.expired").count() == 1


def test_a_batch_is_no_larger_than_its_budget():
    subject = make_subject()
    for number in range(5):
        make_memory(f"Note {number}", subject=subject, expires_at=ago(hours=1))

    assert [expire(limit=2), expire(limit=2), expire(limit=2)] == [2, 2, 1]


def test_a_held_subjects_memories_do_not_expire():
    make_memory(subject="S1", expires_at=ago(hours=1))
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    assert expire() == 0
    assert statuses() == ["active"]


def test_a_memory_that_does_not_open_does_not_stop_the_others():
    broken, good = make_memory(expires_at=ago(hours=2)), make_memory("Owns a boat", expires_at=ago(hours=1))
    with transaction.atomic():
        isolation.open_everything()
        MemoryVersion.objects.filter(memory=broken.row).update(ciphertext=b"\x01" * 60)

    assert expire() == 1

    fault = AuditEntry.objects.get(action="memory.integrity_fault")
    assert fault.target_id == str(broken.row.pk)
    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.get(pk=good.row.pk).status == "expired"


def test_what_nobody_decided_in_time_lapses_and_its_text_is_deleted():
    write = make_quarantined_write(lapses_at=ago(days=1))

    assert lapse() == 1

    with transaction.atomic():
        isolation.open_everything()
        lapsed = QuarantinedWrite.objects.get(pk=write.pk)
    assert (lapsed.status, bytes(lapsed.ciphertext)) == ("lapsed", b"")
    assert statuses() == []


def test_a_write_lapses_once():
    make_quarantined_write(lapses_at=ago(days=1))
    lapse()

    assert lapse() == 0
    assert AuditEntry.objects.filter(action="quarantine.lapsed").count() == 1


def test_the_draft_of_a_rejected_write_is_deleted_in_time_and_the_decision_stays():
    write = make_quarantined_write(status="rejected", lapses_at=ago(days=1))

    assert lapse() == 1

    with transaction.atomic():
        isolation.open_everything()
        assert QuarantinedWrite.objects.get(pk=write.pk).status == "rejected"


def test_a_held_subjects_writes_do_not_lapse():
    make_quarantined_write(subject="S1", lapses_at=ago(days=1))
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    assert lapse() == 0


def test_answers_for_replay_go_when_their_time_is_up():
    with transaction.atomic():
        isolation.open_directory()
        for number, end in enumerate([ago(hours=1), timezone.now() + timedelta(hours=1)]):
            IdempotencyRecord.objects.create(
                caller="agent:1", endpoint="memories", key_hash=bytes([number] * 32), request_hash=b"r" * 32,
                created_at=ago(days=1), expires_at=end,
            )  # fmt: skip

    assert drop_expired_answers(now=timezone.now(), limit=10) == 1
    assert drop_expired_answers(now=timezone.now(), limit=10) == 0


def test_subject_tokens_go_when_their_time_is_up():
    agent = make_scope().agent_id
    SubjectToken.objects.create(
        agent_id=agent, subject_id=make_subject().pk, token_hash=b"t" * 32, scopes=[], expires_at=ago(hours=1)
    )

    assert drop_expired_tokens(now=timezone.now(), limit=10) == 1


def test_call_rates_that_have_run_out_are_dropped_and_others_are_not():
    CallRate.objects.create(caller=uuid4(), empty_at=ago(hours=1))
    busy = CallRate.objects.create(caller=uuid4(), empty_at=ago(hours=-1))

    assert drop_idle_rates(now=timezone.now(), limit=10) == 1
    assert list(CallRate.objects.all()) == [busy]
