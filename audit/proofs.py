"""Proofs that one entry is in the log, and that the log only grew, against its signed checkpoints."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from uuid import UUID

from audit import merkle
from audit.faults import AuditError, FaultCode
from audit.merkle import Range
from audit.models import AuditEntry, AuditLeaf, Checkpoint
from audit.tree import stored_nodes


class NotProvableError(LookupError):
    """There is no such entry, or no checkpoint covers it yet."""


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """All that `audit.offline.verify_proof` needs to show that `leaf` stands at `seq` under a signed head."""

    seq: int
    leaf: str
    hashes: tuple[bytes, ...]
    checkpoint: str

    def document(self) -> dict[str, object]:
        """As plain JSON; hashes in base64."""
        return {
            "seq": self.seq,
            "leaf": self.leaf,
            "hashes": _base64(self.hashes),
            "checkpoint": self.checkpoint,
        }


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """All that `audit.offline.verify_growth` needs to show that the newer head holds the older."""

    older: str
    newer: str
    hashes: tuple[bytes, ...]

    def document(self) -> dict[str, object]:
        """As plain JSON; hashes in base64."""
        return {"older": self.older, "newer": self.newer, "hashes": _base64(self.hashes)}


def latest_checkpoint() -> Checkpoint:
    """The newest signed tree head; raises NotProvableError before the first."""
    checkpoint = Checkpoint.objects.order_by("-size").first()
    if checkpoint is None:
        raise NotProvableError
    return checkpoint


def seq_of(entry: UUID) -> int:
    """The place of an entry in the log; raises NotProvableError while it has none."""
    rows = AuditEntry.objects.filter(uuid=entry).values("pk")
    seq = AuditLeaf.objects.filter(entry_id__in=rows).values_list("seq", flat=True).first()
    if seq is None:
        raise NotProvableError
    return seq


def inclusion_proof(entry: int | UUID) -> InclusionProof:
    """Prove the entry with this seq or uuid against the newest checkpoint; reads O(log n) nodes.

    Raises NotProvableError while no checkpoint covers it, AuditError when the log is found damaged.
    """
    seq = seq_of(entry) if isinstance(entry, UUID) else entry
    checkpoint = latest_checkpoint()
    if not 0 <= seq < checkpoint.size:
        raise NotProvableError
    leaf = leaf_at(seq)
    hashes = _prove(merkle.inclusion_ranges(seq, checkpoint.size))
    try:
        merkle.verify_inclusion(
            leaf=merkle.leaf_hash(leaf),
            index=seq,
            size=checkpoint.size,
            proof=hashes,
            root=bytes(checkpoint.root),
        )
    except merkle.ProofError:
        # A proof that does not hold must not leave the house as if it did.
        raise AuditError(FaultCode.PROOF, "the entry does not fit its checkpoint", seq=seq) from None
    return InclusionProof(seq, leaf.decode("ascii"), hashes, checkpoint.note)


def consistency_proof(older: int, newer: int | None = None) -> ConsistencyProof:
    """Prove that the checkpoint of size `newer` (default: the newest) holds the one of size `older`.

    Raises NotProvableError when there is no checkpoint of either size, or `older` is the larger.
    """
    first = Checkpoint.objects.filter(size=older).first()
    second = latest_checkpoint() if newer is None else Checkpoint.objects.filter(size=newer).first()
    if first is None or second is None or first.size > second.size:
        raise NotProvableError
    hashes = _prove(merkle.consistency_ranges(first.size, second.size))
    return ConsistencyProof(first.note, second.note, hashes)


def leaf_at(seq: int) -> bytes:
    """The leaf bytes of the entry at `seq`; raises AuditError when leaf or entry is gone."""
    rows = AuditLeaf.objects.filter(seq=seq).values("entry_id")
    entry = AuditEntry.objects.filter(pk__in=rows).first()
    if entry is None:
        raise AuditError(FaultCode.MISSING, "a sealed entry is gone", seq=seq)
    return entry.leaf_bytes(seq)


def _prove(ranges: list[Range]) -> tuple[bytes, ...]:
    return merkle.prove(ranges, stored_nodes(merkle.needed_nodes(ranges)))


def _base64(hashes: tuple[bytes, ...]) -> list[str]:
    return [base64.b64encode(step).decode("ascii") for step in hashes]
