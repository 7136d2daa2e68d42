"""What reviewers taught the injection filter, taken out as a file by two people."""

from __future__ import annotations

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ReasonForm
from vault.lifecycle.approvals import list_approvals
from vault.lifecycle.retraining import ask_for_set, count_taught, take_set
from vault.models import ApprovalKind, ApprovalStatus

PAGE = "console:retraining"


@staff_page(Ability.EXPORT_READ)
def retraining_page(request: HttpRequest) -> HttpResponse:
    scope = scope_of(request)
    counts = count_taught(scope=scope)
    waiting = list_approvals(kinds=[ApprovalKind.RETRAINING], scope=scope)
    context = {
        "honest": counts[0],
        "instructions": counts[1],
        "waiting": waiting[0] if waiting else None,
        "is_approved": any(row.status == ApprovalStatus.APPROVED for row in waiting),
        "form": ReasonForm(codes=words.RETRAINING_REASONS),
    }
    return render(request, "console/retraining.html", context)


@staff_page(Ability.EXPORT_CHANGE, method="POST")
def ask(request: HttpRequest) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.RETRAINING_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose what the set is for.")
        return redirect(PAGE)
    asked = ask_for_set(reason_code=form.cleaned_data["reason"], scope=scope_of(request))
    messages.success(request, "Asked for. A second person approves it.")
    return redirect("console:approval", approval_id=asked.pk)


@staff_page(Ability.EXPORT_CHANGE, method="POST", confirm=True)
def take(request: HttpRequest) -> HttpResponse:
    """The set as lines of JSON, once; the approval is used up by it."""
    rows = take_set(scope=scope_of(request))
    body = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    name = f"retraining-{timezone.now():%Y%m%d}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type="application/x-ndjson", headers=headers)
