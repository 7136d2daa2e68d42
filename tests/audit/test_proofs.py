from __future__ import annotations

from uuid import UUID

import pytest

from audit.checkpoint import seal_all
from audit.faults import AuditError, FaultCode
from audit.models import Checkpoint
from audit.offline import verify_growth, verify_proof
from audit.proofs import NotProvableError, consistency_proof, inclusion_proof, latest_checkpoint
from tests.audit.conftest import FakeSigner, record_some

pytestmark = pytest.mark.django_db(databases=["default", "owner"])


@pytest.mark.parametrize("seq", range(7))
def test_every_signed_entry_can_be_proved_to_a_stranger(grow, signer, seq):
    grow(7)

    entry = verify_proof(inclusion_proof(seq).document(), public_keys=signer.public_keys())

    assert (entry["seq"], entry["target_id"]) == (seq, f"m-{seq}")


def test_an_entry_is_found_by_its_uuid(grow):
    entries = record_some(2)
    grow(1)

    assert inclusion_proof(entries[1].uuid).seq == 1


def test_what_no_checkpoint_covers_cannot_be_proved(grow):
    grow(2)
    late = record_some(1)[0]
    for entry in (late.uuid, 2, -1, UUID(int=0)):
        with pytest.raises(NotProvableError):
            inclusion_proof(entry)

    seal_all()
    with pytest.raises(NotProvableError):
        inclusion_proof(late.uuid)


def test_before_the_first_checkpoint_nothing_can_be_proved():
    for ask in (latest_checkpoint, lambda: inclusion_proof(0), lambda: consistency_proof(0)):
        with pytest.raises(NotProvableError):
            ask()


def test_a_proof_reads_few_nodes(grow, django_assert_max_num_queries):
    grow(70)

    with django_assert_max_num_queries(5):
        inclusion_proof(33)


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_no_proof_is_given_for_an_entry_that_was_altered(grow, tamper):
    grow(4)
    tamper("UPDATE audit_entry SET reason = 'x' WHERE target_id = 'm-2'")

    with pytest.raises(AuditError) as fault:
        inclusion_proof(2)

    assert (fault.value.code, fault.value.seq) == (FaultCode.PROOF, 2)


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_no_proof_is_given_for_an_entry_that_is_gone(grow, tamper):
    grow(4)
    tamper("DELETE FROM audit_entry WHERE target_id = 'm-2'")

    with pytest.raises(AuditError) as fault:
        inclusion_proof(2)

    assert fault.value.code is FaultCode.MISSING


@pytest.mark.parametrize(
    "change", [{"seq": 0}, {"hashes": []}, {"hashes": ["!"]}, {"leaf": "{}"}, {"seq": None}]
)
def test_a_changed_proof_does_not_verify(grow, signer, change):
    grow(4)
    document = {**inclusion_proof(1).document(), **change}

    with pytest.raises(AuditError) as fault:
        verify_proof(document, public_keys=signer.public_keys())

    assert fault.value.code is FaultCode.PROOF


def test_a_proof_under_another_key_does_not_verify(grow):
    grow(4)

    with pytest.raises(AuditError) as fault:
        verify_proof(inclusion_proof(1).document(), public_keys=FakeSigner().public_keys())

    assert fault.value.code is FaultCode.CHECKPOINT_SIGNATURE


def test_growth_between_two_checkpoints_can_be_proved(grow, signer):
    grow(3)
    grow(6)

    newer = verify_growth(consistency_proof(3).document(), public_keys=signer.public_keys())

    assert newer.size == 9


def test_growth_from_an_older_to_a_given_checkpoint_can_be_proved(grow, signer):
    for _ in range(3):
        grow(3)

    newer = verify_growth(consistency_proof(3, 6).document(), public_keys=signer.public_keys())

    assert newer.size == 6


def test_growth_is_proved_only_between_checkpoints(grow):
    grow(3)
    grow(3)

    for older, newer in ((4, None), (3, 5), (6, 3)):
        with pytest.raises(NotProvableError):
            consistency_proof(older, newer)


def test_a_changed_growth_proof_does_not_verify(grow, signer):
    grow(3)
    grow(6)
    document = {**consistency_proof(3).document(), "hashes": []}

    for bad in (document, {}):
        with pytest.raises(AuditError) as fault:
            verify_growth(bad, public_keys=signer.public_keys())
        assert fault.value.code is FaultCode.PROOF


def test_the_newest_checkpoint_is_the_largest(grow):
    grow(1)
    grow(1)

    assert latest_checkpoint() == Checkpoint.objects.get(size=2)
