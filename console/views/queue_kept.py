"""The review desk, what is kept: filters of one's own, and the patterns that agents are allowed."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from console.access import Ability, scope_of, staff_page
from console.queue_forms import QueueFilterForm, SaveFilterForm
from console.views.queue_item import queue_address
from vault.errors import VaultError
from vault.lifecycle.reviewing.allowing import list_patterns, revoke_pattern
from vault.lifecycle.reviewing.saved_filters import delete_filter, save_filter


@staff_page(Ability.QUEUE_READ, method="POST")
def keep_filter(request: HttpRequest) -> HttpResponse:
    """Keep the view that the address names, for this member of staff alone."""
    form = SaveFilterForm(request.POST)
    try:
        if form.is_valid():
            query = QueueFilterForm(request.GET).kept
            save_filter(name=form.cleaned_data["name"], query=query, scope=scope_of(request))
            messages.success(request, "The view is saved.")
        else:
            messages.error(request, "Give the view a short name.")
    except VaultError as refusal:
        messages.error(request, refusal.detail)
    return redirect(queue_address(request))


@staff_page(Ability.QUEUE_READ, method="POST")
def drop_filter(request: HttpRequest, filter_id: UUID) -> HttpResponse:
    delete_filter(filter_id=filter_id, scope=scope_of(request))
    messages.success(request, "The saved view is gone.")
    return redirect(queue_address(request))


@staff_page(Ability.QUEUE_READ)
def patterns_page(request: HttpRequest) -> HttpResponse:
    context = {"patterns": list_patterns(scope=scope_of(request)), "now": timezone.now()}
    return render(request, "console/queue_patterns.html", context)


@staff_page(Ability.QUEUE_DECIDE, method="POST")
def revoke(request: HttpRequest, pattern_id: UUID) -> HttpResponse:
    revoke_pattern(pattern_id=pattern_id, scope=scope_of(request))
    messages.success(request, "The pattern is no longer allowed, from the agent's next write on.")
    return redirect("console:queue_patterns")
