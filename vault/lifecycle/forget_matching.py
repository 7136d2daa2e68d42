"""Forgetting what matches a filter: exactly that, so many, and never everything because a filter was empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from audit.actions import Action as Event
from vault.errors import InvalidField
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.forget import forget_locked
from vault.models import Memory, Subject
from vault.retrieval import trail
from vault.retrieval.opening import open_current
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import require_subject
from vault.types import Kind, SourceType, Status
from vault.writing.locks import lock_subject

# Each takes a version under the subject's lock; the caller asks again for the rest.
MAX_FORGOTTEN = 100
# What is archived is read in lists still, and what was made of it is served.
FORGETTABLE = (Status.ACTIVE, Status.SUPERSEDED, Status.EXPIRED, Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class ForgetFilter:
    """Which memories of one subject. A session, a type of source or a reference has to be named; the rest narrows."""

    session: UUID | None = None
    source_type: SourceType | None = None
    source_ref: str | None = field(default=None, repr=False)
    namespace: str | None = None
    kind: Kind | None = None

    @property
    def names_something(self) -> bool:
        return not (self.session is None and self.source_type is None and self.source_ref is None)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The memories that were forgotten, what was put together from them and went too, and whether more match."""

    memories: tuple[UUID, ...]
    more: bool
    wholes: tuple[UUID, ...] = ()


def forget_matching(
    *, subject: str, where: ForgetFilter, reason: str, scope: Scope, limit: int = MAX_FORGOTTEN
) -> Forgotten:
    """Forget up to `limit` memories that match all of the filter, oldest first, all or none of them.

    Raises InvalidField for a filter that names nothing, NotFound, SubjectErased, ScopeMissing, and IntegrityFault
    when a memory that it has to look into does not open: then nothing is forgotten.
    """
    if not where.names_something:
        raise InvalidField("Name a session or a source; an empty filter forgets nothing.", pointer="")
    with refusals_noted(Event.MEMORY_FORGOTTEN, scope=scope, kind="subject"):
        found = require_subject(subject, scope=scope)
        names = None if where.namespace is None else (where.namespace,)
        namespaces = [n.id for n in scope.select(names, Right.MEMORY_WRITE)]
        with transaction.atomic(durable=True):
            scope.open(found.pk, Right.MEMORY_WRITE)
            locked = lock_subject(found.pk)
            rows = Memory.objects.filter(subject=locked, namespace_id__in=namespaces)
            chosen = list(islice(_matching(rows, where), limit + 1))
            gone: list[UUID] = []
            wholes: list[UUID] = []
            for memory in chosen[:limit]:
                went = _forget(memory, locked, reason=reason, scope=scope)
                if went is not None:
                    gone.append(memory.pk)
                    wholes += went
            done = Forgotten(tuple(gone), len(chosen) > limit, tuple(wholes))
            trail.note(
                Event.MEMORY_FORGOTTEN, scope=scope, kind="subject",
                subject_ref=key_vault().subject(locked.pk).audit_reference,
                reason=reason, count=len(done.memories), more=int(done.more),
            )  # fmt: skip
    return done


def _forget(memory: Memory, subject: Subject, *, reason: str, scope: Scope) -> tuple[UUID, ...] | None:
    """Forget one, and say which wholes went with it; None when it went so itself with one before it."""
    memory.refresh_from_db()
    if memory.destroyed_at is not None or memory.status not in FORGETTABLE:
        return None
    return forget_locked(memory, subject, reason=reason, scope=scope).wholes


def _matching(rows: QuerySet[Memory], where: ForgetFilter) -> Iterator[Memory]:
    """Rows that match in the order of their age; a reference stands inside the ciphertexts, so those are opened."""
    rows = rows.filter(status__in=FORGETTABLE, destroyed_at__isnull=True)
    if where.session is not None:
        rows = rows.filter(session_id=where.session)
    if where.source_type is not None:
        rows = rows.filter(source_type=where.source_type)
    if where.kind is not None:
        rows = rows.filter(kind=where.kind)
    for memory in rows.select_related("namespace").order_by("created_at", "pk"):
        if where.source_ref is None or _refers_to(memory, where.source_ref):
            yield memory


def _refers_to(memory: Memory, reference: str) -> bool:
    keys = key_vault().subject(memory.subject_id)
    return open_current(memory, keys=keys).source_ref == reference
