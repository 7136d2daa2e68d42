"""Verification of the whole log: every entry against its leaf, every leaf against the tree, the tree against
every signed checkpoint in the database and in the witness file.

One pass in order of `seq`, so the fault that is raised is the first. All earlier trees are recomputed on
the way, which shows consistency between checkpoints without any proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import or_
from pathlib import Path

from django.db.models import Count, Q
from django.utils import timezone

from audit import merkle
from audit.checkpoint import unsealed_entries
from audit.claims import Claims, claims_of
from audit.configured import configured_origin
from audit.faults import AuditError, FaultCode
from audit.merkle import Frontier, NodeId
from audit.models import AuditEntry, AuditLeaf, AuditNode
from audit.tree import tree_size

UNSEALED_AFTER = timedelta(minutes=15)
_CHUNK = 2048


@dataclass(frozen=True, slots=True)
class LogReport:
    """What was found whole."""

    size: int
    root: str
    checkpoints: int
    witnessed: int
    waiting: int

    def as_json(self) -> dict[str, str | int]:
        return {
            "size": self.size,
            "root": self.root,
            "checkpoints": self.checkpoints,
            "witnessed": self.witnessed,
            "waiting": self.waiting,
        }


def verify_log(
    *,
    public_keys: Mapping[str, bytes],
    witness: Path | None = None,
    origin: str = "",
    unsealed_after: timedelta = UNSEALED_AFTER,
) -> LogReport:
    """Check the whole log; raises AuditError for the first fault in order of `seq`.

    `public_keys` maps key ids to raw 32-byte Ed25519 keys, retired ones included. May run while others write
    and seal: what is sealed after the start is left for the next time.
    """
    # Claims before the size: a checkpoint is never written before the leaves that it covers.
    claims = claims_of(public_keys=public_keys, witness=witness, origin=origin or configured_origin())
    extent = _extent_of_nodes()
    size = tree_size()
    frontier = Frontier()
    claims.check(frontier)
    for start in range(0, size, _CHUNK):
        _verify_chunk(start, min(start + _CHUNK, size), frontier, claims)
    claims.require_within(size)
    _require_no_other_nodes(size, extent)
    waiting = _require_nothing_stale(unsealed_after)
    return LogReport(size, frontier.root().hex(), claims.checkpoints, claims.witnessed, waiting)


def _verify_chunk(start: int, end: int, frontier: Frontier, claims: Claims) -> None:
    nodes = _stored_nodes(start, end)
    for leaf in _leaves(start, end):
        _verify_nodes(frontier.append(leaf), nodes)
        claims.check(frontier)


def _leaves(start: int, end: int) -> Iterator[bytes]:
    """The leaf hashes of [start, end), each recomputed from its entry."""
    rows = AuditLeaf.objects.filter(seq__gte=start, seq__lt=end).values_list("seq", "entry_id", "hash")
    leaves = {seq: (entry, bytes(stored)) for seq, entry, stored in rows}
    entries = AuditEntry.objects.in_bulk([entry for entry, _ in leaves.values()])
    for seq in range(start, end):
        if seq not in leaves:
            raise AuditError(FaultCode.MISSING, "the leaf of an entry is gone", seq=seq)
        entry_id, stored = leaves[seq]
        entry = entries.get(entry_id)
        if entry is None:
            raise AuditError(FaultCode.MISSING, "a sealed entry is gone", seq=seq)
        computed = merkle.leaf_hash(entry.leaf_bytes(seq))
        if computed != stored:
            raise _altered_or_moved(entry, seq, stored)
        yield computed


def _altered_or_moved(entry: AuditEntry, place: int, found: bytes) -> AuditError:
    """Tell an entry that stands at another's place from one that was changed; looks through the whole log."""
    for seq, stored in AuditLeaf.objects.order_by("seq").values_list("seq", "hash").iterator():
        if merkle.leaf_hash(entry.leaf_bytes(seq)) in (bytes(stored), found):
            return AuditError(FaultCode.REORDERED, f"the entry here was sealed as {seq}", seq=place)
    return AuditError(FaultCode.ALTERED, "the entry is not what was sealed", seq=place)


def _stored_nodes(start: int, end: int) -> dict[NodeId, bytes]:
    """The stored nodes that the leaves [start, end) complete."""
    places = [
        Q(level=level, position__gte=start >> level, position__lt=end >> level)
        for level in range(1, end.bit_length())
        if start >> level < end >> level
    ]
    if not places:
        return {}
    rows = AuditNode.objects.filter(reduce(or_, places)).values_list("level", "position", "hash")
    return {(level, position): bytes(node) for level, position, node in rows}


def _verify_nodes(completed: list[tuple[NodeId, bytes]], stored: Mapping[NodeId, bytes]) -> None:
    for (level, position), computed in completed:
        found = stored.get((level, position))
        if found == computed:
            continue
        first, last = position << level, ((position + 1) << level) - 1
        name = f"node {level}/{position}"
        if found is None:
            raise AuditError(FaultCode.NODE_MISSING, f"{name} is gone", seq=first, last=last)
        # Two leaves that agree with their entries, but not with their parent: one of the two was rewritten.
        code = FaultCode.LEAF_REWRITTEN if level == 1 else FaultCode.NODE_ALTERED
        raise AuditError(code, f"{name} does not fit what is under it", seq=first, last=last)


def _extent_of_nodes() -> dict[int, int]:
    """How many nodes are stored on each level."""
    return dict(AuditNode.objects.values_list("level").annotate(Count("position")).order_by("level"))


def _require_no_other_nodes(size: int, extent: Mapping[int, int]) -> None:
    # All that belong there were met on the way, so more of them than the size allows are not from the sealer.
    for level, number in extent.items():
        if level < 1 or number > size >> level:
            raise AuditError(FaultCode.NODE_UNEXPECTED, f"level {level} holds nodes of no entry", seq=size)


def _require_nothing_stale(unsealed_after: timedelta) -> int:
    waiting = unsealed_entries()
    oldest = waiting.filter(at__lt=timezone.now() - unsealed_after).first()
    if oldest:
        raise AuditError(FaultCode.UNSEALED, f"entry {oldest.uuid} has waited too long to be sealed")
    return waiting.count()
