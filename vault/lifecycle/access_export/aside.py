"""What waits for a person or waited: drafts that were set aside, and contradictions."""

from __future__ import annotations

from typing import Any

from vault.errors import IntegrityFault
from vault.lifecycle.access_export.collecting import (
    UNREADABLE,
    Collector,
    Look,
    Page,
    Place,
    Record,
    instant,
    page_of,
)
from vault.models import Conflict, QuarantinedWrite
from vault.screening import redact
from vault.types import QuarantineStatus
from vault.writing.set_aside import open_draft


def set_aside(look: Look, after: Place | None) -> Page:
    """Drafts: a pending one with its text, masked as the policy would mask it; a decided one as facts alone."""
    rows = QuarantinedWrite.objects.filter(look.covered(), created_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _write(row, look))


def conflicts(look: Look, after: Place | None) -> Page:
    rows = Conflict.objects.filter(look.covered(), created_at__lte=look.as_of)
    return page_of(rows, after, lambda row: _conflict(row, look))


def _write(row: QuarantinedWrite, look: Look) -> Record:
    decided = row.decided_at is not None
    facts: dict[str, Any] = {
        "id": str(row.pk),
        "namespace": look.names.namespace(row.namespace_id),
        "status": row.status,
        "why": list(row.reasons),
        "source": row.source_type,
        "agent": look.names.agent(row.agent_id),
        "trust": row.trust,
        "received_at": instant(row.created_at),
        "due_at": instant(row.due_at),
        "kept_until": instant(row.lapses_at),
        "changes": str(row.memory_id) if row.memory_id else None,
        "decided_at": instant(row.decided_at) if decided else None,
        "decision": row.reason_code if decided else None,
        "became": str(row.released_as) if row.released_as else None,
    }
    if row.status != QuarantineStatus.PENDING or not row.ciphertext:
        return facts
    try:
        draft, verdict = open_draft(row, keys=look.keys)
    except IntegrityFault:
        return {**facts, UNREADABLE: IntegrityFault.code}
    masked, _ = redact(draft, verdict.findings)
    return {
        **facts,
        "text": masked.text,
        "attribute": masked.attribute or None,
        "kind": masked.kind.value,
        "source_ref": masked.source.ref,
        "metadata": dict(masked.metadata),
    }


def _conflict(row: Conflict, look: Look) -> Record:
    return {
        "id": str(row.pk),
        "namespace": look.names.namespace(row.namespace_id),
        "standing": str(row.standing_id),
        "challenger": str(row.challenger_id),
        "status": row.status,
        "noticed_at": instant(row.created_at),
        "decided_at": instant(row.decided_at),
    }


SET_ASIDE = Collector(
    "set_aside",
    "Set aside",
    "Statements that the vault did not take in by itself. One that still waits is shown with its text, masked.",
    ("quarantined_writes",),
    set_aside,
)
CONFLICTS = Collector(
    "conflicts",
    "Contradictions",
    "Two memories that say different things, and what was decided.",
    ("conflicts",),
    conflicts,
    columns=("noticed_at", "standing", "challenger", "status", "decided_at"),
)
