"""The vault's words for the audit log: one place that turns a scope into an entry's actor and request."""

from __future__ import annotations

from uuid import UUID

from audit.actions import Action, Outcome
from audit.canonical import Fact
from audit.log import Target, record, record_alone
from vault.retrieval.scope import Scope


def note(
    action: Action,
    *,
    scope: Scope,
    kind: str,
    target: UUID | str = "",
    subject_ref: str = "",
    outcome: Outcome = Outcome.OK,
    reason: str = "",
    **facts: Fact,
) -> None:
    """Append an entry in the caller's transaction; it holds codes, ids and counts, never content."""
    record(
        action,
        actor=scope.actor,
        target=Target(kind, str(target)),
        outcome=outcome,
        subject_ref=subject_ref,
        request_id=scope.request_id,
        reason=reason,
        **facts,
    )


def note_refusal(
    action: Action,
    *,
    scope: Scope,
    kind: str,
    target: UUID | str = "",
    subject_ref: str = "",
    outcome: Outcome = Outcome.REFUSED,
    reason: str = "",
    **facts: Fact,
) -> None:
    """The entry of a refusal, in a transaction of its own: the refused change rolls back, the entry stays."""
    record_alone(
        action,
        actor=scope.actor,
        target=Target(kind, str(target)),
        outcome=outcome,
        subject_ref=subject_ref,
        request_id=scope.request_id,
        reason=reason,
        **facts,
    )
