"""Who read and changed what, and when: the audit log's entries under the subject's own reference."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from audit.models import AuditEntry
from vault.lifecycle.access_export.collecting import PAGE, Collector, Look, Page, Place, Record, instant

READS = frozenset(
    {
        "memory.read", "memory.searched", "memory.listed", "versions.read", "context.built", "subject.read",
        "quarantine.revealed", "quarantine.opened", "session.read", "export.downloaded",
    }
)  # fmt: skip


def accesses(look: Look, after: Place | None) -> Page:
    """In the order of time. A file for some namespaces tells only of the agent that asked for it."""
    rows = AuditEntry.objects.filter(subject_ref=look.keys.audit_reference, at__lte=look.as_of)
    if look.asker is not None:
        rows = rows.filter(actor_kind="agent", actor_id=str(look.asker))
    if after is not None:
        at, pk = after
        rows = rows.filter(Q(at__gt=at) | Q(at=at, pk__gt=pk))
    found = list(rows.order_by("at", "pk")[:PAGE])
    place: tuple[datetime, int] | None = (found[-1].at, found[-1].pk) if len(found) == PAGE else None
    return Page(tuple(_entry(row, look) for row in found), place)


def _entry(row: AuditEntry, look: Look) -> Record:
    return {
        "at": instant(row.at),
        "by": look.names.author(f"{row.actor_kind}:{row.actor_id}"),
        "actor": f"{row.actor_kind}:{row.actor_id}",
        "action": row.action,
        "is_read": row.action in READS,
        "outcome": row.outcome,
        "reason": row.reason or None,
        "target": f"{row.target_kind}:{row.target_id}".rstrip(":"),
        "request_id": row.request_id or None,
        "entry": str(row.uuid),
    }


ACCESSES = Collector(
    "accesses",
    "Who read or changed it, and when",
    "Every entry of the audit log about you, reads included.",
    (),
    accesses,
    columns=("at", "by", "action", "outcome", "reason", "request_id"),
)
