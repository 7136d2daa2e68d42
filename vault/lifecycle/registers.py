"""Agents with their grants, and namespaces with their policy, for staff; and the stop of a grant."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from audit.actions import Action
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle.desk import require_staff
from vault.models import Agent, Grant, Namespace
from vault.retrieval import trail
from vault.retrieval.scope import Scope


def list_agents(*, scope: Scope) -> tuple[Agent, ...]:
    """Every agent with its grants, and `live_tokens`, the number of its credentials that still work."""
    require_staff(scope)
    now = timezone.now()
    alive = Q(tokens__revoked_at=None) & (Q(tokens__expires_at=None) | Q(tokens__expires_at__gt=now))
    rows = Agent.objects.annotate(live_tokens=Count("tokens", filter=alive & Q(tokens__pk__isnull=False)))
    return tuple(rows.prefetch_related("grants__namespace").order_by("name"))


def list_namespaces(*, scope: Scope) -> tuple[Namespace, ...]:
    """Every namespace with what it changes of the default policy."""
    require_staff(scope)
    return tuple(Namespace.objects.order_by("name"))


def suspend_grant(*, grant_id: int, scope: Scope) -> Grant:
    """Stop an agent's right on a namespace from its next call on. Raises NotFound, InvalidTransition."""
    return _set_suspended(grant_id, scope, suspended=True)


def resume_grant(*, grant_id: int, scope: Scope) -> Grant:
    """Give a suspended right back. Raises NotFound, InvalidTransition."""
    return _set_suspended(grant_id, scope, suspended=False)


def _set_suspended(grant_id: int, scope: Scope, *, suspended: bool) -> Grant:
    require_staff(scope)
    with transaction.atomic(durable=True):
        row = Grant.objects.select_for_update().filter(pk=grant_id).first()
        if row is None:
            raise NotFound
        if (row.suspended_at is not None) == suspended:
            raise InvalidTransition
        mark_suspended(row, scope=scope, suspended=suspended)
    return row


def mark_suspended(row: Grant, *, scope: Scope, suspended: bool = True) -> None:
    """Stop or resume a locked grant, in the caller's transaction."""
    row.suspended_at = timezone.now() if suspended else None
    row.save(update_fields=["suspended_at"])
    reason = "suspended" if suspended else "resumed"
    trail.note(Action.GRANT_CHANGED, scope=scope, kind="grant", target=str(row.pk), reason=reason)
