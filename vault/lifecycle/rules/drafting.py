"""Writing a rule down: checked, screened, and not in force yet."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from audit.actions import Action as Event
from vault.errors import InvalidField, NotFound
from vault.lifecycle.clear_text import refuse_personal
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.models import Namespace, Rule, RuleVersion
from vault.models.identifiers import new_id
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.screening.rule_pattern import spelled_out
from vault.screening.rules import compiled
from vault.types import RuleAction

KIND = "rule"


def create_rule(
    *, name: str, namespace: str | None, pattern: str, action: RuleAction, slot: str = "", scope: Scope
) -> Rule:
    """Write down a new rule for one namespace, or for all. It is not in force until it was tried and switched on.

    Raises InvalidField for a name that is taken, a pattern that does not compile in linear time or that matches an
    empty text, and for either that holds a credential or somebody's identifier; NotFound for an unknown namespace.
    """
    require_staff(scope)
    with refusals_noted(Event.PATTERN_CHANGED, scope=scope, kind=KIND):
        _check(pattern, action, slot)
        refuse_personal({"/name": name})
        with transaction.atomic(durable=True):
            last = Rule.objects.aggregate(last=Max("position"))["last"] or 0
            rule = Rule(
                id=new_id(),
                name=name,
                namespace=_namespace(namespace),
                position=last + 1,
                created_by=scope.author,
                created_at=timezone.now(),
            )
            _save_new(rule)
            _add_version(rule, pattern, action, slot, scope)
            note(rule, scope, reason="created")
    return rule


def edit_rule(*, rule_id: UUID, pattern: str, action: RuleAction, slot: str = "", scope: Scope) -> Rule:
    """Write the next version of a rule; what is live stays live until this one was tried and switched on.

    Raises NotFound, InvalidField as `create_rule`.
    """
    require_staff(scope)
    with refusals_noted(Event.PATTERN_CHANGED, scope=scope, kind=KIND, target=rule_id):
        _check(pattern, action, slot)
        with transaction.atomic(durable=True):
            rule = lock_rule(rule_id)
            rule.version += 1
            rule.save(update_fields=["version"])
            _add_version(rule, pattern, action, slot, scope)
            note(rule, scope, reason="edited")
    return rule


def lock_rule(rule_id: UUID) -> Rule:
    """The rule, locked for the transaction. Raises NotFound."""
    rule = Rule.objects.select_for_update(of=("self",)).select_related("namespace").filter(pk=rule_id).first()
    if rule is None:
        raise NotFound
    return rule


def note(rule: Rule, scope: Scope, *, reason: str, tried_on: int = 0, matched: int = 0) -> None:
    trail.note(
        Event.PATTERN_CHANGED, scope=scope, kind=KIND, target=rule.pk, reason=reason, version=rule.version,
        tried_on=tried_on, matched=matched,
    )  # fmt: skip


def _check(pattern: str, action: RuleAction, slot: str) -> None:
    compiled(pattern)
    if bool(slot) != (action is RuleAction.PREFERENCE):
        raise InvalidField("A slot goes with the action that stores a preference.", pointer="/slot")
    # As it stands and as it is meant: an escaped address is an address.
    for text in {pattern, spelled_out(pattern)}:
        refuse_personal({"/pattern": text})


def _namespace(name: str | None) -> Namespace | None:
    if name is None:
        return None
    found = Namespace.objects.filter(name=name).first()
    if found is None:
        raise NotFound
    return found


def _save_new(rule: Rule) -> None:
    try:
        with transaction.atomic():
            rule.save(force_insert=True)
    except IntegrityError:
        raise InvalidField("There is a rule of this name already.", pointer="/name") from None


def _add_version(rule: Rule, pattern: str, action: RuleAction, slot: str, scope: Scope) -> None:
    RuleVersion.objects.create(
        id=new_id(),
        rule=rule,
        number=rule.version,
        pattern=pattern,
        action=action.value,
        slot=slot,
        author=scope.author,
        written_at=timezone.now(),
    )
