"""Writing how a namespace ranks: weights and half-life of each kind, as its policy. Only when somebody says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from audit.actions import Action
from vault.errors import NotFound, ScopeMissing
from vault.models import Namespace
from vault.retrieval import trail
from vault.retrieval.kind_policy import SECTION, kind_policies
from vault.retrieval.scope import Scope
from vault.retrieval.score import Ranking
from vault.types import Kind

REASON = "retrieval_fitted"


def write_rankings(*, namespace: str, rankings: Mapping[Kind, Ranking], scope: Scope) -> Namespace:
    """Put the rankings into a namespace's policy; all else in it stays.

    For staff and the vault's own commands. Raises ScopeMissing, NotFound, InvalidField.
    """
    if not scope.everything:
        raise ScopeMissing
    with transaction.atomic(durable=True):
        row = Namespace.objects.select_for_update().filter(name=namespace).first()
        if row is None:
            raise NotFound
        row.policy = with_rankings(row.policy, rankings)
        row.policy_version += 1
        row.save(update_fields=["policy", "policy_version"])
        trail.note(
            Action.POLICY_CHANGED, scope=scope, kind="namespace", target=str(row.pk), reason=REASON,
            policy_version=row.policy_version,
        )  # fmt: skip
    return row


def with_rankings(policy: Mapping[str, Any], rankings: Mapping[Kind, Ranking]) -> dict[str, Any]:
    """The policy with these rankings, checked as a whole. Raises InvalidField. Pure."""
    section = {kind: dict(value) for kind, value in policy.get(SECTION, {}).items()}
    for kind, ranking in rankings.items():
        section.setdefault(kind.value, {}).update(
            weights=asdict(ranking.weights),
            half_life_days=ranking.half_life_days,
            decay=ranking.decay.value,
        )
    changed = {**policy, SECTION: section}
    kind_policies(changed)
    return changed
