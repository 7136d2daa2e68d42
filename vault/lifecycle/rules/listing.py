"""Rules as staff read them: a rule is not about a person, so a look leaves no entry."""

from __future__ import annotations

from uuid import UUID

from vault.errors import NotFound
from vault.lifecycle.desk import require_staff
from vault.models import Rule
from vault.retrieval.scope import Scope


def list_rules(*, scope: Scope) -> list[Rule]:
    """All rules in order, each with its versions, the newest first."""
    require_staff(scope)
    return list(Rule.objects.select_related("namespace").prefetch_related("versions"))


def get_rule(*, rule_id: UUID, scope: Scope) -> Rule:
    """One rule with its versions. Raises NotFound."""
    require_staff(scope)
    rule = Rule.objects.select_related("namespace").prefetch_related("versions").filter(pk=rule_id).first()
    if rule is None:
        raise NotFound
    return rule
