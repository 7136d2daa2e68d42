"""Check an exported log, or one entry's proof, far from the vault: needs `cryptography` and this package's
modules `merkle`, `tree_head`, `witness` and `faults`; no Django and no database.

    python -m audit.offline log LOG CHECKPOINT [--witness FILE] --key ID=BASE64 [--key ...]
    python -m audit.offline proof FILE --key ID=BASE64

Exit code 0 when all is shown, 1 with the first fault on standard error otherwise.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from audit import merkle
from audit.faults import AuditError, FaultCode
from audit.tree_head import TreeHead, open_head
from audit.witness import read_witness


def verify_exported_log(
    lines: Iterable[bytes],
    *,
    checkpoint: str,
    public_keys: Mapping[str, bytes],
    origin: str | None = None,
    older: Iterable[str] = (),
) -> TreeHead:
    """Check that the lines are exactly the log that `checkpoint` signs, and hold every `older` checkpoint.

    The more older checkpoints, the narrower the range that a fault names. Raises AuditError.
    """
    head = open_head(checkpoint, public_keys=public_keys, origin=origin)
    heads = [open_head(note, public_keys=public_keys, origin=origin) for note in older]
    roots: dict[int, set[bytes]] = {}
    for claim in (head, *heads):
        # Newer ones than the log's own cannot be met by it.
        if claim.size <= head.size:
            roots.setdefault(claim.size, set()).add(claim.root)
    frontier, met = merkle.Frontier(), 0
    for line in lines:
        _require_place(line, frontier.size)
        if frontier.size == head.size:
            raise AuditError(FaultCode.UNSIGNED, "the log goes on behind its checkpoint", seq=frontier.size)
        frontier.append(merkle.leaf_hash(line.rstrip(b"\n")))
        if claimed := roots.get(frontier.size):
            _require_root(frontier, claimed, met)
            met = frontier.size
    if frontier.size < head.size:
        raise AuditError(FaultCode.TRUNCATED, "the log ends too early", seq=frontier.size, last=head.size - 1)
    _require_root(frontier, {head.root}, met)
    return head


def verify_proof(
    document: Mapping[str, Any], *, public_keys: Mapping[str, bytes], origin: str | None = None
) -> dict[str, Any]:
    """Check an inclusion proof document and return the entry that it proves; raises AuditError."""
    try:
        seq, leaf = int(document["seq"]), str(document["leaf"])
        hashes, note = _hashes(document), str(document["checkpoint"])
    except (KeyError, TypeError, ValueError):
        raise AuditError(FaultCode.PROOF, "the document is not a proof") from None
    head = open_head(note, public_keys=public_keys, origin=origin)
    data = leaf.encode("utf-8", "surrogatepass")
    try:
        merkle.verify_inclusion(
            leaf=merkle.leaf_hash(data), index=seq, size=head.size, proof=hashes, root=head.root
        )
    except merkle.ProofError as error:
        raise AuditError(FaultCode.PROOF, str(error), seq=seq) from None
    return _require_place(data, seq)


def verify_growth(
    document: Mapping[str, Any], *, public_keys: Mapping[str, bytes], origin: str | None = None
) -> TreeHead:
    """Check a consistency proof document and return the newer head; raises AuditError."""
    try:
        notes, hashes = (str(document["older"]), str(document["newer"])), _hashes(document)
    except (KeyError, TypeError, ValueError):
        raise AuditError(FaultCode.PROOF, "the document is not a proof") from None
    older, newer = (open_head(note, public_keys=public_keys, origin=origin) for note in notes)
    try:
        merkle.verify_consistency(
            first=older.size,
            second=newer.size,
            first_root=older.root,
            second_root=newer.root,
            proof=hashes,
        )
    except merkle.ProofError as error:
        raise AuditError(FaultCode.PROOF, str(error)) from None
    return newer


def read_key(text: str) -> tuple[str, bytes]:
    """Read ID=BASE64; raises ValueError."""
    key_id, _, encoded = text.partition("=")
    try:
        return key_id, base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise ValueError("a key is given as ID=BASE64") from None


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    public_keys = dict(options.key)
    try:
        if options.command == "proof":
            document = json.loads(options.file.read_text(encoding="utf-8"))
            report: dict[str, Any] = verify_proof(document, public_keys=public_keys, origin=options.origin)
        else:
            with options.log.open("rb") as lines:
                head = verify_exported_log(
                    lines,
                    checkpoint=options.checkpoint.read_text(encoding="utf-8"),
                    public_keys=public_keys,
                    origin=options.origin,
                    older=read_witness(options.witness) if options.witness else (),
                )
            report = {"origin": head.origin, "size": head.size, "root": head.root.hex(), "time": head.time}
    except AuditError as fault:
        sys.stderr.write(json.dumps(fault.as_json()) + "\n")
        return 1
    sys.stdout.write(json.dumps(report) + "\n")
    return 0


def _require_place(line: bytes, seq: int) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict) or not isinstance(entry.get("seq"), int):
        raise AuditError(FaultCode.ALTERED, "the line is not an entry", seq=seq)
    if entry["seq"] > seq:
        raise AuditError(FaultCode.MISSING, "entries are missing here", seq=seq, last=entry["seq"] - 1)
    if entry["seq"] < seq:
        raise AuditError(FaultCode.REORDERED, f"the entry here was sealed as {entry['seq']}", seq=seq)
    return entry


def _require_root(frontier: merkle.Frontier, claimed: set[bytes], met: int) -> None:
    if claimed != {frontier.root()}:
        detail = f"the log had another root at size {frontier.size}"
        raise AuditError(FaultCode.CHECKPOINT_ROOT, detail, seq=met, last=max(met, frontier.size - 1))


def _hashes(document: Mapping[str, Any]) -> list[bytes]:
    return [base64.b64decode(step, validate=True) for step in document["hashes"]]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="audit.offline", description="Check an audit log offline.")
    commands = parser.add_subparsers(dest="command", required=True)
    log, proof = commands.add_parser("log"), commands.add_parser("proof")
    log.add_argument("log", type=Path)
    log.add_argument("checkpoint", type=Path)
    log.add_argument("--witness", type=Path)
    proof.add_argument("file", type=Path)
    for command in (log, proof):
        command.add_argument("--key", type=read_key, action="append", required=True)
        command.add_argument("--origin")
    return parser


if __name__ == "__main__":
    sys.exit(main())
