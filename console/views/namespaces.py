"""Namespaces: what each is for, what its policy does and did, and new ones."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.access import Ability, scope_of, staff_page
from console.namespace_forms import NewNamespaceForm, SealForm
from console.policy_words import Difference, as_text, differences, groups
from vault.errors import InvalidField
from vault.lifecycle.namespaces.creating import create_namespace, seal_namespace
from vault.lifecycle.namespaces.listing import get_namespace, namespace_rows, policy_history
from vault.lifecycle.namespaces.loosening import loosens
from vault.lifecycle.namespaces.proposals import WaitingChange, waiting_changes

PAGE = "console:namespace"


@staff_page(Ability.NAMESPACE_READ)
def namespaces_page(request: HttpRequest) -> HttpResponse:
    scope = scope_of(request)
    waiting = {change.proposal.namespace_id for change in waiting_changes(scope=scope)}
    context = {"rows": namespace_rows(scope=scope), "waiting": waiting}
    return render(request, "console/namespaces.html", context)


@staff_page(Ability.NAMESPACE_CHANGE)
def new_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/namespace_new.html", {"form": NewNamespaceForm()})


@staff_page(Ability.NAMESPACE_CHANGE, method="POST")
def create(request: HttpRequest) -> HttpResponse:
    form = NewNamespaceForm(request.POST)
    if form.is_valid():
        try:
            row = create_namespace(**form.cleaned_data, scope=scope_of(request))
        except InvalidField as error:
            form.refuse(error)
        else:
            messages.success(request, "The namespace is there. It follows the default policy.")
            return redirect(PAGE, namespace_id=row.pk)
    return render(request, "console/namespace_new.html", {"form": form}, status=422)


@staff_page(Ability.NAMESPACE_READ)
def namespace_page(request: HttpRequest, namespace_id: int) -> HttpResponse:
    return _page(request, namespace_id, SealForm())


@staff_page(Ability.NAMESPACE_READ)
def history_page(request: HttpRequest, namespace_id: int) -> HttpResponse:
    scope = scope_of(request)
    versions = policy_history(namespace_id=namespace_id, scope=scope)
    steps = [
        (
            version,
            differences(before.policy, version.policy, purposes=(before.purpose, version.purpose))
            if before
            else [],
        )
        for version, before in zip(versions, [*versions[1:], None], strict=False)
    ]
    context = {"row": get_namespace(namespace_id=namespace_id, scope=scope), "steps": steps}
    return render(request, "console/namespace_history.html", context)


@staff_page(Ability.NAMESPACE_CHANGE, method="POST", confirm=True, back=PAGE)
def seal(request: HttpRequest, namespace_id: int) -> HttpResponse:
    scope = scope_of(request)
    row = get_namespace(namespace_id=namespace_id, scope=scope)
    form = SealForm(request.POST)
    if not form.is_valid():
        return _page(request, namespace_id, form, status=422)
    try:
        removed = seal_namespace(
            namespace=row.namespace.name, reason=form.cleaned_data["reason"], scope=scope
        )
    except InvalidField as error:
        form.refuse(error)
        return _page(request, namespace_id, form, status=422)
    messages.success(request, f"Sealed. {removed} protected vectors were removed.")
    return redirect(PAGE, namespace_id=namespace_id)


def _page(request: HttpRequest, namespace_id: int, form: SealForm, *, status: int = 200) -> HttpResponse:
    scope = scope_of(request)
    row = get_namespace(namespace_id=namespace_id, scope=scope)
    waiting = waiting_changes(scope=scope, namespace_id=namespace_id)
    try:
        lines, problem = groups(row.namespace.policy), ""
    except InvalidField as error:
        lines, problem = {}, str(error.facts.get("pointer", ""))
    context = {
        "row": row,
        "waiting": [(change, *_in_words(change)) for change in waiting],
        "groups": lines,
        "problem": problem,
        "document": as_text(row.namespace.policy),
        "seal_form": form,
    }
    return render(request, "console/namespace.html", context, status=status)


def _in_words(change: WaitingChange) -> tuple[list[Difference], tuple[str, ...]]:
    """What a waiting change would change, and what of it lets through more; nothing of one that cannot be read."""
    asked = change.proposal
    purposes = (asked.purpose_before, asked.purpose_after)
    try:
        loosened = loosens(asked.before, asked.after)
    except InvalidField:
        loosened = ()
    return differences(asked.before, asked.after, purposes=purposes), loosened
