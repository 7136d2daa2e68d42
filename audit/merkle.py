"""The Merkle tree of RFC 6962 over SHA-256, as pure functions over bytes.

The tree is kept as its complete subtrees: node `(level, index)` covers the leaves
`[index * 2**level, (index + 1) * 2**level)` and, once complete, never changes. Roots and proofs of any
size are folded from O(log n) of them. A verification returns None or raises ProofError.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

NodeId: TypeAlias = tuple[int, int]
Range: TypeAlias = tuple[int, int]

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()


class ProofError(ValueError):
    """A proof does not show what it claims."""


def leaf_hash(data: bytes) -> bytes:
    """Hash one leaf: SHA-256(0x00 || data), RFC 6962 section 2.1."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two children: SHA-256(0x01 || left || right), RFC 6962 section 2.1."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def subtrees(start: int, end: int) -> list[NodeId]:
    """Name the complete subtrees that make up the leaves [start, end), from left to right.

    Raises ValueError for a range that is not a subtree of RFC 6962's recursive split.
    """
    nodes: list[NodeId] = []
    while start < end:
        level = (end - start).bit_length() - 1
        if start % (1 << level):
            raise ValueError("the range is not a subtree")
        nodes.append((level, start >> level))
        start += 1 << level
    return nodes


def range_hash(start: int, end: int, nodes: Mapping[NodeId, bytes]) -> bytes:
    """Compute MTH(D[start:end]) of RFC 6962 section 2.1; raises KeyError when a node is not given."""
    hashes = [nodes[node] for node in subtrees(start, end)]
    if not hashes:
        return EMPTY_ROOT
    result = hashes.pop()
    while hashes:
        result = node_hash(hashes.pop(), result)
    return result


def root(size: int, nodes: Mapping[NodeId, bytes]) -> bytes:
    """Compute the tree head of the first `size` leaves, RFC 6962 section 2.1."""
    return range_hash(0, size, nodes)


class Frontier:
    """The right edge of a growing tree: appending costs O(1) amortised, its root O(log n)."""

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        """`hashes` belong to `subtrees(0, size)`, in that order; raises ValueError for a wrong number."""
        self.size = size
        self._hashes = list(hashes)
        if len(self._hashes) != size.bit_count():
            raise ValueError("a frontier holds one hash per complete subtree")

    def append(self, leaf: bytes) -> list[tuple[NodeId, bytes]]:
        """Add one leaf hash; returns the nodes this completes above it, the lowest first."""
        completed: list[tuple[NodeId, bytes]] = []
        index, level, current = self.size, 0, leaf
        while index & 1:
            current = node_hash(self._hashes.pop(), current)
            index, level = index >> 1, level + 1
            completed.append(((level, index), current))
        self._hashes.append(current)
        self.size += 1
        return completed

    def root(self) -> bytes:
        """Compute the tree head of what has been appended, RFC 6962 section 2.1."""
        return root(self.size, dict(zip(subtrees(0, self.size), self._hashes, strict=True)))


def split(size: int) -> int:
    """Find the largest power of two smaller than `size` (> 1): k of RFC 6962 section 2.1."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_ranges(index: int, size: int) -> list[Range]:
    """Name the ranges whose hashes are PATH(index, D[size]), RFC 6962 section 2.1.1.

    Raises ValueError unless 0 <= index < size.
    """
    if not 0 <= index < size:
        raise ValueError("the leaf is not in the tree")
    start, end, path = 0, size, []
    while end - start > 1:
        middle = start + split(end - start)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    return path[::-1]


def consistency_ranges(first: int, second: int) -> list[Range]:
    """Name the ranges whose hashes are PROOF(first, D[second]), RFC 6962 section 2.1.2.

    Nothing is needed from an empty tree or between equal sizes.
    Raises ValueError unless 0 <= first <= second.
    """
    if not 0 <= first <= second:
        raise ValueError("a tree is consistent only with a larger one")
    if first in (0, second):
        return []
    start, end, path, whole = 0, second, [], True
    while end != first:
        middle = start + split(end - start)
        if first <= middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start, whole = middle, False
    if not whole:
        path.append((start, end))
    return path[::-1]


def needed_nodes(ranges: Iterable[Range]) -> set[NodeId]:
    """Name the stored nodes from which the hashes of `ranges` are folded."""
    return {node for start, end in ranges for node in subtrees(start, end)}


def prove(ranges: Iterable[Range], nodes: Mapping[NodeId, bytes]) -> tuple[bytes, ...]:
    """Fold the proof whose `ranges` were named above; raises KeyError when a node is not given."""
    return tuple(range_hash(start, end, nodes) for start, end in ranges)


def verify_inclusion(*, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Check that `leaf` is leaf number `index` under `root`.

    The path is RFC 6962's section 2.1.1, its check is spelt out in RFC 9162 section 2.1.3.2.
    Raises ProofError when it is not shown.
    """
    if not 0 <= index < size:
        raise ProofError("the leaf is not in the tree")
    position, last, current = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise ProofError("the proof is too long")
        if position & 1 or position == last:
            current = node_hash(sibling, current)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            current = node_hash(current, sibling)
        position, last = position >> 1, last >> 1
    if last or current != root:
        raise ProofError("the leaf is not under this root")


def verify_consistency(
    *, first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]
) -> None:
    """Check that the larger tree only appended to the smaller.

    The proof is RFC 6962's section 2.1.2, its check is spelt out in RFC 9162 section 2.1.4.2.
    Raises ProofError when it is not shown.
    """
    if not 0 <= first <= second:
        raise ProofError("a tree is consistent only with a larger one")
    if first in (0, second):
        _verify_trivially_consistent(first, second, first_root, second_root, proof)
        return
    # A complete first tree is itself the first node of the path, and is left out of the proof.
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        raise ProofError("the proof is too short")
    position, last = first - 1, second - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise ProofError("the proof is too long")
        if position & 1 or position == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        position, last = position >> 1, last >> 1
    if last or old != first_root or new != second_root:
        raise ProofError("the larger tree does not hold the smaller")


def _verify_trivially_consistent(
    first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]
) -> None:
    if proof:
        raise ProofError("the proof is too long")
    if first == 0 and first_root != EMPTY_ROOT:
        raise ProofError("an empty tree has another root")
    if first == second and first_root != second_root:
        raise ProofError("trees of one size have different roots")
