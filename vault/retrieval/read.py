"""Reading memories one by one and in lists. Out of scope and absent look the same; every read is recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import KeyDestroyed, NotFound
from vault.keys import key_vault
from vault.models import LegalHold, Memory, Session, Subject, isolation
from vault.retrieval import trail
from vault.retrieval.integrity import check_manifest, reading
from vault.retrieval.opening import open_memories
from vault.retrieval.records import OpenedMemory
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import require_subject
from vault.types import Kind, Status, Trust

MAX_PAGE = 100


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a list: after or before the memory of this age and id."""

    created_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What to list. `status` defaults to what may be served; other states are asked for by name."""

    subject: str
    namespace: str | None = None
    kind: Kind | None = None
    status: Status = Status.ACTIVE
    trust: Trust | None = None
    attribute: str | None = None
    limit: int = 20
    after: Position | None = None
    before: Position | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page, oldest first, and whether there is more on either side."""

    results: tuple[OpenedMemory, ...]
    has_next: bool
    has_previous: bool


@dataclass(frozen=True, slots=True)
class SubjectOverview:
    """What is kept on a subject, in counts."""

    subject: str
    by_kind: dict[str, int] = field(default_factory=dict)
    by_status: dict[str, int] = field(default_factory=dict)
    by_namespace: dict[str, int] = field(default_factory=dict)
    holds: int = 0
    last_activity_at: datetime | None = None


def find_memory(*, memory_id: UUID, scope: Scope, right: Right) -> tuple[Memory, Subject]:
    """A memory's row and its subject, whatever its status; leaves the subject's rows open to the scope.

    Needs the caller's transaction. Raises NotFound, the same for what is absent, foreign, erased or, to everybody
    but staff, of a restricted subject: a change would serve it too.
    """
    namespaces = [namespace.id for namespace in scope.require(right)]
    isolation.open_everything()
    memory = (
        Memory.objects.filter(pk=memory_id, namespace_id__in=namespaces).select_related("subject").first()
    )
    isolation.close()
    if memory is None or not scope.allows_subject(memory.subject_id) or memory.subject.erased_at is not None:
        raise NotFound
    if memory.subject.restricted_at is not None and not scope.everything:
        raise NotFound
    scope.open(memory.subject_id, right)
    return memory, memory.subject


def get_memory(*, memory_id: UUID, scope: Scope, right: Right = Right.MEMORY_READ) -> OpenedMemory:
    """One memory. Raises NotFound; the attempt is recorded either way.

    For everybody but staff an expired memory is not there, whether or not a job has met it, nor a forgotten one.
    """
    try:
        with reading(scope=scope, kind="memory"):
            memory, subject = find_memory(memory_id=memory_id, scope=scope, right=right)
            if not scope.everything and is_hidden(memory, timezone.now()):
                raise NotFound
            keys = key_vault().subject(subject.pk)
            check_manifest(subject.pk, keys=keys)
            scope.open(subject.pk, right)
            opened = open_memories([memory], subject=subject)[0]
            trail.note(
                Event.MEMORY_READ, scope=scope, kind="memory", target=memory.pk, subject_ref=keys.audit_reference,
                version=memory.version,
            )  # fmt: skip
    except (NotFound, KeyDestroyed):
        trail.note_refusal(
            Event.ACCESS_DENIED, scope=scope, kind="memory", target=memory_id, outcome=Outcome.DENIED,
            reason=NotFound.code,
        )  # fmt: skip
        raise NotFound from None
    return opened


def is_hidden(memory: Memory, now: datetime) -> bool:
    """Whether a memory is out of every agent's reach: forgotten, or its time is up."""
    return memory.status == Status.FORGOTTEN or is_expired(memory, now)


def is_expired(memory: Memory, now: datetime) -> bool:
    """Whether a memory's time is up at this instant; a job writes it down later."""
    return memory.status == Status.EXPIRED or (memory.expires_at is not None and memory.expires_at <= now)


