"""Four eyes for acts of weight: one person asks, another approves exactly that, and it is done once, in time.

The road not taken: a flag on each kind of row. One table means one rule, one page and one constraint, and an
approval names the act by its hash, so that what was approved cannot be stretched afterwards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.errors import AlreadyDecided, ApprovalRequired, InvalidTransition, NotFound, SameApprover
from vault.lifecycle.desk import STAFF, refusals_noted, require_staff, system_scope
from vault.models import (
    APPROVAL_NEXT,
    Agent,
    Approval,
    ApprovalKind,
    ApprovalStatus,
    StaffUser,
    SubjectToken,
)
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Scope

KIND = "approval"
VALID = timedelta(hours=72)
MAX_LISTED = 100
OPEN = (ApprovalStatus.ASKED, ApprovalStatus.APPROVED)
SWEEPER = system_scope("approvals")
# Those whose word counts for nothing any more, by the kind of author.
SUSPENDED: Mapping[str, QuerySet[Any]] = {
    STAFF: StaffUser.objects.filter(is_active=False),
    "agent": Agent.objects.filter(suspended_at__isnull=False),
    "subject_token": SubjectToken.objects.filter(agent__suspended_at__isnull=False),
}


@dataclass(frozen=True, slots=True)
class Act:
    """One act, exactly. `particulars` are ids, codes, numbers and times: never text that is about a person."""

    kind: ApprovalKind
    target_id: UUID | None = None
    particulars: Mapping[str, str | int | bool | None] = field(default_factory=dict)

    def digest(self) -> bytes:
        """SHA-256 over one canonical line of JSON (sorted keys, no spaces, ASCII)."""
        target = str(self.target_id) if self.target_id else None
        named = {"kind": self.kind.value, "target": target, "particulars": dict(self.particulars)}
        return hashlib.sha256(json.dumps(named, sort_keys=True, separators=(",", ":")).encode()).digest()


def act_of(approval: Approval) -> Act:
    """The act that an approval was asked for."""
    return Act(ApprovalKind(approval.kind), approval.target_id, approval.particulars)


def ask(*, act: Act, reason_code: str, scope: Scope) -> Approval:
    """Ask for a second person's approval in the caller's transaction; the same act asked twice is one request.

    One that somebody asked for or approved who was suspended since is closed, and this is a new one. Raises
    RuntimeError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("ask() needs the caller's transaction")
    now = timezone.now()
    same = _open(act)
    if same is not None:
        if stands(same, now=now):
            return same
        _expire(same, scope=scope)
    approval = Approval.objects.create(
        id=new_id(),
        kind=act.kind,
        target_id=act.target_id,
        particulars=dict(act.particulars),
        request_hash=act.digest(),
        reason_code=reason_code,
        requested_by=scope.author,
        requested_at=now,
        expires_at=now + VALID,
    )
    _note(Event.APPROVAL_REQUESTED, approval, scope, reason=reason_code)
    return approval


def find_standing(*, act: Act) -> Approval | None:
    """The open request for exactly this act, in time and of nobody who was suspended since; locked, or None."""
    same = _open(act)
    return same if same is not None and stands(same, now=timezone.now()) else None


def approve(*, approval_id: UUID, kinds: Collection[ApprovalKind], scope: Scope) -> Approval:
    """Approve an act, as somebody else than who asked. `kinds` are those that the caller's role decides on.

    Raises NotFound, SameApprover, AlreadyDecided, and InvalidTransition when the time to decide is over or who asked
    was suspended since.
    """
    require_staff(scope)
    with _noted(approval_id, scope), transaction.atomic(durable=True):
        approval = _lock_undecided(approval_id, kinds, scope)
        if _is_of_a_suspended(approval):
            raise InvalidTransition("Who asked for it was suspended since; somebody else has to ask for it.")
        _decide(approval, ApprovalStatus.APPROVED, scope)
        _note(Event.APPROVAL_GIVEN, approval, scope)
    return approval


def refuse(*, approval_id: UUID, kinds: Collection[ApprovalKind], ground_code: str, scope: Scope) -> Approval:
    """Refuse an act, as somebody else than who asked. Raises as `approve`."""
    require_staff(scope)
    with _noted(approval_id, scope), transaction.atomic(durable=True):
        approval = _lock_undecided(approval_id, kinds, scope)
        approval.ground_code = ground_code
        _decide(approval, ApprovalStatus.REFUSED, scope)
        _note(Event.APPROVAL_REFUSED, approval, scope, reason=ground_code)
    return approval


