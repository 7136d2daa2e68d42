"""Rollbacks of many memories: what to undo, what that would change, and how far it is."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import PageForm
from console.rollback_forms import DigestForm, RollbackForm
from vault.errors import InvalidField, InvalidTransition, StaleVersion
from vault.lifecycle.registers import list_agents, list_namespaces
from vault.lifecycle.rolling_back.listing import ITEM_PAGE, get_rollback, list_rollbacks
from vault.lifecycle.rolling_back.preview import preview_rollback
from vault.lifecycle.rolling_back.request import request_rollback
from vault.models import JobStatus, RollbackStatus

PAGE = "console:rollback"


@staff_page(Ability.ROLLBACK_READ)
def rollbacks_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/rollbacks.html", {"rows": list_rollbacks(scope=scope_of(request))})


@staff_page(Ability.ROLLBACK_CHANGE)
def new_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/rollback_new.html", {"form": _form(request)})


@staff_page(Ability.ROLLBACK_CHANGE, method="POST")
def preview(request: HttpRequest) -> HttpResponse:
    """What would change. By POST, since a source's reference may not stand in an address."""
    form = _form(request)
    return _preview(request, form) if form.is_valid() else _again(request, form)


@staff_page(Ability.ROLLBACK_CHANGE, method="POST")
def ask(request: HttpRequest) -> HttpResponse:
    """Ask for a second person's approval of exactly the list that was looked at."""
    form, seen = _form(request), DigestForm(request.POST)
    if not (form.is_valid() and seen.is_valid()):
        return _again(request, form)
    try:
        rollback = request_rollback(
            criteria=form.cleaned_data["criteria"],
            expected_digest=bytes.fromhex(seen.cleaned_data["digest"]),
            reason_code=form.cleaned_data["reason"],
            scope=scope_of(request),
        )
    except (StaleVersion, InvalidTransition) as error:
        messages.warning(request, error.detail)
        return _preview(request, form, status=409)
    messages.success(request, "Asked for. Nothing changes until a second person has approved it.")
    return redirect(PAGE, rollback_id=rollback.pk)


@staff_page(Ability.ROLLBACK_READ)
def rollback_page(request: HttpRequest, rollback_id: UUID) -> HttpResponse:
    page = PageForm(request.GET)
    wanted = page.cleaned_data["page"] if page.is_valid() else None
    state = get_rollback(rollback_id=rollback_id, scope=scope_of(request), page=wanted or 1)
    failed = state.job is not None and state.job.status == JobStatus.FAILED
    context = {
        "state": state,
        "row": state.row,
        "page": wanted or 1,
        "counts": _labelled(state.by_kind),
        "outcomes": state.by_status.items(),
        "items": [(item, words.ROLLBACK_KINDS[item.kind]) for item in state.items],
        "failed": failed,
        "running": state.row.status == RollbackStatus.RUNNING and not failed,
    }
    return render(request, "console/rollback.html", context)


def _form(request: HttpRequest) -> RollbackForm:
    scope = scope_of(request)
    given = request.POST if request.method == "POST" else None
    return RollbackForm(given, agents=list_agents(scope=scope), namespaces=list_namespaces(scope=scope))


def _again(request: HttpRequest, form: RollbackForm) -> HttpResponse:
    return render(request, "console/rollback_new.html", {"form": form}, status=400)


def _preview(request: HttpRequest, form: RollbackForm, *, status: int = 200) -> HttpResponse:
    try:
        found = preview_rollback(criteria=form.cleaned_data["criteria"], scope=scope_of(request))
    except InvalidField as error:
        form.add_error(None, error.detail)
        return _again(request, form)
    # The form stands on the page several times, hidden; an id may stand there once.
    form.auto_id = False
    asked = PageForm(request.POST)
    pages = Paginator(found.changes, ITEM_PAGE)
    page = pages.get_page((asked.cleaned_data["page"] if asked.is_valid() else None) or 1)
    context = {
        "form": form,
        "preview": found,
        "digest": found.digest.hex(),
        "counts": _labelled(found.counts),
        "page": page,
        "changes": [(change, words.ROLLBACK_KINDS[change.kind.value]) for change in page],
    }
    return render(request, "console/rollback_preview.html", context, status=status)


def _labelled(counts: dict[str, int]) -> list[tuple[str, int]]:
    return [(words.ROLLBACK_KINDS[kind], count) for kind, count in counts.items()]
