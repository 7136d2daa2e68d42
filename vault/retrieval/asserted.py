"""Whom an application's signed assertion speaks for, and that each is used once.

A key belongs to an agent. It says who somebody is and widens nothing: what the caller may do comes from its
credential alone. Which key, which use (its audience) and which moment an assertion is good for is checked here; what
it is worth for a call, by whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.crypto.assertion import AssertionRefused, key_id, read_claims
from vault.keys import key_vault
from vault.models import AssertionKey, SpentAssertion
from vault.retrieval import trail
from vault.retrieval.scope import Scope


@dataclass(frozen=True, slots=True)
class Asserted:
    """What a registered key signed: the application's own id of the subject, and the number that counts once."""

    subject: str = field(repr=False)
    key_id: UUID
    agent_id: UUID
    number_hash: bytes = field(repr=False)
    expires_at: datetime


def audience_of(use: str) -> str:
    """What an assertion for one use of this vault names as its audience; the use is told apart by its path."""
    return str(settings.BASE_URL).rstrip("/") + use


def read_assertion(token: str, *, audience: str) -> Asserted:
    """What a token says, signed by a key that stands, for this audience, in time. Raises AssertionRefused."""
    key = AssertionKey.objects.select_related("agent").filter(pk=key_id(token)).first()
    if key is None or key.revoked_at is not None or key.agent.suspended_at is not None:
        raise AssertionRefused(reason="key")
    claims = read_claims(token, public_key=bytes(key.public_key), audience=audience, now=timezone.now())
    # One number per key, so that two applications cannot get in each other's way.
    number_hash = key_vault().token_hash(f"assertion:{key.pk}:{claims.nonce}")
    return Asserted(claims.subject, key.pk, key.agent_id, number_hash, claims.expires_at)


def spend(asserted: Asserted, *, scope: Scope, subject_ref: str) -> None:
    """Use an assertion up in the caller's transaction, recorded. Raises AssertionRefused when it was used before."""
    try:
        # The unique number decides between two that come at once.
        with transaction.atomic():
            SpentAssertion.objects.create(number_hash=asserted.number_hash, expires_at=asserted.expires_at)
    except IntegrityError:
        raise AssertionRefused(reason="replayed") from None
    trail.note(
        Event.ASSERTION_ACCEPTED, scope=scope, kind="assertion_key", target=asserted.key_id,
        subject_ref=subject_ref,
    )  # fmt: skip


@contextmanager
def assertion_refusals_noted(scope: Scope) -> Iterator[None]:
    """Record why an assertion was refused; around the transaction, since the entry outlives it."""
    try:
        yield
    except AssertionRefused as refusal:
        note_refused_assertion(refusal, scope=scope)
        raise


def note_refused_assertion(refusal: AssertionRefused, *, scope: Scope) -> None:
    """The entry of a refusal, with its reason as a code: nothing that the assertion said, for it is not believed."""
    trail.note_refusal(
        Event.AUTH_FAILED, scope=scope, kind="assertion", outcome=Outcome.DENIED,
        reason=f"assertion_{refusal.facts['reason']}",
    )  # fmt: skip
