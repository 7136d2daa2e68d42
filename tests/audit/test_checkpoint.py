"""Sealing and signing: every entry once, in one tree, whatever the order of commits."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone

from audit import checkpoint, merkle
from audit.actions import Action
from audit.checkpoint import publish_checkpoint, seal_all, seal_batch, sign_checkpoint
from audit.faults import AuditError, FaultCode
from audit.log import Actor, Target, record
from audit.models import AuditEntry, AuditLeaf, AuditNode, Checkpoint
from audit.tree_head import open_head
from audit.verify import verify_log
from audit.witness import read_witness
from tests.audit.conftest import AGENT, FakeSigner, record_some

in_one_transaction = pytest.mark.django_db(databases=["default", "owner"])
committed = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@in_one_transaction
def test_sealing_takes_no_more_than_its_limit_and_oldest_first():
    entries = record_some(5)

    assert seal_batch(limit=3) == 3

    assert list(AuditLeaf.objects.order_by("seq").values_list("seq", "entry_id")) == [
        (seq, entry.pk) for seq, entry in enumerate(entries[:3])
    ]


@in_one_transaction
def test_sealing_in_small_batches_grows_the_same_tree_as_in_one():
    entries = record_some(11)
    while seal_batch(limit=2):
        pass

    signed = sign_checkpoint(FakeSigner())

    frontier = merkle.Frontier()
    for seq, entry in enumerate(entries):
        frontier.append(merkle.leaf_hash(entry.leaf_bytes(seq)))
    assert bytes(signed.root) == frontier.root()


@in_one_transaction
def test_only_complete_subtrees_are_stored():
    record_some(11)
    seal_all()

    assert AuditNode.objects.count() == 11 - (11).bit_count()


@in_one_transaction
def test_nothing_is_sealed_twice():
    record_some(3)
    seal_all()

    assert seal_batch() == 0
    assert seal_batch(sweep=True) == 0


@in_one_transaction
def test_a_backlog_older_than_the_horizon_is_sealed_to_its_end():
    for hours in range(6, 0, -1):
        AuditEntry.objects.create(
            uuid=f"00000000-0000-4000-8000-{hours:012}",
            at=timezone.now() - timedelta(hours=hours),
            action=Action.MEMORY_READ,
        )

    assert [seal_batch(limit=2) for _ in range(4)] == [2, 2, 2, 0]


@in_one_transaction
def test_a_stamp_from_the_future_hides_nothing():
    AuditEntry.objects.create(
        uuid="00000000-0000-4000-8000-000000000001",
        at=timezone.now() + timedelta(days=1),
        action=Action.MEMORY_READ,
    )
    seal_all()
    record_some(1)

    assert seal_batch() == 1


@in_one_transaction
def test_a_sweep_finds_an_entry_that_took_hours_to_commit():
    record_some(1)
    seal_all()
    AuditEntry.objects.create(
        uuid="00000000-0000-4000-8000-000000000001",
        at=timezone.now() - timedelta(hours=5),
        action=Action.MEMORY_READ,
    )

    assert seal_batch() == 0
    assert seal_batch(sweep=True) == 1


@in_one_transaction
def test_a_checkpoint_says_where_the_log_stands(signer):
    record_some(3)
    seal_all()

    signed = sign_checkpoint(signer, origin="log.example")

    head = open_head(signed.note, public_keys=signer.public_keys(), origin="log.example")
    assert (head.size, head.root, head.key_id) == (3, bytes(signed.root), "test-1")


@in_one_transaction
def test_an_empty_log_can_be_signed(signer):
    assert bytes(sign_checkpoint(signer).root) == merkle.EMPTY_ROOT


@in_one_transaction
def test_nothing_new_needs_no_new_signature(signer):
    record_some(1)
    seal_all()

    assert sign_checkpoint(signer).note == sign_checkpoint(signer).note
    assert Checkpoint.objects.count() == 1


@in_one_transaction
def test_a_witness_that_was_lost_is_filled_again(signer, witness):
    for _ in range(3):
        record_some(1)
        seal_all()
        sign_checkpoint(signer, witness=witness)
    before = witness.read_bytes()
    witness.unlink()

    sign_checkpoint(signer, witness=witness)

    assert witness.read_bytes() == before
    assert len(read_witness(witness)) == 3


@in_one_transaction
def test_the_settings_name_signer_and_witness(settings, witness):
    settings.AUDIT_SIGNER = f"{FakeSigner.__module__}.FakeSigner"
    settings.AUDIT_WITNESS_FILE = str(witness)

    published = publish_checkpoint()

    assert read_witness(witness) == [published.note]


@committed
def test_an_entry_that_commits_after_a_later_one_was_sealed_is_sealed_next(signer):
    recorded, sealed = threading.Event(), threading.Event()

    def record_slowly() -> None:
        with transaction.atomic():
            record(Action.MEMORY_WRITTEN, actor=AGENT, target=Target("memory", "early"))
            recorded.set()
            sealed.wait(timeout=20)
        connections.close_all()

    slow = threading.Thread(target=record_slowly)
    slow.start()
    recorded.wait(timeout=20)
    record_some(1)
    assert seal_batch() == 1
    sealed.set()
    slow.join()

    assert seal_batch() == 1

    late, early = AuditLeaf.objects.order_by("seq").values_list("entry_id", flat=True)
    assert early < late
    assert verify_log(public_keys=signer.public_keys()).size == 2


@committed
def test_no_checkpoint_is_signed_over_a_tree_that_lost_its_past(signer, grow, tamper):
    grow(4)
    tamper("UPDATE audit_node SET hash = %s WHERE level = 2", [b"\0" * 32])
    record_some(1)
    seal_all()

    with pytest.raises(AuditError) as fault:
        sign_checkpoint(signer)

    assert fault.value.code is FaultCode.CHECKPOINT_ROOT
    assert Checkpoint.objects.count() == 1


@committed
def test_no_checkpoint_is_signed_over_a_shortened_log(signer, grow, tamper):
    grow(4)
    tamper("DELETE FROM audit_entry WHERE id = (SELECT entry_id FROM audit_leaf WHERE seq = 3)")
    tamper("DELETE FROM audit_leaf WHERE seq = 3")

    with pytest.raises(AuditError) as fault:
        sign_checkpoint(signer)

    assert (fault.value.code, fault.value.seq) == (FaultCode.TRUNCATED, 3)


@committed
def test_eight_writers_and_two_sealers_make_one_whole_log(signer, witness):
    writers, each, faults = 8, 40, []
    done = threading.Event()

    def write(number: int) -> None:
        for count in range(each):
            with transaction.atomic():
                record(
                    Action.MEMORY_WRITTEN,
                    actor=Actor("agent", f"a-{number}"),
                    target=Target("memory", f"m-{count}"),
                )
        connections.close_all()

    def seal() -> None:
        try:
            while not done.is_set():
                checkpoint.seal_batch(limit=25)
                sign_checkpoint(signer, witness=witness)
        except Exception as fault:  # noqa: BLE001 - shown by the assertion below
            faults.append(fault)
        finally:
            connections.close_all()

    sealers = [threading.Thread(target=seal) for _ in range(2)]
    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in (*sealers, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    for thread in sealers:
        thread.join()
    seal_all()
    sign_checkpoint(signer, witness=witness)

    report = verify_log(public_keys=signer.public_keys(), witness=witness)

    assert not faults
    assert (report.size, report.waiting) == (writers * each, 0)
    assert report.witnessed == report.checkpoints > 1
