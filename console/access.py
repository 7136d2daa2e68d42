"""Who may open which page: one table of roles, one decorator that every page of the console wears."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from audit.actions import Action, Outcome
from audit.log import Actor, Target, record_alone
from console.refusals import refusal_page
from vault.errors import VaultError
from vault.models import Namespace, Role, StaffUser
from vault.retrieval.scope import GrantedNamespace, Right, Scope
from vault.types import Trust

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


class Ability(StrEnum):
    """What a page needs; reading and changing are apart, so that an auditor can hold all that reads."""

    QUEUE_READ = "queue.read"
    QUEUE_DECIDE = "queue.decide"
    MEMORY_READ = "memory.read"
    MEMORY_CHANGE = "memory.change"
    SUBJECT_READ = "subject.read"
    HOLD_CHANGE = "hold.change"
    ERASURE_READ = "erasure.read"
    ERASURE_CHANGE = "erasure.change"
    AUDIT_READ = "audit.read"
    AGENT_READ = "agent.read"
    AGENT_CHANGE = "agent.change"
    POLICY_READ = "policy.read"
    NAMESPACE_READ = "namespace.read"
    NAMESPACE_CHANGE = "namespace.change"
    # A policy that lets through more than before needs a privacy officer's word.
    NAMESPACE_DECIDE = "namespace.decide"
    STAFF_CHANGE = "staff.change"
    APPROVAL_READ = "approval.read"
    ROLLBACK_READ = "rollback.read"
    ROLLBACK_CHANGE = "rollback.change"
    REQUEST_READ = "request.read"
    REQUEST_CHANGE = "request.change"
    EXPORT_READ = "export.read"
    EXPORT_CHANGE = "export.change"
    RULE_READ = "rule.read"
    RULE_CHANGE = "rule.change"
    OPERATION_READ = "operation.read"
    OPERATION_CHANGE = "operation.change"


REVIEWING = frozenset(
    {
        Ability.QUEUE_READ,
        Ability.QUEUE_DECIDE,
        Ability.MEMORY_READ,
        Ability.MEMORY_CHANGE,
        Ability.APPROVAL_READ,
        Ability.ROLLBACK_READ,
        Ability.ROLLBACK_CHANGE,
        Ability.RULE_READ,
        Ability.NAMESPACE_READ,
    }
)
ABILITIES: dict[str, frozenset[Ability]] = {
    Role.REVIEWER: REVIEWING,
    Role.PRIVACY_OFFICER: REVIEWING
    | {
        Ability.SUBJECT_READ,
        Ability.HOLD_CHANGE,
        Ability.ERASURE_READ,
        Ability.ERASURE_CHANGE,
        Ability.AUDIT_READ,
        Ability.REQUEST_READ,
        Ability.REQUEST_CHANGE,
        Ability.EXPORT_READ,
        Ability.EXPORT_CHANGE,
        Ability.RULE_CHANGE,
        Ability.NAMESPACE_DECIDE,
    },
    Role.AUDITOR: frozenset(
        {
            Ability.QUEUE_READ,
            Ability.MEMORY_READ,
            Ability.SUBJECT_READ,
            Ability.ERASURE_READ,
            Ability.AUDIT_READ,
            Ability.AGENT_READ,
            Ability.POLICY_READ,
            Ability.APPROVAL_READ,
            Ability.ROLLBACK_READ,
            Ability.REQUEST_READ,
            Ability.EXPORT_READ,
            Ability.RULE_READ,
            Ability.NAMESPACE_READ,
            Ability.OPERATION_READ,
        }
    ),
    Role.ADMINISTRATOR: frozenset(
        {
            Ability.STAFF_CHANGE,
            Ability.AGENT_READ,
            Ability.AGENT_CHANGE,
            Ability.POLICY_READ,
            Ability.NAMESPACE_READ,
            Ability.NAMESPACE_CHANGE,
            Ability.APPROVAL_READ,
            Ability.OPERATION_READ,
            Ability.OPERATION_CHANGE,
        }
    ),
}
# The rights that a service asks of a scope, by what the role may do in the console.
RIGHTS: dict[Ability, frozenset[Right]] = {
    Ability.MEMORY_READ: frozenset({Right.MEMORY_READ}),
    Ability.SUBJECT_READ: frozenset({Right.MEMORY_READ}),
    Ability.QUEUE_DECIDE: frozenset({Right.MEMORY_WRITE}),
    Ability.MEMORY_CHANGE: frozenset({Right.MEMORY_WRITE}),
    Ability.ERASURE_CHANGE: frozenset({Right.SUBJECT_ERASE}),
    Ability.AUDIT_READ: frozenset({Right.AUDIT_READ}),
}


def abilities_of(staff: StaffUser) -> frozenset[Ability]:
    """What a member of staff may do; nothing for a role that the table does not know."""
    return ABILITIES.get(staff.role, frozenset())


def staff_of(request: HttpRequest) -> StaffUser:
    """The signed-in member of staff; only behind `staff_page`."""
    return cast(StaffUser, request.user)


def actor_of(request: HttpRequest) -> Actor:
    return Actor("staff", str(staff_of(request).pk))


def request_id_of(request: HttpRequest) -> str:
    return str(getattr(request, "vault_request_id", ""))


def scope_of(request: HttpRequest) -> Scope:
    """Staff see all namespaces; their role decides which rights they hold there."""
    abilities = abilities_of(staff_of(request))
    rights = frozenset(right for ability in abilities for right in RIGHTS.get(ability, ()))
    namespaces = tuple(
        GrantedNamespace(row.pk, row.name, rights, Trust.VERIFIED, row.sealed, row.policy, row.policy_version)
        for row in Namespace.objects.order_by("pk")
    )
    return Scope(
        actor=actor_of(request), namespaces=namespaces, request_id=request_id_of(request), everything=True
    )


def has_second_factor(staff: StaffUser) -> bool:
    """Whether a code or a passkey stands beside the password; recovery codes alone do not count."""
    types = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    return bool(is_mfa_enabled(staff, types=types))


def staff_page(
    ability: Ability | None, *, method: str = "GET", confirm: bool = False, back: str = ""
) -> Callable[[View[P]], View[P]]:
    """A page for staff who hold `ability` (any staff when None), answering `method` alone.

    `confirm` asks for the password or a code again when the last time is too long ago. Refusals of the vault
    become pages, with a way to the page named `back`, which takes the same arguments. A page that the role
    may not open is refused with 403 and an entry in the log.
    """
    methods = ["GET", "HEAD"] if method == "GET" else [method]

    def wrap(view: View[P]) -> View[P]:
        @wraps(view)
        def page(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            stop = _stop(request, ability, methods)
            if stop is not None:
                return _for_whole_page(request, stop)
            if confirm:
                raise_if_reauthentication_required(request, app="console")
            try:
                return view(request, *args, **kwargs)
            except VaultError as error:
                return refusal_page(request, error, back=reverse(back, kwargs=kwargs) if back else "")

        return page

    return wrap


def _stop(request: HttpRequest, ability: Ability | None, methods: list[str]) -> HttpResponse | None:
    """What to answer instead of the page, or None for the page itself; who you are comes first."""
    if not request.user.is_authenticated:
        # After a POST there is nothing to come back to but its own address, which answers no GET.
        return redirect_to_login(request.get_full_path() if request.method == "GET" else "/console/")
    staff = staff_of(request)
    if not has_second_factor(staff):
        return redirect("mfa_activate_totp")
    if ability is not None and ability not in abilities_of(staff):
        return _forbidden(request, ability)
    if request.method not in methods:
        return HttpResponseNotAllowed(methods)
    return None


def _for_whole_page(request: HttpRequest, stop: HttpResponse) -> HttpResponse:
    """A redirect that a part of a page has met is meant for the whole of it."""
    if "HX-Request" in request.headers and isinstance(stop, HttpResponseRedirect):
        return HttpResponseClientRedirect(stop.url)
    return stop


def _forbidden(request: HttpRequest, ability: Ability | None) -> HttpResponse:
    record_alone(
        Action.ACCESS_DENIED,
        actor=actor_of(request),
        target=Target("console", ability.value if ability else ""),
        outcome=Outcome.DENIED,
        request_id=request_id_of(request),
        reason="role",
    )
    return render(request, "403.html", status=403)
