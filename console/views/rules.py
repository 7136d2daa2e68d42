"""Rules of staff: written, tried on what is kept, switched on and off."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.access import Ability, scope_of, staff_page
from console.rule_forms import NewRuleForm, RuleForm, SwitchForm
from vault.errors import InvalidField
from vault.lifecycle.rules.drafting import create_rule, edit_rule
from vault.lifecycle.rules.listing import get_rule, list_rules
from vault.lifecycle.rules.switching import move_up, switch_off, switch_on
from vault.lifecycle.rules.trial import try_rule
from vault.models import Namespace
from vault.types import RuleAction

PAGE = "console:rule"


@staff_page(Ability.RULE_READ)
def rules_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/rules.html", {"rules": list_rules(scope=scope_of(request))})


@staff_page(Ability.RULE_CHANGE)
def new_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/rule_new.html", {"form": NewRuleForm(namespaces=_namespaces())})


@staff_page(Ability.RULE_CHANGE, method="POST")
def create(request: HttpRequest) -> HttpResponse:
    form = NewRuleForm(request.POST, namespaces=_namespaces())
    if form.is_valid():
        try:
            rule = create_rule(
                name=form.cleaned_data["name"],
                namespace=form.cleaned_data["namespace"] or None,
                pattern=form.cleaned_data["pattern"],
                action=RuleAction(form.cleaned_data["action"]),
                slot=form.cleaned_data["slot"],
                scope=scope_of(request),
            )
        except InvalidField as error:
            form.refuse(error)
        else:
            messages.success(request, "Written down. Try it before you switch it on.")
            return redirect(PAGE, rule_id=rule.pk)
    return render(request, "console/rule_new.html", {"form": form}, status=422)


@staff_page(Ability.RULE_READ)
def rule_page(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    return _page(request, rule_id)


@staff_page(Ability.RULE_CHANGE, method="POST", back=PAGE)
def edit(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _page(request, rule_id, form=form, status=422)
    try:
        edit_rule(
            rule_id=rule_id,
            pattern=form.cleaned_data["pattern"],
            action=RuleAction(form.cleaned_data["action"]),
            slot=form.cleaned_data["slot"],
            scope=scope_of(request),
        )
    except InvalidField as error:
        form.refuse(error)
        return _page(request, rule_id, form=form, status=422)
    messages.success(
        request, "A new version was written. What is live stays live until you switch this one on."
    )
    return redirect(PAGE, rule_id=rule_id)


@staff_page(Ability.RULE_CHANGE, method="POST", back=PAGE)
def attempt(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    """Try the newest version; the page shows counts and ids, never a text."""
    trial = try_rule(rule_id=rule_id, scope=scope_of(request))
    return _page(request, rule_id, trial=trial)


@staff_page(Ability.RULE_CHANGE, method="POST", confirm=True, back=PAGE)
def start(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    form = SwitchForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Look at the rule again, then switch it on.")
        return redirect(PAGE, rule_id=rule_id)
    switch_on(rule_id=rule_id, expected_version=form.cleaned_data["version"], scope=scope_of(request))
    messages.success(request, "The rule is live from the next write on.")
    return redirect(PAGE, rule_id=rule_id)


@staff_page(Ability.RULE_CHANGE, method="POST", back=PAGE)
def stop(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    switch_off(rule_id=rule_id, scope=scope_of(request))
    messages.success(request, "The rule is off. It stays here with its versions and hits.")
    return redirect(PAGE, rule_id=rule_id)


@staff_page(Ability.RULE_CHANGE, method="POST", back=PAGE)
def raise_up(request: HttpRequest, rule_id: UUID) -> HttpResponse:
    move_up(rule_id=rule_id, scope=scope_of(request))
    return redirect("console:rules")


def _page(
    request: HttpRequest,
    rule_id: UUID,
    *,
    form: RuleForm | None = None,
    trial: object = None,
    status: int = 200,
) -> HttpResponse:
    rule = get_rule(rule_id=rule_id, scope=scope_of(request))
    newest = rule.versions.all()[0]
    filled = {"pattern": newest.pattern, "action": newest.action, "slot": newest.slot}
    context = {
        "rule": rule,
        "newest": newest,
        "live": next((v for v in rule.versions.all() if v.number == rule.live_version), None),
        "can_switch_on": newest.tried_at is not None and rule.live_version != rule.version,
        "form": form or RuleForm(initial=filled),
        "trial": trial,
    }
    return render(request, "console/rule.html", context, status=status)


def _namespaces() -> list[str]:
    return list(Namespace.objects.order_by("name").values_list("name", flat=True))
