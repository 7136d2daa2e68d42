"""Putting a rule in force, taking it out, and its place among the others."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import F

from vault.errors import InvalidTransition
from vault.lifecycle.desk import require_staff
from vault.lifecycle.rules.drafting import lock_rule, note
from vault.models import Namespace, Rule, RuleVersion
from vault.retrieval.scope import Scope


def switch_on(*, rule_id: UUID, expected_version: int, scope: Scope) -> Rule:
    """Put the newest version in force from the next write on; the policies it belongs to get a new version.

    Raises NotFound, and InvalidTransition when this version was not tried, is live already, or is not the newest
    any more.
    """
    require_staff(scope)
    with transaction.atomic(durable=True):
        rule = lock_rule(rule_id)
        tried = RuleVersion.objects.filter(rule=rule, number=rule.version, tried_at__isnull=False).exists()
        if rule.version != expected_version or rule.live_version == rule.version or not tried:
            raise InvalidTransition("Try the newest version first.")
        rule.live_version = rule.version
        rule.save(update_fields=["live_version"])
        _renew_policies(rule)
        note(rule, scope, reason="live")
    return rule


def switch_off(*, rule_id: UUID, scope: Scope) -> Rule:
    """Take a rule out of force; it stays, with its versions and hits. Raises NotFound, InvalidTransition."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        rule = lock_rule(rule_id)
        if rule.live_version is None:
            raise InvalidTransition
        rule.live_version = None
        rule.save(update_fields=["live_version"])
        _renew_policies(rule)
        note(rule, scope, reason="off")
    return rule


def move_up(*, rule_id: UUID, scope: Scope) -> Rule:
    """Let a rule change places with the one before it; the first stays where it is. Raises NotFound."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        # All of them, in one order: two people who move rules at once wait for each other.
        rules = list(Rule.objects.select_for_update().order_by("position", "pk"))
        rule = lock_rule(rule_id)
        place = [each.pk for each in rules].index(rule.pk)
        if place > 0:
            before = rules[place - 1]
            rule.position, before.position = before.position, rule.position
            before.save(update_fields=["position"])
            rule.save(update_fields=["position"])
            if rule.live_version is not None:
                _renew_policies(rule)
            note(rule, scope, reason="moved")
    return rule


def _renew_policies(rule: Rule) -> None:
    namespaces = Namespace.objects.all()
    if rule.namespace_id is not None:
        namespaces = namespaces.filter(pk=rule.namespace_id)
    namespaces.update(policy_version=F("policy_version") + 1)
