"""Namespaces as staff read them: rules are not about a person, so a look leaves no entry."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count

from vault.errors import NotFound
from vault.lifecycle.namespaces.keeping import require_everything
from vault.models import Memory, Namespace, NamespacePolicyVersion, isolation
from vault.retrieval.scope import Scope
from vault.types import Status

MAX_HISTORY = 100


@dataclass(frozen=True, slots=True)
class NamespaceRow:
    """A namespace, and how many memories of it are served."""

    namespace: Namespace
    active: int


def namespace_rows(*, scope: Scope) -> tuple[NamespaceRow, ...]:
    """Every namespace by its name."""
    require_everything(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        active = Memory.objects.filter(status=Status.ACTIVE).order_by().values_list("namespace_id")
        counts = dict(active.annotate(Count("pk")))
    return tuple(NamespaceRow(row, counts.get(row.pk, 0)) for row in Namespace.objects.order_by("name"))


def get_namespace(*, namespace_id: int, scope: Scope) -> NamespaceRow:
    """One namespace. Raises NotFound."""
    require_everything(scope)
    row = Namespace.objects.filter(pk=namespace_id).first()
    if row is None:
        raise NotFound
    with transaction.atomic(durable=True):
        isolation.open_everything()
        return NamespaceRow(row, Memory.objects.filter(status=Status.ACTIVE, namespace=row).count())


def policy_history(*, namespace_id: int, scope: Scope) -> tuple[NamespacePolicyVersion, ...]:
    """What the policy said at each time, the newest first; MAX_HISTORY at most."""
    require_everything(scope)
    return tuple(NamespacePolicyVersion.objects.filter(namespace_id=namespace_id)[:MAX_HISTORY])
