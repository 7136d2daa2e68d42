"""The sealed log as lines for `audit.offline`: line n is the leaf of entry n, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from audit.faults import AuditError, FaultCode
from audit.models import AuditEntry, AuditLeaf, Checkpoint
from audit.proofs import latest_checkpoint

_CHUNK = 2048


def export_lines(*, first: int = 0, size: int) -> Iterator[bytes]:
    """The leaves [first, size) as lines of JSON with their newline; raises AuditError when one is gone."""
    for start in range(first, size, _CHUNK):
        end = min(start + _CHUNK, size)
        places = dict(AuditLeaf.objects.filter(seq__gte=start, seq__lt=end).values_list("seq", "entry_id"))
        entries = AuditEntry.objects.in_bulk(list(places.values()))
        for seq in range(start, end):
            entry = entries.get(places.get(seq, -1))
            if entry is None:
                raise AuditError(FaultCode.MISSING, "a sealed entry is gone", seq=seq)
            yield entry.leaf_bytes(seq) + b"\n"


def export_log(*, log: Path, checkpoint: Path) -> Checkpoint:
    """Write the log up to the newest checkpoint, and that checkpoint's signed text, to two files.

    Raises NotProvableError before the first checkpoint, AuditError when an entry is gone.
    """
    head = latest_checkpoint()
    with log.open("wb") as lines:
        lines.writelines(export_lines(size=head.size))
    checkpoint.write_text(head.note, encoding="utf-8")
    return head
