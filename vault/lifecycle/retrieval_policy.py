"""Writing how a namespace ranks: weights and half-life of each kind, as its policy. Only when somebody says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from vault.lifecycle.namespaces.changing import change_policy
from vault.lifecycle.namespaces.keeping import find_namespace, require_everything
from vault.models import Namespace
from vault.retrieval.kind_policy import SECTION, kind_policies
from vault.retrieval.scope import Scope
from vault.retrieval.score import Ranking
from vault.types import Kind

REASON = "retrieval_fitted"
WHY = "Fitted on labelled questions."


def write_rankings(*, namespace: str, rankings: Mapping[Kind, Ranking], scope: Scope) -> Namespace:
    """Put the rankings into a namespace's policy; all else in it stays.

    For staff and the vault's own commands. Raises as `change_policy`; rankings that stand there already change nothing.
    """
    require_everything(scope)
    row = find_namespace(namespace)
    policy = with_rankings(row.policy, rankings)
    if policy == row.policy:
        return row
    return change_policy(
        namespace=namespace, policy=policy, expected_version=row.policy_version, reason=WHY, scope=scope, code=REASON,
    ).namespace  # fmt: skip


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
