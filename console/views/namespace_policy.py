"""Changing a namespace's policy: the usual parts or the whole document, the change as a whole, and then the act."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.access import Ability, scope_of, staff_page
from console.namespace_forms import ApplyForm, DocumentForm, RefusableForm, UsualForm, usual_of, with_usual
from console.policy_words import as_text, differences
from vault.errors import InvalidField
from vault.lifecycle.namespaces.changing import change_policy, preview_policy
from vault.lifecycle.namespaces.document import parse_document, read_document
from vault.lifecycle.namespaces.listing import NamespaceRow, get_namespace
from vault.lifecycle.namespaces.proposals import waiting_changes

PAGE = "console:namespace"
# Two forms on one page.
USUAL, DOCUMENT = "usual_%s", "document_%s"


@staff_page(Ability.NAMESPACE_CHANGE)
def edit_page(request: HttpRequest, namespace_id: int) -> HttpResponse:
    row = get_namespace(namespace_id=namespace_id, scope=scope_of(request))
    return _edit(request, row, usual=_usual_form(row), document=_document_form(row))


@staff_page(Ability.NAMESPACE_CHANGE, method="POST", back=PAGE)
def preview_usual(request: HttpRequest, namespace_id: int) -> HttpResponse:
    """What the form of the usual parts would change."""
    row = get_namespace(namespace_id=namespace_id, scope=scope_of(request))
    form = UsualForm(request.POST, auto_id=USUAL)
    if form.is_valid():
        current = row.namespace.policy
        policy = with_usual(current, read_document(current), form.cleaned_data)
        response = _preview(request, row, form, policy)
        if response is not None:
            return response
    return _edit(request, row, usual=form, document=_document_form(row), status=422)


@staff_page(Ability.NAMESPACE_CHANGE, method="POST", back=PAGE)
def preview_document(request: HttpRequest, namespace_id: int) -> HttpResponse:
    """What the whole document would change."""
    row = get_namespace(namespace_id=namespace_id, scope=scope_of(request))
    form = DocumentForm(request.POST, auto_id=DOCUMENT)
    if form.is_valid():
        try:
            policy = parse_document(form.cleaned_data["document"])
        except InvalidField as error:
            form.refuse(error)
        else:
            response = _preview(request, row, form, policy)
            if response is not None:
                return response
    return _edit(request, row, usual=_usual_form(row), document=form, status=422)


@staff_page(Ability.NAMESPACE_CHANGE, method="POST", confirm=True, back=PAGE)
def apply(request: HttpRequest, namespace_id: int) -> HttpResponse:
    """Put what was previewed in force, or ask a privacy officer for it."""
    scope = scope_of(request)
    row = get_namespace(namespace_id=namespace_id, scope=scope)
    form = ApplyForm(request.POST)
    if not form.is_valid():
        return _shown_again(request, row, form)
    given = {**form.cleaned_data, "policy": parse_document(form.cleaned_data["document"])}
    del given["document"]
    try:
        change = change_policy(namespace=row.namespace.name, scope=scope, **given)
    except InvalidField as error:
        form.refuse(error)
        return _shown_again(request, row, form)
    if change.approval is not None:
        if change.is_new:
            messages.success(
                request, "Asked. A privacy officer decides; until then the policy stays as it is."
            )
        else:
            messages.warning(
                request, "Just this was asked for already and waits here; nothing was asked twice."
            )
        return redirect("console:approval", approval_id=change.approval.pk)
    messages.success(request, "In force from the next call on.")
    return redirect(PAGE, namespace_id=namespace_id)


def _edit(
    request: HttpRequest,
    row: NamespaceRow,
    *,
    usual: UsualForm | None,
    document: DocumentForm,
    status: int = 200,
) -> HttpResponse:
    waiting = waiting_changes(scope=scope_of(request), namespace_id=row.namespace.pk)
    context = {"row": row, "usual": usual, "document": document, "waiting": waiting}
    return render(request, "console/namespace_edit.html", context, status=status)


def _usual_form(row: NamespaceRow) -> UsualForm | None:
    """Filled in with what is in force; none for a policy that cannot be read, which only its document mends."""
    try:
        usual = usual_of(read_document(row.namespace.policy))
    except InvalidField:
        return None
    start = {**usual, "languages": ", ".join(usual["languages"]), **_start(row)}
    return UsualForm(initial=start, auto_id=USUAL)


def _document_form(row: NamespaceRow) -> DocumentForm:
    start = {"document": as_text(row.namespace.policy), **_start(row)}
    return DocumentForm(initial=start, auto_id=DOCUMENT)


def _start(row: NamespaceRow) -> dict[str, Any]:
    return {"expected_version": row.namespace.policy_version, "purpose": row.namespace.purpose}


def _preview(
    request: HttpRequest, row: NamespaceRow, form: RefusableForm, policy: Mapping[str, Any]
) -> HttpResponse | None:
    """The page of the change, or None when the form shows why there is none."""
    given = form.cleaned_data
    try:
        loosened = preview_policy(
            namespace=row.namespace.name, policy=policy, purpose=given["purpose"], scope=scope_of(request)
        )
    except InvalidField as error:
        form.refuse(error)
        return None
    filled = {key: given[key] for key in ("expected_version", "purpose")}
    apply_form = ApplyForm(initial={**filled, "document": json.dumps(policy)})
    return _change(request, row, apply_form, policy, purpose=given["purpose"], loosened=loosened)


def _shown_again(request: HttpRequest, row: NamespaceRow, form: ApplyForm) -> HttpResponse:
    """The page of a change whose reason will not do; without a readable document there is nothing to show."""
    policy = parse_document(str(form.data.get("document", "")))
    purpose = str(form.data.get("purpose", ""))
    loosened = preview_policy(
        namespace=row.namespace.name, policy=policy, purpose=purpose, scope=scope_of(request)
    )
    return _change(request, row, form, policy, purpose=purpose, loosened=loosened, status=422)


def _change(
    request: HttpRequest,
    row: NamespaceRow,
    form: ApplyForm,
    policy: Mapping[str, Any],
    *,
    purpose: str,
    loosened: tuple[str, ...],
    status: int = 200,
) -> HttpResponse:
    before = row.namespace
    found = differences(before.policy, policy, purposes=(before.purpose, purpose))
    context = {
        "row": row, "form": form, "differences": found, "loosened": loosened,
        "before": as_text(before.policy), "after": as_text(policy),
    }  # fmt: skip
    return render(request, "console/namespace_change.html", context, status=status)
