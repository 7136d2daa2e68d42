"""Making a namespace, and sealing one: from then on no vector of it stands outside a ciphertext."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from audit.actions import Action as Event
from vault.errors import InvalidField, InvalidTransition
from vault.lifecycle.clear_text import refuse_personal
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.namespaces.changing import check_words
from vault.lifecycle.namespaces.keeping import (
    KIND,
    find_namespace,
    keep_first,
    keep_found,
    keep_next,
    lock_namespace,
    require_everything,
)
from vault.models import MemoryIndex, Namespace, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope

MAX_NAME_CHARACTERS = 64
SEALED = "sealed"


def create_namespace(*, name: str, purpose: str, sealed: bool, reason: str, scope: Scope) -> Namespace:
    """Make a namespace that follows the default policy. Raises ScopeMissing, and InvalidField for a name that is no
    name or is taken, and for words that identify somebody.
    """
    require_everything(scope)
    with refusals_noted(Event.NAMESPACE_CREATED, scope=scope, kind=KIND):
        _check_name(name)
        check_words(purpose, pointer="/purpose")
        check_words(reason, pointer="/reason", required=True)
        with transaction.atomic(durable=True):
            row = _save_new(Namespace(name=name, purpose=purpose, sealed=sealed))
            keep_first(row, author=scope.author, reason=reason)
            trail.note(
                Event.NAMESPACE_CREATED, scope=scope, kind=KIND, target=str(row.pk), sealed=sealed,
                policy_version=row.policy_version,
            )  # fmt: skip
    return row


def seal_namespace(*, namespace: str, reason: str, scope: Scope) -> int:
    """Seal a namespace and take its protected vectors away; returns how many there were.

    There is no way back: the vectors would have to be reckoned anew from opened text. Raises ScopeMissing, NotFound,
    InvalidField, and InvalidTransition when it is sealed already.
    """
    require_everything(scope)
    row = find_namespace(namespace)
    with refusals_noted(Event.POLICY_CHANGED, scope=scope, kind=KIND, target=str(row.pk)):
        check_words(reason, pointer="/reason", required=True)
        with transaction.atomic(durable=True):
            isolation.open_everything()
            row = lock_namespace(row.pk)
            if row.sealed:
                raise InvalidTransition("The namespace is sealed already.")
            keep_found(row)
            row.sealed = True
            keep_next(row, author=scope.author, reason=reason)
            held = MemoryIndex.objects.filter(namespace=row, vector__isnull=False)
            removed = held.update(vector=None)
            trail.note(
                Event.POLICY_CHANGED, scope=scope, kind=KIND, target=str(row.pk), reason=SEALED,
                policy_version=row.policy_version, vectors=removed,
            )  # fmt: skip
    return removed


def _check_name(name: str) -> None:
    try:
        validate_slug(name)
    except ValidationError:
        raise InvalidField("A name is letters, digits, hyphens and underscores.", pointer="/name") from None
    if len(name) > MAX_NAME_CHARACTERS:
        raise InvalidField(f"A name has up to {MAX_NAME_CHARACTERS} characters.", pointer="/name")
    refuse_personal({"/name": name})


def _save_new(row: Namespace) -> Namespace:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        raise InvalidField("There is a namespace of this name already.", pointer="/name") from None
    return row
