from __future__ import annotations

import json

import pytest

from audit.faults import AuditError, FaultCode
from audit.tree_head import TreeHead, sign_head
from audit.witness import append_to_witness, read_witness
from tests.audit.conftest import FakeSigner

SIGNER = FakeSigner()
NOTES = {
    size: sign_head(
        TreeHead("log.example", size, b"\x07" * 32, "2026-03-01T12:00:00.000000Z", "test-1"), SIGNER
    )
    for size in (3, 5, 8)
}


def up_to(largest):
    return lambda size: [note for other, note in NOTES.items() if size < other <= largest]


def test_only_what_the_file_does_not_hold_is_appended(witness):
    assert append_to_witness(witness, up_to(5)) == 2
    assert append_to_witness(witness, up_to(8)) == 1
    assert append_to_witness(witness, up_to(8)) == 0

    assert read_witness(witness) == list(NOTES.values())


def test_the_file_is_for_its_owner_alone(witness):
    append_to_witness(witness, up_to(3))

    assert witness.stat().st_mode & 0o777 == 0o600


def test_an_unfinished_line_is_replaced(witness):
    append_to_witness(witness, up_to(3))
    with witness.open("ab") as file:
        file.write(b'"half a checkp' * 40)

    assert append_to_witness(witness, up_to(5)) == 1
    assert read_witness(witness) == [NOTES[3], NOTES[5]]


def test_a_file_that_was_never_finished_is_begun_again(witness):
    witness.parent.mkdir()
    witness.write_bytes(b'"half')

    assert append_to_witness(witness, up_to(3)) == 1


def test_the_last_checkpoint_of_a_long_file_is_found(witness):
    witness.parent.mkdir()
    witness.write_text("".join(json.dumps(NOTES[3]) + "\n" for _ in range(100)))

    assert append_to_witness(witness, up_to(5)) == 1
    assert len(read_witness(witness)) == 101


@pytest.mark.parametrize("content", [b"not json\n", b"5\n", b"\xff\n", b"x" * 20_000])
def test_nothing_is_appended_to_a_file_that_is_no_witness(witness, content):
    witness.parent.mkdir()
    witness.write_bytes(content)

    with pytest.raises(AuditError):
        append_to_witness(witness, up_to(3))

    assert witness.read_bytes() == content


def test_a_line_that_cannot_be_read_is_a_fault(witness):
    witness.parent.mkdir()
    witness.write_bytes(b"{broken\n")

    with pytest.raises(AuditError) as fault:
        read_witness(witness)

    assert fault.value.code is FaultCode.WITNESS_MALFORMED
