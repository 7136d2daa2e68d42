"""Audit entries of what the API itself refuses; the services record their own refusals."""

from __future__ import annotations

from typing import Any

from django.db import Error, connection

from audit.actions import Action, Outcome
from audit.log import Actor, Target, record_alone
from vault.api.refusals import BodyTooLarge, DatabaseUnavailable, InternalError
from vault.errors import InvalidField, ScopeMissing, VaultError
from vault.retrieval.scope import Scope

READS = frozenset({"GET", "HEAD", "OPTIONS"})
ANONYMOUS = Actor("anonymous", "")


def note(refusal: VaultError, *, request: Any) -> None:
    """Record a refusal that no service has met: a bad request for a change, a missing right, a fault."""
    event = _event(refusal, getattr(request, "method", ""))
    if event is None:
        return
    action, outcome = event
    # Not `request.auth`: after a fault in authentication that would authenticate, and fail, again.
    scope = getattr(request, "_auth", None)
    if not isinstance(scope, Scope):
        return
    if isinstance(refusal, DatabaseUnavailable) and not _still_answers():
        # No entry can be written, and waiting for a database that is down would hold up the next callers too.
        return
    try:
        append(action, actor=scope.actor, outcome=outcome, request_id=scope.request_id, reason=refusal.code)
    except Error:
        # The refusal stands and nothing was changed; a fault of the log is seen by readyz and in the errors.
        if not isinstance(refusal, InternalError | DatabaseUnavailable):
            raise


def _still_answers() -> bool:
    """Whether it was one statement that failed (a deadlock, a time limit), and not the connection."""
    return connection.connection is not None and connection.is_usable()


def append(action: Action, *, actor: Actor, outcome: Outcome, request_id: str, reason: str) -> None:
    """One entry about a request, in a transaction of its own."""
    record_alone(
        action, actor=actor, target=Target("request"), outcome=outcome, request_id=request_id, reason=reason
    )


def _event(refusal: VaultError, method: str) -> tuple[Action, Outcome] | None:
    match refusal:
        case ScopeMissing():
            return Action.ACCESS_DENIED, Outcome.DENIED
        case InvalidField() | BodyTooLarge() if method not in READS:
            return Action.REQUEST_INVALID, Outcome.REFUSED
        case InternalError():
            return Action.REQUEST_FAILED, Outcome.FAILED
        case DatabaseUnavailable() if method not in READS:
            return Action.REQUEST_FAILED, Outcome.FAILED
    return None
