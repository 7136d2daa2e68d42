"""The rows behind a namespace's policy: locked, written, and kept version by version."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from vault.errors import NotFound, ScopeMissing
from vault.models import Namespace, NamespacePolicyVersion
from vault.models.identifiers import new_id
from vault.retrieval.scope import Scope

KIND = "namespace"
FIRST = 1


def require_everything(scope: Scope) -> None:
    """Raise ScopeMissing unless staff or one of the vault's own commands acts."""
    if not scope.everything:
        raise ScopeMissing


def find_namespace(name: str) -> Namespace:
    """The namespace of this name. Raises NotFound."""
    row = Namespace.objects.filter(name=name).first()
    if row is None:
        raise NotFound
    return row


def lock_namespace(namespace_id: int) -> Namespace:
    """The namespace, locked for the transaction. Raises NotFound."""
    row = Namespace.objects.select_for_update().filter(pk=namespace_id).first()
    if row is None:
        raise NotFound
    return row


def keep_found(row: Namespace) -> None:
    """Keep what is in force and in no history yet: an older vault's policy, or one written past it."""
    newest = NamespacePolicyVersion.objects.filter(namespace=row).first()
    if newest is not None and _says(newest) == (row.policy, row.purpose, row.sealed):
        return
    if newest is not None and newest.version >= row.policy_version:
        row.policy_version = newest.version + 1
        row.save(update_fields=["policy_version"])
    _keep(row, at=row.created_at if row.policy_version == FIRST else timezone.now())


def keep_next(row: Namespace, *, author: str, reason: str, approved_by: str = "") -> NamespacePolicyVersion:
    """Save the locked, changed row under its next version, and keep what it says."""
    row.policy_version += 1
    row.save(update_fields=["policy", "purpose", "sealed", "policy_version"])
    return _keep(row, at=timezone.now(), author=author, reason=reason, approved_by=approved_by)


def keep_first(row: Namespace, *, author: str, reason: str) -> NamespacePolicyVersion:
    """Keep what a new namespace says."""
    return _keep(row, at=row.created_at, author=author, reason=reason)


def _says(version: NamespacePolicyVersion) -> tuple[object, str, bool]:
    return version.policy, version.purpose, version.sealed


def _keep(
    row: Namespace, *, at: datetime, author: str = "", reason: str = "", approved_by: str = ""
) -> NamespacePolicyVersion:
    return NamespacePolicyVersion.objects.create(
        id=new_id(), namespace=row, version=row.policy_version, policy=row.policy, purpose=row.purpose,
        sealed=row.sealed, author=author, approved_by=approved_by, reason=reason, created_at=at,
    )  # fmt: skip
