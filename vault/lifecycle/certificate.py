"""Issuing the certificate of an erasure: signed, with the proof that the audit log says the same.

It holds counts, dates, ids of rows and signatures: no personal data, and no hash of any.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from audit.proofs import InclusionProof
from vault.crypto import Signer
from vault.lifecycle.verify_certificate import FORMAT, signed_bytes


@dataclass(frozen=True, slots=True)
class ErasureFacts:
    """What a certificate tells of. `irrecoverable_at` is None when the root cannot end a key's epoch.

    `erased` and `left` count rows by store; `left` is from a second look after everything was done.
    """

    request: UUID
    reason: str
    requested_at: datetime
    approved_at: datetime
    erased_at: datetime
    unreadable_at: datetime
    irrecoverable_at: datetime | None
    erased: Mapping[str, int]
    left: Mapping[str, int]


def issue(facts: ErasureFacts, *, entry: InclusionProof, now: datetime, signer: Signer) -> dict[str, Any]:
    """The signed certificate as plain JSON."""
    key_id = signer.key_id
    document: dict[str, Any] = {
        "format": FORMAT,
        "request": str(facts.request),
        "reason": facts.reason,
        "requested_at": _instant(facts.requested_at),
        "approved_at": _instant(facts.approved_at),
        "erased_at": _instant(facts.erased_at),
        "unreadable_at": _instant(facts.unreadable_at),
        "irrecoverable_at": _instant(facts.irrecoverable_at) if facts.irrecoverable_at else None,
        "stores": [
            {"name": name, "erased": count, "left": facts.left[name]} for name, count in facts.erased.items()
        ],
        "entry": entry.document(),
        "issued_at": _instant(now),
        "key_id": key_id,
        "public_key": base64.b64encode(signer.public_keys()[key_id]).decode("ascii"),
    }
    return {**document, "signature": base64.b64encode(signer.sign(signed_bytes(document))).decode("ascii")}


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
