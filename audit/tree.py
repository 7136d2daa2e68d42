"""Reading the stored tree: its size, and the few nodes that a root or a proof is folded from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from django.db.models import Max, Q

from audit import merkle
from audit.faults import AuditError, FaultCode
from audit.merkle import Frontier, NodeId
from audit.models import AuditLeaf, AuditNode


def tree_size() -> int:
    """How many entries are sealed."""
    last = AuditLeaf.objects.aggregate(last=Max("seq"))["last"]
    return 0 if last is None else int(last) + 1


def stored_nodes(wanted: Iterable[NodeId]) -> dict[NodeId, bytes]:
    """Fetch nodes by id in at most two queries; raises AuditError when one is missing."""
    by_level: dict[int, list[int]] = {}
    for level, position in wanted:
        by_level.setdefault(level, []).append(position)
    found: dict[NodeId, bytes] = {}
    leaves = by_level.pop(0, [])
    if leaves:
        for seq, leaf in AuditLeaf.objects.filter(seq__in=leaves).values_list("seq", "hash"):
            found[(0, seq)] = bytes(leaf)
        _require_all(found, 0, leaves)
    if by_level:
        places = reduce(or_, (Q(level=level, position__in=names) for level, names in by_level.items()))
        for level, position, node in AuditNode.objects.filter(places).values_list(
            "level", "position", "hash"
        ):
            found[(level, position)] = bytes(node)
    for level, positions in by_level.items():
        _require_all(found, level, positions)
    return found


def _require_all(found: dict[NodeId, bytes], level: int, positions: list[int]) -> None:
    for position in sorted(positions):
        if (level, position) not in found:
            code = FaultCode.NODE_MISSING if level else FaultCode.MISSING
            first = position << level
            raise AuditError(
                code, f"node {level}/{position} is missing", seq=first, last=first + (1 << level) - 1
            )


def load_frontier() -> Frontier:
    """Take up the tree at its right edge; reads O(log n) nodes."""
    size = tree_size()
    edge = merkle.subtrees(0, size)
    nodes = stored_nodes(edge)
    return Frontier(size, [nodes[node] for node in edge])
