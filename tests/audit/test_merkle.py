"""The tree against RFC 6962's own recursive definition, and against known test vectors."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import merkle
from audit.merkle import Frontier
from tests.audit.rfc6962 import grow, naive_path, naive_root, naive_subproof, sizes, some_leaves

# The eight leaves and heads by which Certificate Transparency implementations check each other.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
HEADS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.mark.parametrize("size", range(1, 9))
def test_heads_are_the_published_ones(size):
    frontier, nodes = grow(LEAVES[:size])

    assert frontier.root().hex() == HEADS[size - 1]
    assert merkle.root(size, nodes).hex() == HEADS[size - 1]


def test_the_head_of_an_empty_tree_is_the_hash_of_nothing():
    assert Frontier().root() == merkle.root(0, {}) == hashlib.sha256(b"").digest()


def test_the_published_inclusion_path_of_the_sixth_leaf_is_found():
    _, nodes = grow(LEAVES)

    proof = merkle.prove(merkle.inclusion_ranges(5, 8), nodes)

    assert [step.hex() for step in proof] == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@given(sizes)
def test_the_head_is_that_of_the_definition(size):
    leaves = some_leaves(size)
    frontier, nodes = grow(leaves)

    assert frontier.root() == merkle.root(size, nodes) == naive_root(leaves)


@given(st.data())
def test_a_frontier_taken_up_again_grows_the_same_tree(data):
    size = data.draw(sizes)
    stop = data.draw(st.integers(0, size))
    whole, nodes = grow(some_leaves(size))

    resumed = Frontier(stop, [nodes[node] for node in merkle.subtrees(0, stop)])
    for index in range(stop, size):
        resumed.append(nodes[(0, index)])

    assert resumed.root() == whole.root()


@given(st.data())
def test_an_inclusion_proof_is_that_of_the_definition_and_verifies(data):
    size = data.draw(sizes)
    index = data.draw(st.integers(0, size - 1))
    leaves = some_leaves(size)
    frontier, nodes = grow(leaves)

    proof = merkle.prove(merkle.inclusion_ranges(index, size), nodes)

    assert list(proof) == naive_path(index, leaves)
    merkle.verify_inclusion(leaf=nodes[(0, index)], index=index, size=size, proof=proof, root=frontier.root())


@given(st.data())
def test_a_consistency_proof_is_that_of_the_definition_and_verifies(data):
    second = data.draw(sizes)
    first = data.draw(st.integers(1, second))
    leaves = some_leaves(second)
    frontier, nodes = grow(leaves)

    proof = merkle.prove(merkle.consistency_ranges(first, second), nodes)

    assert list(proof) == naive_subproof(first, leaves, True)
    merkle.verify_consistency(
        first=first,
        second=second,
        first_root=naive_root(leaves[:first]),
        second_root=frontier.root(),
        proof=proof,
    )


@given(st.integers(1, 2**40), st.data())
def test_a_proof_in_a_huge_tree_reads_few_nodes(size, data):
    index = data.draw(st.integers(0, size - 1))

    assert len(merkle.needed_nodes(merkle.inclusion_ranges(index, size))) <= 2 * size.bit_length()


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_no_path_is_named_for_a_leaf_outside_the_tree(index, size):
    with pytest.raises(ValueError, match="not in the tree"):
        merkle.inclusion_ranges(index, size)


@pytest.mark.parametrize(("first", "second"), [(-1, 3), (4, 3)])
def test_no_consistency_path_is_named_for_a_shrunken_tree(first, second):
    with pytest.raises(ValueError, match="larger one"):
        merkle.consistency_ranges(first, second)


def test_a_frontier_with_the_wrong_number_of_hashes_is_refused():
    with pytest.raises(ValueError, match="one hash per complete subtree"):
        Frontier(3, [b"only one"])


def test_a_range_that_is_no_subtree_is_refused():
    with pytest.raises(ValueError, match="not a subtree"):
        merkle.subtrees(1, 3)
