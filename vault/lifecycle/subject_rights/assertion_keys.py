"""Keys of applications that may say who is signed in with them: only the public half is ever given to the vault."""

from __future__ import annotations

import base64
import binascii
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import Actor, Target, record
from vault.crypto.small_order import KEY_BYTES, has_small_order
from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.models import Agent, AssertionKey


def register_key(*, agent: str, public_key: str, actor: Actor) -> AssertionKey:
    """Register an Ed25519 public key, as PEM or as base64 of its 32 bytes, for an agent that exists.

    Its id is the `kid` of assertions. A key speaks for one agent and has one id, so that revoking it ends it. Raises
    NotFound, InvalidField.
    """
    raw = _raw(public_key)
    with transaction.atomic(durable=True):
        owner = Agent.objects.filter(name=agent).first()
        if owner is None:
            raise NotFound("There is no agent of this name.")
        _require_new(raw, owner)
        key = _store(raw, owner)
        target = Target("assertion_key", str(key.pk))
        record(Event.ASSERTION_KEY_CREATED, actor=actor, target=target, agent=str(owner.pk))
    return key


def revoke_key(*, key_id: UUID, actor: Actor) -> AssertionKey:
    """Accept nothing more that this key signed. Raises NotFound, InvalidTransition when it is revoked already."""
    with transaction.atomic(durable=True):
        key = AssertionKey.objects.select_for_update().filter(pk=key_id).first()
        if key is None:
            raise NotFound
        if key.revoked_at is not None:
            raise InvalidTransition
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        record(Event.ASSERTION_KEY_REVOKED, actor=actor, target=Target("assertion_key", str(key.pk)))
    return key


def list_keys() -> tuple[AssertionKey, ...]:
    return tuple(AssertionKey.objects.select_related("agent").order_by("created_at"))


def _store(raw: bytes, owner: Agent) -> AssertionKey:
    try:
        with transaction.atomic():
            return AssertionKey.objects.create(agent=owner, public_key=raw, created_at=timezone.now())
    except IntegrityError:
        # Somebody registered it since it was looked for.
        _require_new(raw, owner)
        raise


def _require_new(raw: bytes, owner: Agent) -> None:
    agents = set(AssertionKey.objects.filter(public_key=raw).values_list("agent_id", flat=True))
    if agents - {owner.pk}:
        raise InvalidField(
            "This key was registered for another agent; a key speaks for one. Make a new pair.",
            pointer="/public_key",
        )
    if agents:
        raise InvalidField(
            "This key was registered for this agent before. If it was revoked, make a new pair.",
            pointer="/public_key",
        )


def _raw(text: str) -> bytes:
    try:
        if "-----BEGIN" in text:
            loaded = load_pem_public_key(text.encode())
            if not isinstance(loaded, Ed25519PublicKey):
                raise InvalidField("The key is not an Ed25519 key.", pointer="/public_key")
            raw = loaded.public_bytes(Encoding.Raw, PublicFormat.Raw)
        else:
            raw = base64.b64decode(text.strip(), validate=True)
    except (ValueError, binascii.Error):
        raise InvalidField("The key cannot be read.", pointer="/public_key") from None
    if len(raw) != KEY_BYTES:
        raise InvalidField("An Ed25519 public key has 32 bytes.", pointer="/public_key")
    if has_small_order(raw):
        raise InvalidField(
            "This is no key: its point has a small order, so anybody can sign for it.", pointer="/public_key"
        )
    return raw
