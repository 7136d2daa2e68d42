"""Check an erasure certificate far from the vault: needs `cryptography` and this tree's `audit` modules that
run without Django; no database, no settings.

    python -m vault.lifecycle.verify_certificate FILE --public-key ID=BASE64 [--public-key ...]
    python -m vault.lifecycle.verify_certificate FILE --public-keys PINNED.json

Exit code 0 when all is shown, 1 with the first fault on standard error otherwise. The certificate carries the
key that signed it, to be read; it is believed only when it is one of the keys that the caller pinned.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from audit.faults import AuditError
from audit.offline import read_key, verify_proof
from vault.lifecycle.signed_document import DocumentFault, bytes_under_signature, require_signature

FORMAT = "memory-vault/erasure-certificate/1"
ENTRY_ACTION = "erasure.completed"
FIELDS = frozenset(
    {
        "format", "request", "reason", "requested_at", "approved_at", "erased_at", "unreadable_at",
        "irrecoverable_at", "stores", "entry", "issued_at", "key_id", "public_key", "signature",
    }
)  # fmt: skip


class CertificateFault(DocumentFault):
    """What is wrong with an erasure certificate."""


def signed_bytes(document: Mapping[str, Any]) -> bytes:
    """The bytes under the signature of an erasure certificate."""
    return bytes_under_signature(document, form=FORMAT)


def verify_certificate(document: Mapping[str, Any], *, public_keys: Mapping[str, bytes]) -> dict[str, Any]:
    """Check one certificate and say what it shows; raises CertificateFault for the first thing wrong.

    `public_keys` are the pinned keys, raw, by key id; retired ones included.
    """
    _require_form(document)
    require_signature(document, form=FORMAT, public_keys=public_keys, fault=CertificateFault)
    _require_nothing_left(document)
    _require_order(document)
    erased = _require_entry(document, public_keys)
    return {
        "request": document["request"],
        "erased": erased,
        "left": 0,
        "unreadable_at": document["unreadable_at"],
        "irrecoverable_at": document["irrecoverable_at"],
        "key_id": document["key_id"],
    }


def _require_form(document: Mapping[str, Any]) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CertificateFault("format", "this is not an erasure certificate of a known format")
    if set(document) != FIELDS:
        raise CertificateFault("fields", "fields are missing or unknown")
    stores = document["stores"]
    if not isinstance(stores, list) or not stores or not all(_is_store(store) for store in stores):
        raise CertificateFault("fields", "the list of stores cannot be read")


def _is_store(store: object) -> bool:
    return (
        isinstance(store, dict)
        and set(store) == {"name", "erased", "left"}
        and isinstance(store["name"], str)
        and all(type(store[name]) is int and store[name] >= 0 for name in ("erased", "left"))
    )


def _require_nothing_left(document: Mapping[str, Any]) -> None:
    for store in document["stores"]:
        if store["left"]:
            raise CertificateFault("left", f"the store {store['name']} was not empty")


def _require_order(document: Mapping[str, Any]) -> None:
    # Rows and keys go on different clocks, so they are not compared with each other. Without an end of the
    # key's epoch the certificate claims unreadable only.
    for names in (
        ("requested_at", "approved_at", "erased_at", "issued_at"),
        ("approved_at", "unreadable_at", "irrecoverable_at", "issued_at"),
    ):
        times = [
            _time(document, name)
            for name in names
            if name != "irrecoverable_at" or document[name] is not None
        ]
        if times != sorted(times):
            raise CertificateFault("times", "the dates are not in the order of an erasure")


def _time(document: Mapping[str, Any], name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(str(document[name]))
    except ValueError:
        raise CertificateFault("times", f"{name} is not a time") from None
    if moment.tzinfo is None:
        raise CertificateFault("times", f"{name} has no offset")
    return moment


def _require_entry(document: Mapping[str, Any], public_keys: Mapping[str, bytes]) -> int:
    """The audit log must say the same; returns how many rows it says were erased."""
    try:
        entry = verify_proof(document["entry"], public_keys=public_keys)
    except AuditError as fault:
        raise CertificateFault("entry", f"the entry is not proved to be in the audit log: {fault}") from None
    if entry.get("action") != ENTRY_ACTION or entry.get("target_id") != document["request"]:
        raise CertificateFault("entry", "the proved entry tells of something else")
    stores = {store["name"]: store["erased"] for store in document["stores"]}
    if entry.get("facts") != stores:
        raise CertificateFault("entry", "the audit log counted other rows than the certificate")
    return sum(stores.values())


def read_keys(path: Path) -> dict[str, bytes]:
    """The pinned keys of a file: a JSON object of key ids and base64; raises CertificateFault."""
    try:
        pinned = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): base64.b64decode(value, validate=True) for name, value in pinned.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        raise CertificateFault("keys", "the file of pinned keys cannot be read") from None


def read_certificate(path: Path) -> dict[str, Any]:
    """A certificate's file as it stands, unchecked; raises CertificateFault."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise CertificateFault("format", "the file cannot be read as a certificate") from None
    if not isinstance(document, dict):
        raise CertificateFault("format", "the file is not a certificate")
    return document


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="verify_certificate", description="Check an erasure certificate.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--public-key", type=read_key, action="append", default=[], metavar="ID=BASE64")
    parser.add_argument("--public-keys", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        pinned = {
            **(read_keys(options.public_keys) if options.public_keys else {}),
            **dict(options.public_key),
        }
        if not pinned:
            raise CertificateFault("keys", "name the key that you trust with --public-key or --public-keys")
        report = verify_certificate(read_certificate(options.file), public_keys=pinned)
    except CertificateFault as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    sys.stdout.write(json.dumps(report) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
