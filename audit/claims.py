"""What was signed about the log: the heads in the database and in the witness file, to be met by the tree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from audit.faults import AuditError, FaultCode
from audit.merkle import Frontier
from audit.models import Checkpoint
from audit.tree_head import open_head, read_head
from audit.witness import read_witness


class Claims:
    """Claims by size: a root to be met, or the fault of a checkpoint that cannot be believed."""

    def __init__(self) -> None:
        self.checkpoints = 0
        self.witnessed = 0
        self.largest = 0
        self._by_size: dict[int, list[bytes | AuditError]] = {}
        self._met = 0

    def expect(self, size: int, claim: bytes | AuditError) -> None:
        self._by_size.setdefault(size, []).append(claim)
        self.largest = max(self.largest, size)

    def check(self, frontier: Frontier) -> None:
        """Compare the tree as it stands with what was signed of this size; raises AuditError."""
        claims = self._by_size.get(frontier.size)
        if not claims:
            return
        for claim in claims:
            if isinstance(claim, AuditError):
                raise claim
            if claim != frontier.root():
                # The tree met the last head, so the change lies behind it.
                raise AuditError(
                    FaultCode.CHECKPOINT_ROOT,
                    f"the log had another root at size {frontier.size}",
                    seq=self._met,
                    last=frontier.size - 1,
                )
        self._met = frontier.size

    def require_within(self, size: int) -> None:
        """Raise AuditError when more was signed than the log holds."""
        if self.largest > size:
            detail = f"{self.largest} entries were signed, {size} are here"
            raise AuditError(FaultCode.TRUNCATED, detail, seq=size, last=self.largest - 1)


def claims_of(*, public_keys: Mapping[str, bytes], witness: Path | None, origin: str) -> Claims:
    """Collect every checkpoint of the database and of the witness file, signatures checked."""
    claims = Claims()
    # The database first: the witness may then be ahead of what was read, and behind only by a checkpoint
    # that is being published at this moment.
    rows = list(Checkpoint.objects.order_by("size"))
    for row in rows:
        claims.checkpoints += 1
        claims.expect(row.size, _root_of_row(row, public_keys, origin))
    if witness is not None and (rows or witness.exists()):
        notes = read_witness(witness)
        claims.witnessed = len(notes)
        for note in notes:
            claims.expect(read_head(note)[0].size, _root_of_note(note, public_keys, origin))
        _compare(claims, {row.size for row in rows}, {read_head(note)[0].size for note in notes})
    return claims


def _root_of_note(note: str, public_keys: Mapping[str, bytes], origin: str) -> bytes | AuditError:
    try:
        return open_head(note, public_keys=public_keys, origin=origin).root
    except AuditError as fault:
        return fault


def _root_of_row(row: Checkpoint, public_keys: Mapping[str, bytes], origin: str) -> bytes | AuditError:
    try:
        head = open_head(row.note, public_keys=public_keys, origin=origin)
    except AuditError as fault:
        return fault
    if (head.size, head.root, head.key_id) != (row.size, bytes(row.root), row.key_id):
        return AuditError(FaultCode.CHECKPOINT_FIELDS, f"checkpoint {row.size} differs from its signed text")
    return head.root


def _compare(claims: Claims, stored: set[int], witnessed: set[int]) -> None:
    """Expect nothing of a size that only one side knows, but for the newest, which may be on its way."""
    newest = max(stored, default=-1)
    for size in witnessed - stored:
        if size < newest:
            fault = AuditError(FaultCode.CHECKPOINT_MISSING, f"checkpoint {size} is only in the witness")
            claims.expect(size, fault)
    for size in stored - witnessed - {newest}:
        claims.expect(size, AuditError(FaultCode.WITNESS_BEHIND, f"checkpoint {size} is not in the witness"))
