"""What was signed against what is there: checkpoints in the database and in the witness file."""

from __future__ import annotations

import json

import pytest

from audit.checkpoint import seal_all, sign_checkpoint
from audit.faults import FaultCode
from audit.models import Checkpoint
from audit.tree_head import TreeHead, sign_head
from audit.verify import verify_log
from tests.audit.conftest import FakeSigner, record_some
from tests.audit.tampering import ENTRY_AT, cut, rewrite_leaf, rewrite_nodes

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


def test_a_whole_log_verifies(grow, signer, witness):
    grow(5)
    grow(6)

    report = verify_log(public_keys=signer.public_keys(), witness=witness)

    assert (report.size, report.checkpoints, report.witnessed, report.waiting) == (11, 2, 2, 0)
    assert report.root == bytes(Checkpoint.objects.get(size=11).root).hex()


def test_an_empty_log_verifies(signer, witness):
    assert verify_log(public_keys=signer.public_keys(), witness=witness).size == 0


def test_checkpoints_of_a_retired_key_still_verify(grow, signer, witness):
    grow(2)
    successor = FakeSigner("test-2")
    record_some(1)
    seal_all()
    sign_checkpoint(successor, witness=witness)

    keys = {**signer.public_keys(), **successor.public_keys()}
    assert verify_log(public_keys=keys, witness=witness).checkpoints == 2


def test_a_log_shorter_than_its_checkpoint_is_named(grow, tamper, fault_of):
    grow(4)
    grow(5)
    cut(tamper, 6)

    assert fault_of() == (FaultCode.TRUNCATED, 6, 8)


def test_a_log_cut_back_to_an_older_checkpoint_is_caught_by_the_witness(grow, tamper, fault_of):
    grow(4)
    grow(5)
    cut(tamper, 4)
    tamper("DELETE FROM audit_checkpoint WHERE size = 9")

    assert fault_of() == (FaultCode.TRUNCATED, 4, 8)


def test_a_log_rewritten_and_signed_again_is_caught_by_the_witness(grow, tamper, fault_of, signer):
    grow(4)
    grow(4)
    rewrite_leaf(tamper, 5)
    root = rewrite_nodes(tamper).root()
    head = TreeHead("memory-vault/audit", 8, root, "2026-01-01T00:00:00.000000Z", signer.key_id)
    tamper("UPDATE audit_checkpoint SET root = %s, note = %s WHERE size = 8", [root, sign_head(head, signer)])

    assert fault_of() == (FaultCode.CHECKPOINT_ROOT, 4, 7)


def test_a_checkpoint_taken_out_of_the_database_is_found(grow, tamper, fault_of):
    grow(2)
    grow(2)
    tamper("DELETE FROM audit_checkpoint WHERE size = 2")

    assert fault_of()[0] is FaultCode.CHECKPOINT_MISSING


def test_a_checkpoint_signed_by_somebody_else_is_found(grow, tamper, fault_of, signer):
    grow(3)
    signed = Checkpoint.objects.get()
    head = TreeHead("memory-vault/audit", 3, bytes(signed.root), "2026-01-01T00:00:00.000000Z", signer.key_id)
    tamper("UPDATE audit_checkpoint SET note = %s", [sign_head(head, FakeSigner())])

    assert fault_of()[0] is FaultCode.CHECKPOINT_SIGNATURE


def test_a_checkpoint_under_an_unknown_key_is_found(grow, fault_of):
    grow(3)

    assert fault_of(public_keys={})[0] is FaultCode.CHECKPOINT_UNKNOWN_KEY


def test_a_checkpoint_of_another_log_is_found(grow, fault_of):
    grow(3)

    assert fault_of(origin="elsewhere.example")[0] is FaultCode.CHECKPOINT_ORIGIN


def test_a_checkpoint_whose_columns_differ_from_its_text_is_found(grow, tamper, fault_of):
    grow(3)
    tamper("UPDATE audit_checkpoint SET key_id = 'other'")

    assert fault_of()[0] is FaultCode.CHECKPOINT_FIELDS


def test_a_checkpoint_that_is_no_text_of_a_checkpoint_is_found(grow, tamper, fault_of):
    grow(3)
    tamper("UPDATE audit_checkpoint SET note = 'gone'")

    assert fault_of()[0] is FaultCode.CHECKPOINT_MALFORMED


def test_an_altered_entry_is_named_before_a_later_forged_checkpoint(grow, tamper, fault_of):
    grow(3)
    grow(3)
    tamper("UPDATE audit_checkpoint SET key_id = 'other' WHERE size = 6")
    tamper(f"UPDATE audit_entry SET reason = 'x' WHERE id = {ENTRY_AT}", [1])

    assert fault_of() == (FaultCode.ALTERED, 1, 1)


def test_a_lost_witness_is_found(grow, witness, fault_of):
    grow(3)
    witness.unlink()

    assert fault_of()[0] is FaultCode.WITNESS_MISSING


def test_a_checkpoint_taken_out_of_the_witness_is_found(grow, witness, fault_of):
    grow(2)
    grow(2)
    witness.write_bytes(witness.read_bytes().split(b"\n", 1)[1])

    assert fault_of()[0] is FaultCode.WITNESS_BEHIND


def test_the_newest_checkpoint_may_be_on_its_way_to_the_witness(grow, signer, witness):
    grow(2)
    record_some(1)
    seal_all()
    sign_checkpoint(signer)

    assert verify_log(public_keys=signer.public_keys(), witness=witness).witnessed == 1


def test_a_forged_line_of_the_witness_is_found(grow, witness, fault_of):
    grow(2)
    head = TreeHead("memory-vault/audit", 2, b"\0" * 32, "2026-01-01T00:00:00.000000Z", "test-1")
    witness.write_text(json.dumps(sign_head(head, FakeSigner())) + "\n")

    assert fault_of()[0] is FaultCode.CHECKPOINT_SIGNATURE


def test_an_entry_that_waits_its_turn_is_no_fault(grow, signer, witness):
    grow(2)
    record_some(1)

    assert verify_log(public_keys=signer.public_keys(), witness=witness).waiting == 1
