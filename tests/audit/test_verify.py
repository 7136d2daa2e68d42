"""Tampering with the database, past the triggers: each kind is found, and its first entry is named."""

from __future__ import annotations

from datetime import timedelta

import pytest

from audit.faults import FaultCode
from audit.models import AuditLeaf
from tests.audit.conftest import record_some
from tests.audit.tampering import ENTRY_AT, rewrite_leaf, rewrite_nodes

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@pytest.mark.parametrize(
    "change",
    [
        "action = 'memory.listed'",
        "outcome = 'denied'",
        "actor_kind = 'staff'",
        "actor_id = 'a-2'",
        "target_kind = 'subject'",
        "target_id = 'm-99'",
        "subject_ref = 'another'",
        "request_id = 'another'",
        "reason = 'another'",
        "facts = '{\"count\": 99}'",
        "at = at + interval '1 microsecond'",
        "uuid = gen_random_uuid()",
    ],
)
def test_an_altered_field_is_named(grow, tamper, fault_of, change):
    grow(9)
    tamper(f"UPDATE audit_entry SET {change} WHERE id = {ENTRY_AT}", [6])

    assert fault_of() == (FaultCode.ALTERED, 6, 6)


def test_of_two_altered_entries_the_first_is_named(grow, tamper, fault_of):
    grow(9)
    tamper("UPDATE audit_entry SET reason = 'x' WHERE target_id IN ('m-7', 'm-3')")

    assert fault_of() == (FaultCode.ALTERED, 3, 3)


def test_a_deleted_entry_is_named(grow, tamper, fault_of):
    grow(9)
    tamper(f"DELETE FROM audit_entry WHERE id = {ENTRY_AT}", [4])

    assert fault_of() == (FaultCode.MISSING, 4, 4)


def test_an_entry_deleted_with_its_leaf_is_named(grow, tamper, fault_of):
    grow(9)
    tamper(f"DELETE FROM audit_entry WHERE id = {ENTRY_AT}", [4])
    tamper("DELETE FROM audit_leaf WHERE seq = 4")

    assert fault_of() == (FaultCode.MISSING, 4, 4)


def test_an_entry_deleted_and_the_gap_closed_is_named(grow, tamper, fault_of):
    grow(9)
    tamper(f"DELETE FROM audit_entry WHERE id = {ENTRY_AT}", [4])
    tamper("DELETE FROM audit_leaf WHERE seq = 4")
    for seq in range(5, 9):
        tamper("UPDATE audit_leaf SET seq = seq - 1 WHERE seq = %s", [seq])

    assert fault_of() == (FaultCode.REORDERED, 4, 4)


def test_two_entries_that_changed_places_are_named(grow, tamper, fault_of):
    grow(9)
    second, sixth = (AuditLeaf.objects.get(seq=seq).entry_id for seq in (2, 6))
    for old, new in ((second, -1), (sixth, second), (-1, sixth)):
        tamper("UPDATE audit_entry SET id = %s WHERE id = %s", [new, old])

    assert fault_of() == (FaultCode.REORDERED, 2, 2)


def test_two_leaves_that_changed_places_are_named(grow, tamper, fault_of):
    grow(9)
    for old, new in ((2, 100), (6, 2), (100, 6)):
        tamper("UPDATE audit_leaf SET seq = %s WHERE seq = %s", [new, old])

    assert fault_of() == (FaultCode.REORDERED, 2, 2)


def test_a_rewritten_leaf_is_named_to_the_pair(grow, tamper, fault_of):
    grow(9)
    rewrite_leaf(tamper, 5)

    assert fault_of() == (FaultCode.LEAF_REWRITTEN, 4, 5)


def test_a_rewritten_tree_is_named_to_the_entries_between_two_checkpoints(grow, tamper, fault_of):
    grow(4)
    grow(3)
    grow(4)
    rewrite_leaf(tamper, 5)
    rewrite_nodes(tamper)

    assert fault_of() == (FaultCode.CHECKPOINT_ROOT, 4, 6)


def test_a_rewritten_node_is_named(grow, tamper, fault_of):
    grow(9)
    tamper("UPDATE audit_node SET hash = %s WHERE level = 2 AND position = 1", [b"\0" * 32])

    assert fault_of() == (FaultCode.NODE_ALTERED, 4, 7)


def test_a_lost_node_is_named(grow, tamper, fault_of):
    grow(9)
    tamper("DELETE FROM audit_node WHERE level = 1 AND position = 1")

    assert fault_of() == (FaultCode.NODE_MISSING, 2, 3)


def test_a_node_over_no_entry_is_found(grow, tamper, fault_of):
    grow(3)
    tamper("INSERT INTO audit_node (level, position, hash) VALUES (1, 1, %s)", [b"\0" * 32])

    assert fault_of() == (FaultCode.NODE_UNEXPECTED, 3, 3)


def test_an_entry_that_nobody_seals_is_reported(grow, fault_of):
    grow(2)
    record_some(1)

    assert fault_of(unsealed_after=timedelta(0))[0] is FaultCode.UNSEALED
