"""The tree as RFC 6962 defines it, slowly, and trees to compare."""

from __future__ import annotations

import hashlib

from hypothesis import strategies as st

from audit import merkle
from audit.merkle import Frontier, NodeId

sizes = st.integers(min_value=1, max_value=70)


def naive_root(leaves: list[bytes]) -> bytes:
    """MTH as RFC 6962 section 2.1 writes it."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


def naive_path(m: int, leaves: list[bytes]) -> list[bytes]:
    """PATH as RFC 6962 section 2.1.1 writes it."""
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*naive_path(m, leaves[:k]), naive_root(leaves[k:])]
    return [*naive_path(m - k, leaves[k:]), naive_root(leaves[:k])]


def naive_subproof(m: int, leaves: list[bytes], whole: bool) -> list[bytes]:
    """SUBPROOF as RFC 6962 section 2.1.2 writes it."""
    if m == len(leaves):
        return [] if whole else [naive_root(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*naive_subproof(m, leaves[:k], whole), naive_root(leaves[k:])]
    return [*naive_subproof(m - k, leaves[k:], False), naive_root(leaves[:k])]


def some_leaves(size: int) -> list[bytes]:
    return [b"leaf %d" % number for number in range(size)]


def grow(leaves: list[bytes]) -> tuple[Frontier, dict[NodeId, bytes]]:
    frontier, nodes = Frontier(), {}
    for index, data in enumerate(leaves):
        nodes[(0, index)] = merkle.leaf_hash(data)
        nodes.update(frontier.append(nodes[(0, index)]))
    return frontier, nodes
