"""Reading the log page by page, with filters, and how far it is sealed and signed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery

from audit.checkpoint import unsealed_entries
from audit.models import AuditEntry, AuditLeaf, Checkpoint
from audit.tree import tree_size

PAGE = 50


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """What to show; empty fields hold for every entry. `actor` is a kind, or a kind and an id ("staff:3")."""

    action: str = ""
    outcome: str = ""
    actor: str = ""
    target: str = ""
    subject_ref: str = ""
    request_id: str = ""
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, part.name) for part in fields(self))


@dataclass(frozen=True, slots=True)
class EntryPage:
    """Newest first. Each entry has `seq`, its place in the log, or None while it waits to be sealed.

    `older` is the row to continue from, None at the end.
    """

    entries: tuple[AuditEntry, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class LogState:
    """How much of the log has a place, how much waits for one, and what was signed last."""

    size: int
    waiting: int
    checkpoint: Checkpoint | None


def list_entries(
    *, where: EntryFilter | None = None, before: int | None = None, limit: int = PAGE
) -> EntryPage:
    """One page of entries; `before` is the `older` of the page that came before it."""
    rows = _filtered(where or EntryFilter())
    if before is not None:
        last = AuditEntry.objects.filter(pk=before).first()
        rows = rows.filter(Q(at__lt=last.at) | Q(at=last.at, pk__lte=before)) if last else rows.none()
    seq = AuditLeaf.objects.filter(entry_id=OuterRef("pk")).values("seq")[:1]
    found = list(rows.annotate(seq=Subquery(seq)).order_by("-at", "-pk")[: limit + 1])
    return EntryPage(tuple(found[:limit]), found[limit].pk if len(found) > limit else None)


def log_state() -> LogState:
    """Where the log stands now; verifies nothing."""
    return LogState(tree_size(), unsealed_entries().count(), Checkpoint.objects.order_by("-size").first())


def _filtered(where: EntryFilter) -> QuerySet[AuditEntry]:
    kind, _, identifier = where.actor.partition(":")
    exact = {
        "action": where.action,
        "outcome": where.outcome,
        "actor_kind": kind,
        "actor_id": identifier,
        "target_id": where.target,
        "subject_ref": where.subject_ref,
        "request_id": where.request_id,
        "at__gte": where.since,
        "at__lt": where.until,
    }
    return AuditEntry.objects.filter(**{name: value for name, value in exact.items() if value})
