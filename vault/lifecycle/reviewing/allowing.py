"""Allowing a pattern with a release: what a reviewer may let one agent write until a date, listed and revoked."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.reviewing.undecided import Undecided
from vault.models import LONGEST_ALLOWANCE, Agent, AllowedPattern
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.writing.codes import is_coverable, pattern_code, stopping

KIND = "pattern"
MAX_LISTED = 200


def allowable(read: Undecided, *, until: datetime) -> Agent:
    """The agent that the write's pattern can be allowed to.

    Raises InvalidTransition when no pattern may cover the write, InvalidField for a date out of bounds.
    """
    now = timezone.now()
    if not now < until <= now + LONGEST_ALLOWANCE:
        raise InvalidField("A pattern is allowed for ninety days at most.", pointer="/until")
    stops = stopping(read.verdict.findings)
    if not stops or not all(is_coverable(finding) for finding in stops):
        raise InvalidTransition("What stopped this write may not be allowed as a pattern.")
    agent = Agent.objects.filter(pk=read.row.agent_id).first() if read.row.agent_id else None
    if agent is None:
        raise InvalidTransition("No agent wrote this, so there is none to allow it to.")
    return agent


def allow_pattern(
    read: Undecided, agent: Agent, *, until: datetime, reason_code: str, scope: Scope
) -> AllowedPattern:
    """Allow an agent what stopped its write, in the caller's transaction and after `allowable`."""
    pattern = AllowedPattern.objects.create(
        id=new_id(),
        agent=agent,
        namespace_id=read.row.namespace_id,
        codes=sorted({pattern_code(finding) for finding in stopping(read.verdict.findings)}),
        until=until,
        reason_code=reason_code,
        created_by=scope.author,
        created_at=timezone.now(),
    )
    trail.note(
        Event.PATTERN_CHANGED, scope=scope, kind=KIND, target=pattern.pk, reason="allowed",
        agent=str(pattern.agent_id), codes=len(pattern.codes),
    )  # fmt: skip
    return pattern


def list_patterns(*, scope: Scope) -> tuple[AllowedPattern, ...]:
    """Patterns that hold, the first to end first, then those that are over, the latest first."""
    require_staff(scope)
    rows = AllowedPattern.objects.select_related("agent", "namespace")
    now = timezone.now()
    live = rows.filter(revoked_at__isnull=True, until__gt=now).order_by("until")[:MAX_LISTED]
    over = rows.exclude(revoked_at__isnull=True, until__gt=now).order_by("-until")[:MAX_LISTED]
    return (*live, *over)


def revoke_pattern(*, pattern_id: UUID, scope: Scope) -> AllowedPattern:
    """End a pattern now. Raises NotFound, and InvalidTransition when it was revoked before."""
    require_staff(scope)
    with (
        refusals_noted(Event.PATTERN_CHANGED, scope=scope, kind=KIND, target=pattern_id),
        transaction.atomic(durable=True),
    ):
        pattern = AllowedPattern.objects.select_for_update().filter(pk=pattern_id).first()
        if pattern is None:
            raise NotFound
        if pattern.revoked_at is not None:
            raise InvalidTransition
        pattern.revoked_at, pattern.revoked_by = timezone.now(), scope.author
        pattern.save(update_fields=["revoked_at", "revoked_by"])
        trail.note(Event.PATTERN_CHANGED, scope=scope, kind=KIND, target=pattern.pk, reason="revoked")
    return pattern
