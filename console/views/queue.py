"""The review desk, the list: what waits, by filters that live in the address."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import SubjectLookupForm
from console.queue_forms import QueueFilterForm, SaveFilterForm
from vault.errors import NotFound
from vault.lifecycle.reviewing.bulk import MAX_BULK
from vault.lifecycle.reviewing.queue import pending_writes, queue_counts
from vault.lifecycle.reviewing.saved_filters import list_filters
from vault.lifecycle.standing_requests import waiting_releases
from vault.lifecycle.subject_file import find_subject_id
from vault.types import QuarantineStatus


@staff_page(Ability.QUEUE_READ)
def queue_page(request: HttpRequest) -> HttpResponse:
    """Oldest due first."""
    form = QueueFilterForm(request.GET)
    scope = scope_of(request)
    wanted = form.wanted
    queue = pending_writes(scope=scope, wanted=wanted, after=form.place)
    asked = waiting_releases(revisions={row.pk: row.revision for row in queue.results}, scope=scope)
    context = {
        "queue": queue,
        "rows": [(row, asked.get(row.pk)) for row in queue.results],
        "counts": queue_counts(scope=scope),
        "status": wanted.status.value,
        "statuses": [each.value for each in QuarantineStatus],
        "wanted": form.given,
        "query": form.query,
        "is_filtered": bool(set(form.given) - {"status", "after_due", "after_id"}),
        "continued": form.place is not None,
        "me": scope.author,
        "saved": [(kept, _address(kept.query)) for kept in list_filters(scope=scope)],
        "can_save": bool(form.kept),
        "save_form": SaveFilterForm(auto_id="save_%s"),
        "subject_form": SubjectLookupForm(auto_id="subject_%s"),
        "release_reasons": words.RELEASE_REASONS,
        "reject_reasons": words.REJECT_REASONS,
        "max_bulk": MAX_BULK,
    }
    return render(request, "console/queue.html", context)


@staff_page(Ability.QUEUE_READ, method="POST")
def find_subject(request: HttpRequest) -> HttpResponse:
    """From the caller's own id, which stands in no address, to the list of its subject under the internal id."""
    form = SubjectLookupForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Give the subject's id as the calling application writes it.")
        return redirect("console:queue")
    try:
        subject_id = find_subject_id(external_id=form.cleaned_data["external_id"], scope=scope_of(request))
    except NotFound:
        messages.warning(request, "No subject has this id.")
        return redirect("console:queue")
    return redirect(_address({"subject": str(subject_id)}))


def _address(query: dict[str, str]) -> str:
    return reverse("console:queue", query=query)
