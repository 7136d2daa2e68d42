"""What a verification must not let through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import merkle
from audit.merkle import ProofError
from tests.audit.rfc6962 import grow, naive_root, some_leaves


@given(st.data())
def test_no_other_leaf_index_size_step_or_root_verifies(data):
    size = data.draw(st.integers(2, 70))
    index = data.draw(st.integers(0, size - 1))
    frontier, nodes = grow(some_leaves(size))
    proof = merkle.prove(merkle.inclusion_ranges(index, size), nodes)
    good = {"leaf": nodes[(0, index)], "index": index, "size": size, "proof": proof, "root": frontier.root()}
    bad = data.draw(
        st.sampled_from(
            [
                {"leaf": merkle.leaf_hash(b"another")},
                {"index": (index + 1) % size},
                {"index": size},
                {"index": -1},
                {"proof": proof[:-1]},
                {"proof": (*proof, b"\0" * 32)},
                {"proof": (b"\0" * 32, *proof[1:])},
                {"root": b"\0" * 32},
            ]
        )
    )

    with pytest.raises(ProofError):
        merkle.verify_inclusion(**{**good, **bad})


@given(st.data())
def test_a_rewritten_past_is_not_consistent(data):
    second = data.draw(st.integers(2, 70))
    first = data.draw(st.integers(1, second - 1))
    leaves = some_leaves(second)
    rewritten = [b"rewritten", *leaves[1:]]
    frontier, nodes = grow(rewritten)
    proof = merkle.prove(merkle.consistency_ranges(first, second), nodes)

    with pytest.raises(ProofError):
        merkle.verify_consistency(
            first=first,
            second=second,
            first_root=naive_root(leaves[:first]),
            second_root=frontier.root(),
            proof=proof,
        )


@given(st.data())
def test_a_consistency_proof_with_a_step_more_or_less_does_not_verify(data):
    second = data.draw(st.integers(2, 70))
    first = data.draw(st.integers(1, second - 1))
    leaves = some_leaves(second)
    _, nodes = grow(leaves)
    proof = merkle.prove(merkle.consistency_ranges(first, second), nodes)
    bad = data.draw(st.sampled_from([proof[:-1], (*proof, b"\0" * 32), ()]))

    with pytest.raises(ProofError):
        merkle.verify_consistency(
            first=first,
            second=second,
            first_root=naive_root(leaves[:first]),
            second_root=naive_root(leaves),
            proof=bad,
        )


@pytest.mark.parametrize(
    ("first", "second", "first_root", "second_root", "proof"),
    [
        (2, 1, b"a", b"a", ()),
        (-1, 1, b"a", b"a", ()),
        (3, 3, b"a", b"b", ()),
        (3, 3, b"a", b"a", (b"a",)),
        (0, 3, b"not the empty root", b"b", ()),
        (0, 3, merkle.EMPTY_ROOT, b"b", (b"a",)),
    ],
)
def test_degenerate_consistency_claims_are_refused(first, second, first_root, second_root, proof):
    with pytest.raises(ProofError):
        merkle.verify_consistency(
            first=first, second=second, first_root=first_root, second_root=second_root, proof=proof
        )


def test_an_empty_tree_and_an_equal_one_need_no_proof():
    for first, first_root in ((0, merkle.EMPTY_ROOT), (3, b"r")):
        assert merkle.consistency_ranges(first, 3) == []
        merkle.verify_consistency(first=first, second=3, first_root=first_root, second_root=b"r", proof=())
