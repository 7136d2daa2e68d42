"""The review desk: what waits, one item with its findings, and the decision."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import DecisionForm, QueueFilterForm
from console.highlight import view_fields
from vault.errors import InvalidTransition
from vault.lifecycle.queue_view import queue_counts, write_row
from vault.lifecycle.review import (
    OpenedWrite,
    QueueFilter,
    QueuePlace,
    open_write,
    pending_writes,
    reject_write,
    release_write,
)
from vault.screening.fields import is_key, string_fields
from vault.screening.pointers import by_key
from vault.screening.verdict import Reason
from vault.types import QuarantineStatus

PAGE = "console:queue_item"
PURPOSE = "review"


@staff_page(Ability.QUEUE_READ)
def queue_page(request: HttpRequest) -> HttpResponse:
    """Oldest due first; the filters live in the address."""
    form = QueueFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    status = QuarantineStatus(wanted.get("status") or QuarantineStatus.PENDING)
    place = (
        QueuePlace(wanted["after_due"], wanted["after_id"])
        if wanted.get("after_due") and wanted.get("after_id")
        else None
    )
    chosen = QueueFilter(
        status=status,
        reason=wanted.get("reason") or None,
        agent_id=wanted.get("agent"),
        overdue_at=timezone.now() if wanted.get("overdue") else None,
    )
    scope = scope_of(request)
    context = {
        "queue": pending_writes(scope=scope, wanted=chosen, after=place),
        "counts": queue_counts(scope=scope),
        "status": status.value,
        "statuses": [each.value for each in QuarantineStatus],
        "wanted": wanted,
        "continued": place is not None,
    }
    return render(request, "console/queue.html", context)


@staff_page(Ability.QUEUE_READ)
def item_page(request: HttpRequest, write_id: UUID) -> HttpResponse:
    """One write with its text; opening it is an entry of the log."""
    scope = scope_of(request)
    try:
        opened = open_write(write_id=write_id, scope=scope, purpose=PURPOSE)
    except InvalidTransition:
        # Decided or lapsed: the draft is gone, the decision is still to be seen.
        return render(
            request, "console/queue_decided.html", {"row": write_row(write_id=write_id, scope=scope)}
        )
    context = {
        "opened": opened,
        "row": opened.row,
        "fields": _fields(opened),
        "is_pending": opened.row.status == QuarantineStatus.PENDING,
        "is_high_impact": Reason.HIGH_IMPACT_CLAIM.value in opened.row.reasons,
        "release_form": DecisionForm(codes=words.RELEASE_REASONS, auto_id="release_%s"),
        "reject_form": DecisionForm(codes=words.REJECT_REASONS, auto_id="reject_%s"),
    }
    return render(request, "console/queue_item.html", context)


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def release(request: HttpRequest, write_id: UUID) -> HttpResponse:
    form = DecisionForm(request.POST, codes=words.RELEASE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the release.")
        return redirect(PAGE, write_id=write_id)
    scope = scope_of(request)
    if Reason.HIGH_IMPACT_CLAIM.value in write_row(write_id=write_id, scope=scope).reasons:
        raise_if_reauthentication_required(request, app="console")
    memory = release_write(
        write_id=write_id,
        revision=form.cleaned_data["revision"],
        reason_code=form.cleaned_data["reason"],
        scope=scope,
    )
    messages.success(request, f"Released as memory {memory.row.pk}.")
    return redirect("console:queue")


@staff_page(Ability.QUEUE_DECIDE, method="POST", back=PAGE)
def reject(request: HttpRequest, write_id: UUID) -> HttpResponse:
    form = DecisionForm(request.POST, codes=words.REJECT_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the rejection.")
        return redirect(PAGE, write_id=write_id)
    reject_write(
        write_id=write_id,
        revision=form.cleaned_data["revision"],
        reason_code=form.cleaned_data["reason"],
        scope=scope_of(request),
    )
    messages.success(request, "Rejected. The text is kept out for good.")
    return redirect("console:queue")


def _fields(opened: OpenedWrite) -> dict[str, object]:
    """The text by itself, and every other field, each with its findings marked."""
    strings = string_fields(opened.draft)
    strings.pop("/subject", None)
    findings = [
        replace(finding, pointer=by_key(finding.pointer, strings)) for finding in opened.verdict.findings
    ]
    views = view_fields(strings, findings)
    return {
        "text": next(view for view in views if view.pointer == "/text"),
        # A key of an object is shown by the pointer of its value; by itself only when something is found in it.
        "others": [v for v in views if v.pointer != "/text" and (v.marks or not is_key(v.pointer))],
    }
