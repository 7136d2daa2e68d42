"""Access exports: asked for on the subject's page, followed here, and fetched by whoever says what for."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ExportFilterForm, ReasonForm
from vault.lifecycle.access_export import get_export, list_exports, open_download, request_export
from vault.models import ExportStatus

PAGE = "console:export"
STEPS = (ExportStatus.WAITING, ExportStatus.QUEUED, ExportStatus.RUNNING, ExportStatus.READY)


@staff_page(Ability.EXPORT_READ)
def exports_page(request: HttpRequest) -> HttpResponse:
    form = ExportFilterForm(request.GET)
    status = form.cleaned_data["status"] if form.is_valid() else ""
    states = list_exports(scope=scope_of(request), status=ExportStatus(status) if status else None)
    context = {"states": states, "status": status, "statuses": ExportStatus.values}
    return render(request, "console/exports.html", context)


@staff_page(Ability.EXPORT_READ)
def export_page(request: HttpRequest, export_id: UUID) -> HttpResponse:
    state = get_export(export_id=export_id, scope=scope_of(request))
    order = list(STEPS)
    here = order.index(state.status) if state.status in order else -1
    context = {
        "state": state,
        "row": state.row,
        "steps": [(step.value, words.phrase(step), place < here) for place, step in enumerate(order)],
        "purpose_form": ReasonForm(codes=words.EXPORT_PURPOSES, auto_id="purpose_%s"),
    }
    return render(request, "console/export.html", context)


@staff_page(Ability.EXPORT_CHANGE, method="POST", back="console:subject")
def ask(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.EXPORT_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the export.")
        return redirect("console:subject", subject_id=subject_id)
    export = request_export(
        subject_id=subject_id, reason_code=form.cleaned_data["reason"], scope=scope_of(request)
    )
    messages.success(request, "The export was asked for. A second person approves it; then the file is made.")
    return redirect(PAGE, export_id=export.pk)


@staff_page(Ability.EXPORT_CHANGE, method="POST", confirm=True, back=PAGE)
def download(request: HttpRequest, export_id: UUID) -> HttpResponse:
    """The file, for a purpose; by POST, since it is a look at personal data that nothing may prefetch."""
    form = ReasonForm(request.POST, codes=words.EXPORT_PURPOSES)
    if not form.is_valid():
        messages.error(request, "Say what you need the file for.")
        return redirect(PAGE, export_id=export_id)
    file = open_download(export_id=export_id, purpose=form.cleaned_data["reason"], scope=scope_of(request))
    headers = {
        "Content-Length": str(file.size),
        "Content-Disposition": f'attachment; filename="{file.name}"',
    }
    answer = StreamingHttpResponse(file.chunks, content_type="application/zip", headers=headers)
    # A stream is an answer like any other to everything around a page.
    return cast(HttpResponse, answer)
