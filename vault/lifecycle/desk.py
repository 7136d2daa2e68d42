"""What all decisions share: who may take them, and the entry that a refused one leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.log import Actor
from vault.errors import NotFound, ScopeMissing, VaultError
from vault.retrieval import trail
from vault.retrieval.scope import Scope

STAFF = "staff"


def require_staff(scope: Scope) -> None:
    """Raise ScopeMissing unless a member of staff acts; which roles may, their pages decide."""
    if scope.actor.kind != STAFF or not scope.everything:
        raise ScopeMissing


def system_scope(name: str) -> Scope:
    """The scope of one of the vault's own jobs. It carries no right of an agent."""
    return Scope(actor=Actor("system", name), namespaces=(), everything=True)


@contextmanager
def refusals_noted(
    event: Event, *, scope: Scope, kind: str, target: UUID | str = "", unless: type[VaultError] | None = None
) -> Iterator[None]:
    """Leave an entry for every refusal in the block, once its transaction was rolled back.

    Put it outside the transaction. What is not there for the caller is noted as a denied access; what is told by
    raising `unless`, and is no refusal, is not noted.
    """
    try:
        yield
    except VaultError as refusal:
        if unless is not None and isinstance(refusal, unless):
            raise
        denied = isinstance(refusal, NotFound | ScopeMissing)
        trail.note_refusal(
            Event.ACCESS_DENIED if denied else event,
            scope=scope,
            kind=kind,
            target=target,
            outcome=Outcome.DENIED if denied else Outcome.REFUSED,
            reason=refusal.code,
        )
        raise