def spend(*, act: Act, scope: Scope) -> Approval:
    """Use up the approval of exactly this act, in the transaction that does it.

    Raises ApprovalRequired, also when one of the two was suspended since: their word counts for nothing then.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("spend() needs the transaction that does the act")
    approval = (
        Approval.objects.select_for_update()
        .filter(request_hash=act.digest(), status=ApprovalStatus.APPROVED, expires_at__gt=timezone.now())
        .first()
    )
    if approval is None or _is_of_a_suspended(approval):
        raise ApprovalRequired
    _move(approval, ApprovalStatus.USED)
    approval.used_at = timezone.now()
    approval.save(update_fields=["status", "used_at"])
    _note(Event.APPROVAL_USED, approval, scope)
    return approval


def get_approval(*, approval_id: UUID, kinds: Collection[ApprovalKind], scope: Scope) -> Approval:
    """One request for approval of a kind that the caller may see. Raises NotFound."""
    require_staff(scope)
    with _noted(approval_id, scope), transaction.atomic(durable=True):
        approval = Approval.objects.filter(pk=approval_id, kind__in=kinds).first()
        if approval is None:
            raise NotFound
    return approval


def list_approvals(
    *, kinds: Collection[ApprovalKind], scope: Scope, status: ApprovalStatus | None = None
) -> list[Approval]:
    """Requests of these kinds: the open ones, the first to expire first, or one status; what is late is expired."""
    require_staff(scope)
    rows = Approval.objects.filter(kind__in=kinds)
    late = Q(status__in=OPEN, expires_at__lte=timezone.now())
    if status is None:
        return list(rows.filter(status__in=OPEN).exclude(late).order_by("expires_at")[:MAX_LISTED])
    ended = Q(status=status) | late if status is ApprovalStatus.EXPIRED else Q(status=status) & ~late
    return list(rows.filter(ended).order_by("-requested_at")[:MAX_LISTED])


def expire_due(*, now: datetime, limit: int) -> int:
    """Close up to `limit` requests whose time is over; returns how many."""
    with transaction.atomic(durable=True):
        due = Approval.objects.select_for_update(skip_locked=True).filter(
            status__in=OPEN, expires_at__lte=now
        )
        found = list(due.order_by("expires_at")[:limit])
        for approval in found:
            _expire(approval, scope=SWEEPER)
    return len(found)


def stands(approval: Approval, *, now: datetime) -> bool:
    """Whether an open request is in time and of nobody who was suspended since."""
    return approval.expires_at > now and not _is_of_a_suspended(approval)


def _open(act: Act) -> Approval | None:
    return Approval.objects.select_for_update().filter(request_hash=act.digest(), status__in=OPEN).first()


def _noted(approval_id: UUID, scope: Scope) -> AbstractContextManager[None]:
    return refusals_noted(Event.APPROVAL_DENIED, scope=scope, kind=KIND, target=approval_id)


def _lock_undecided(approval_id: UUID, kinds: Collection[ApprovalKind], scope: Scope) -> Approval:
    approval = Approval.objects.select_for_update().filter(pk=approval_id, kind__in=kinds).first()
    if approval is None:
        raise NotFound
    if approval.status != ApprovalStatus.ASKED:
        raise AlreadyDecided(decided_by=approval.decided_by, status=approval.status)
    if approval.requested_by == scope.author:
        raise SameApprover
    if approval.expires_at <= timezone.now():
        raise InvalidTransition("The time to decide is over; ask again.")
    return approval


def _is_of_a_suspended(approval: Approval) -> bool:
    """Whether one of the people, or the agent, that it rests on was suspended; the vault's own jobs never are."""
    for author in (approval.requested_by, approval.decided_by):
        kind, _, number = author.partition(":")
        suspended = SUSPENDED.get(kind)
        if suspended is not None and suspended.filter(pk=number).exists():
            return True
    return False


def _decide(approval: Approval, status: ApprovalStatus, scope: Scope) -> None:
    _move(approval, status)
    approval.decided_by, approval.decided_at = scope.author, timezone.now()
    approval.save(update_fields=["status", "decided_by", "decided_at", "ground_code"])


def _expire(approval: Approval, *, scope: Scope) -> None:
    _move(approval, ApprovalStatus.EXPIRED)
    approval.save(update_fields=["status"])
    _note(Event.APPROVAL_EXPIRED, approval, scope)


def _move(approval: Approval, status: ApprovalStatus) -> None:
    if status not in APPROVAL_NEXT.get(approval.status, frozenset()):
        raise InvalidTransition
    approval.status = status


def _note(event: Event, approval: Approval, scope: Scope, *, reason: str = "") -> None:
    trail.note(
        event, scope=scope, kind=KIND, target=approval.pk, outcome=Outcome.OK, reason=reason, act=approval.kind,
    )  # fmt: skip
