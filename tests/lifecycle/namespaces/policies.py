"""Namespaces' policies as their tests change them."""

from __future__ import annotations

from typing import Any

from tests.factories import make_namespace, make_staff, staff_scope
from vault.lifecycle.namespaces.changing import PolicyChange, change_policy
from vault.models import Namespace, NamespacePolicyVersion, Role
from vault.retrieval.scope import Scope

REASON = "The clinic's notes are about health."
STRICTER: dict[str, Any] = {"screening": {"actions": {"pii": {"PERSON": "redact"}}}}
LOOSER: dict[str, Any] = {"screening": {"allowed_sensitive": ["health"]}}


def change(policy: dict[str, Any], *, scope: Scope | None = None, **fields: Any) -> PolicyChange:
    """Ask for a change of the namespace `default`, as a new administrator unless somebody else is given."""
    row = make_namespace(fields.pop("namespace", "default"))
    fields = {"reason": REASON, "expected_version": row.policy_version, **fields}
    return change_policy(namespace=row.name, policy=policy, scope=scope or staff_scope(), **fields)


def officer_scope() -> Scope:
    return staff_scope(make_staff(role=Role.PRIVACY_OFFICER))


def in_force(name: str = "default") -> Namespace:
    return Namespace.objects.get(name=name)


def kept(name: str = "default") -> list[tuple[int, Any]]:
    """The versions that stand in the history, the oldest first."""
    rows = NamespacePolicyVersion.objects.filter(namespace__name=name).order_by("version")
    return [(row.version, row.policy) for row in rows]
