"""The sealer gives entries their places in the tree; signing fixes the tree's head for everybody to see."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from audit import canonical, merkle
from audit.configured import configured_origin, configured_signer, configured_witness
from audit.faults import AuditError, FaultCode
from audit.models import AuditEntry, AuditLeaf, AuditNode, Checkpoint
from audit.tree import load_frontier, stored_nodes
from audit.tree_head import Signer, TreeHead, sign_head
from audit.witness import append_to_witness

SEAL_BATCH = 1000
# An entry is stamped when it is inserted and seen when it is committed. The quick pass looks this far back
# behind the last sealed entry; what took longer to commit is found by a sweep.
LATE_COMMIT = timedelta(minutes=1)
_SEALER_LOCK = 0x6175646974  # "audit"


def unsealed_entries() -> QuerySet[AuditEntry]:
    """The entries that have no place in the tree yet, oldest first."""
    return AuditEntry.objects.filter(~Exists(AuditLeaf.objects.filter(entry_id=OuterRef("pk")))).order_by(
        "at", "pk"
    )


def seal_batch(*, limit: int = SEAL_BATCH, sweep: bool = False) -> int:
    """Give up to `limit` waiting entries their places in the tree, oldest first; returns how many.

    Ids may have gaps and may commit out of order: the order of the log is the order of sealing. `sweep`
    looks at the whole log instead of its recent end, for entries that took over LATE_COMMIT to commit.
    Runs in its own transaction; a second sealer waits for the first.
    """
    with transaction.atomic(durable=True):
        _lock_out_other_sealers()
        waiting = unsealed_entries()
        if not sweep and (horizon := _horizon()):
            waiting = waiting.filter(at__gte=horizon)
        entries = list(waiting[:limit])
        if entries:
            _append(entries)
        return len(entries)


def sign_checkpoint(signer: Signer, *, witness: Path | None = None, origin: str = "") -> Checkpoint:
    """Sign the head of the sealed tree, and append it to the witness file when one is given.

    Returns the last checkpoint again when nothing was sealed since. Raises AuditError, and signs nothing,
    when today's tree does not hold the last checkpoint's.
    """
    with transaction.atomic(durable=True):
        _lock_out_other_sealers()
        checkpoint = _sign_growth(signer, origin or configured_origin())
    if witness:
        # After the commit: the witness must never hold a head that the database has rolled back.
        append_to_witness(witness, _notes_after)
    return checkpoint


def publish_checkpoint() -> Checkpoint:
    """Sign with the signer of the settings and append to their witness file."""
    return sign_checkpoint(configured_signer(), witness=configured_witness())


def seal_all(*, sweep: bool = False) -> int:
    """Seal until nothing waits; returns how many entries got their places."""
    total = 0
    while sealed := seal_batch(sweep=sweep):
        total += sealed
    return total


def _lock_out_other_sealers() -> None:
    with transaction.get_connection(DEFAULT_DB_ALIAS).cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_SEALER_LOCK])


def _horizon() -> datetime | None:
    """How far back the quick pass looks: everything older was seen when the last entry was sealed."""
    last = AuditLeaf.objects.order_by("-seq").values_list("entry_id", flat=True).first()
    stamp = AuditEntry.objects.filter(pk=last).values_list("at", flat=True).first() if last else None
    # A stamp from a clock that ran ahead must not hide what comes after it.
    return min(stamp, timezone.now()) - LATE_COMMIT if stamp else None


def _append(entries: list[AuditEntry]) -> None:
    frontier = load_frontier()
    leaves, nodes = [], []
    for entry in entries:
        seq = frontier.size
        leaf = merkle.leaf_hash(entry.leaf_bytes(seq))
        leaves.append(AuditLeaf(seq=seq, entry_id=entry.pk, hash=leaf))
        nodes += [
            AuditNode(level=level, position=position, hash=node)
            for (level, position), node in frontier.append(leaf)
        ]
    AuditLeaf.objects.bulk_create(leaves)
    AuditNode.objects.bulk_create(nodes)


def _sign_growth(signer: Signer, origin: str) -> Checkpoint:
    frontier = load_frontier()
    last = Checkpoint.objects.order_by("-size").first()
    if last:
        _require_growth(last, frontier)
        if last.size == frontier.size:
            return last
    now = canonical.instant(timezone.now())
    head = TreeHead(origin, frontier.size, frontier.root(), now, signer.key_id)
    return Checkpoint.objects.create(
        size=head.size, root=head.root, key_id=head.key_id, note=sign_head(head, signer)
    )


def _require_growth(last: Checkpoint, frontier: merkle.Frontier) -> None:
    if frontier.size < last.size:
        raise AuditError(
            FaultCode.TRUNCATED, "the log is shorter than its last checkpoint", seq=frontier.size
        )
    ranges = merkle.consistency_ranges(last.size, frontier.size)
    try:
        merkle.verify_consistency(
            first=last.size,
            second=frontier.size,
            first_root=bytes(last.root),
            second_root=frontier.root(),
            proof=merkle.prove(ranges, stored_nodes(merkle.needed_nodes(ranges))),
        )
    except merkle.ProofError:
        raise AuditError(
            FaultCode.CHECKPOINT_ROOT, "the tree does not hold its last checkpoint", seq=0, last=last.size - 1
        ) from None


def _notes_after(size: int) -> Iterable[str]:
    return Checkpoint.objects.filter(size__gt=size).order_by("size").values_list("note", flat=True).iterator()
