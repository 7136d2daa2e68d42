"""Entries for what the console itself does, where no service of the vault writes one."""

from __future__ import annotations

from django.db import transaction

from audit.actions import Action, Outcome
from audit.log import Actor, Target, record


def record_alone(
    action: Action,
    *,
    actor: Actor,
    target: Target,
    outcome: Outcome = Outcome.OK,
    request_id: str = "",
    reason: str = "",
) -> None:
    """Append one entry in a transaction of its own: for refusals, and for events that change no row."""
    with transaction.atomic(durable=True):
        record(action, actor=actor, target=target, outcome=outcome, request_id=request_id, reason=reason)
