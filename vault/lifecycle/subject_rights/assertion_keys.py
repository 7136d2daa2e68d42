"""Keys of applications that may say who is signed in with them: only the public half is ever given to the vault."""

from __future__ import annotations

import base64
import binascii
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from audit.log import Actor, Target, record
from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.models import Agent, AssertionKey

RAW_BYTES = 32


def register_key(*, agent: str, public_key: str, actor: Actor) -> AssertionKey:
    """Register an Ed25519 public key, as PEM or as base64 of its 32 bytes, for an agent that exists.

    Its id is the `kid` of assertions. Raises NotFound, InvalidField.
    """
    raw = _raw(public_key)
    with transaction.atomic(durable=True):
        owner = Agent.objects.filter(name=agent).first()
        if owner is None:
            raise NotFound("There is no agent of this name.")
        key = AssertionKey.objects.create(agent=owner, public_key=raw, created_at=timezone.now())
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


def _raw(text: str) -> bytes:
    try:
        if "-----BEGIN" in text:
            loaded = load_pem_public_key(text.encode())
            if not isinstance(loaded, Ed25519PublicKey):
                raise InvalidField("The key is not an Ed25519 key.", pointer="/public_key")
            return loaded.public_bytes(Encoding.Raw, PublicFormat.Raw)
        raw = base64.b64decode(text.strip(), validate=True)
    except (ValueError, binascii.Error):
        raise InvalidField("The key cannot be read.", pointer="/public_key") from None
    if len(raw) != RAW_BYTES:
        raise InvalidField("An Ed25519 public key has 32 bytes.", pointer="/public_key")
    return raw
