"""Later visits with a cookie that was linked to a subject: seen by staff, never taken for the subject's own.

A cookie proves nobody: the device may be shared. So what was kept after the link is another subject's, in no access
export of this one and in no erasure, until a member of staff decides that it is the same person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from vault.lifecycle.desk import require_staff
from vault.lifecycle.erasure import request_erasure
from vault.models import (
    ErasureRequest,
    Memory,
    QuarantinedWrite,
    Session,
    Subject,
    VisitorLink,
    isolation,
)
from vault.retrieval.scope import Scope
from vault.retrieval.subjects import reference_of


@dataclass(frozen=True, slots=True)
class LaterVisit:
    """A visitor's subject that holds something again after it was linked."""

    visitor: UUID
    linked_at: datetime
    sessions: int
    memories: int
    waiting: int
    last_activity_at: datetime | None

    @property
    def rows(self) -> int:
        return self.sessions + self.memories + self.waiting


def later_visits(subject_id: UUID) -> tuple[LaterVisit, ...]:
    """What cookies linked to the subject have gathered since. Needs a transaction with everything open."""
    links = VisitorLink.objects.filter(subject_id=subject_id, undone_at=None).order_by("linked_at")
    linked = {link.visitor_id: link.linked_at for link in links}
    visitors = Subject.objects.filter(pk__in=linked, erased_at=None).order_by("created_at", "pk")
    found = (_visit(visitor, linked[visitor.pk]) for visitor in visitors)
    return tuple(visit for visit in found if visit.rows)


def request_erasure_with_visits(
    *, subject_id: UUID, reason_code: str, evidence: str = "", scope: Scope
) -> tuple[ErasureRequest, int]:
    """File a request for the subject, and one for each later visit; returns the subject's, and how many others.

    Each is approved by itself and gets its own certificate. The evidence stays with the subject's request: should a
    visit turn out to be somebody else's, nothing of the subject is kept there. Raises as `request_erasure`.
    """
    require_staff(scope)
    subject, visits = _references(subject_id)
    for visitor in visits:
        request_erasure(subject=visitor, reason_code=reason_code, scope=scope)
    own = request_erasure(subject=subject, reason_code=reason_code, evidence=evidence, scope=scope)
    return own, len(visits)


def _references(subject_id: UUID) -> tuple[str, Sequence[str]]:
    with transaction.atomic(durable=True):
        isolation.open_everything()
        visitors = [visit.visitor for visit in later_visits(subject_id)]
        rows = {row.pk: row for row in Subject.objects.filter(pk__in=[subject_id, *visitors])}
        return reference_of(rows[subject_id]), [reference_of(rows[visitor]) for visitor in visitors]


def _visit(visitor: Subject, linked_at: datetime) -> LaterVisit:
    return LaterVisit(
        visitor.pk,
        linked_at,
        Session.objects.filter(subject=visitor).count(),
        Memory.objects.filter(subject=visitor).count(),
        QuarantinedWrite.objects.filter(subject=visitor).count(),
        visitor.last_activity_at,
    )