def list_memories(*, query: ListQuery, scope: Scope) -> Page:
    """A page of one subject's memories, oldest first. Raises NotFound, SubjectErased, ScopeMissing."""
    names = None if query.namespace is None else (query.namespace,)
    namespaces = scope.select(names, Right.MEMORY_READ)
    with reading(scope=scope, kind="subject"):
        subject = require_subject(query.subject, scope=scope)
        keys = key_vault().subject(subject.pk)
        check_manifest(subject.pk, keys=keys)
        scope.open(subject.pk, Right.MEMORY_READ)
        rows = _filtered(query, subject, [n.id for n in namespaces], timezone.now())
        if query.attribute is not None:
            rows = rows.filter(attribute_hash=keys.slot_hash(query.attribute))
        page, has_next, has_previous = _page(rows, query)
        results = open_memories(page, subject=subject)
        trail.note(
            Event.MEMORY_LISTED,
            scope=scope,
            kind="subject",
            subject_ref=keys.audit_reference,
            count=len(results),
        )
    return Page(results, has_next, has_previous)


def _filtered(query: ListQuery, subject: Subject, namespaces: list[int], now: datetime) -> QuerySet[Memory]:
    rows = Memory.objects.filter(subject=subject, namespace_id__in=namespaces, destroyed_at__isnull=True)
    due = Q(expires_at__isnull=False, expires_at__lte=now)
    if query.status is Status.EXPIRED:
        rows = rows.filter(Q(status=Status.EXPIRED) | (Q(status=Status.ACTIVE) & due))
    else:
        rows = rows.filter(status=query.status).exclude(due)
    if query.kind is not None:
        rows = rows.filter(kind=query.kind)
    if query.trust is not None:
        rows = rows.filter(trust=query.trust)
    return rows


def _page(rows: QuerySet[Memory], query: ListQuery) -> tuple[list[Memory], bool, bool]:
    limit = min(query.limit, MAX_PAGE)
    if query.before is not None:
        at = query.before
        earlier = rows.filter(Q(created_at__lt=at.created_at) | Q(created_at=at.created_at, pk__lt=at.id))
        found = list(earlier.order_by("-created_at", "-pk")[: limit + 1])
        return found[:limit][::-1], True, len(found) > limit
    if query.after is not None:
        at = query.after
        rows = rows.filter(Q(created_at__gt=at.created_at) | Q(created_at=at.created_at, pk__gt=at.id))
    found = list(rows.order_by("created_at", "pk")[: limit + 1])
    return found[:limit], len(found) > limit, query.after is not None


def subject_overview(*, subject: str, scope: Scope) -> SubjectOverview:
    """Counts of what is kept on a subject. Raises NotFound, SubjectErased, ScopeMissing."""
    scope.require(Right.MEMORY_READ)
    with reading(scope=scope, kind="subject"):
        found = require_subject(subject, scope=scope)
        scope.open(found.pk, Right.MEMORY_READ)
        keys = key_vault().subject(found.pk)
        rows = Memory.objects.filter(subject=found)
        served = rows.filter(status=Status.ACTIVE).exclude(expires_at__lte=timezone.now())
        trail.note(Event.SUBJECT_READ, scope=scope, kind="subject", subject_ref=keys.audit_reference)
        return SubjectOverview(
            subject=subject,
            by_kind=_counts(served, "kind"),
            by_status=_by_status(rows, served.count()),
            by_namespace=_counts(served, "namespace__name"),
            holds=_holds(found) if scope.everything or rows.exists() else 0,
            last_activity_at=_last_activity(rows, found),
        )


def _holds(subject: Subject) -> int:
    return LegalHold.objects.filter(subject=subject, released_at__isnull=True).count()


def _last_activity(rows: QuerySet[Memory], subject: Subject) -> datetime | None:
    """When anything was last written within reach; a restriction, which opens no row, hides that as well."""
    talks = Session.objects.filter(subject=subject).aggregate(last=Max("last_turn_at"))
    moments = (rows.aggregate(last=Max("updated_at"))["last"], talks["last"])
    return max((moment for moment in moments if moment is not None), default=None)


def _by_status(rows: QuerySet[Memory], served: int) -> dict[str, int]:
    """Counts by status; what is past its time is expired, whether or not a job has met it."""
    counts = _counts(rows, "status")
    over = counts.pop(Status.ACTIVE, 0) - served
    if served:
        counts[Status.ACTIVE] = served
    if over:
        counts[Status.EXPIRED] = counts.get(Status.EXPIRED, 0) + over
    return counts


def _counts(rows: QuerySet[Memory], label: str) -> dict[str, int]:
    return dict(rows.order_by().values_list(label).annotate(Count("pk")))
