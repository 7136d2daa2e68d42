"""Correcting a memory on its subject's request."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.access import Ability, scope_of, staff_page
from console.request_forms import CorrectionForm
from vault.errors import CategoryNotAllowed, InvalidField, SecretDetected
from vault.lifecycle.subject_rights import correction
from vault.retrieval.records import OpenedMemory

PAGE = "console:correct_memory"


@staff_page(Ability.REQUEST_CHANGE)
def correction_page(request: HttpRequest, request_id: UUID, memory_id: UUID) -> HttpResponse:
    memory = correction.memory_to_correct(request_id=request_id, memory_id=memory_id, scope=scope_of(request))
    form = CorrectionForm(initial={"text": memory.content.text, "expected_version": memory.row.version})
    return _page(request, request_id, memory, form)


@staff_page(Ability.REQUEST_CHANGE, method="POST", back=PAGE)
def write(request: HttpRequest, request_id: UUID, memory_id: UUID) -> HttpResponse:
    """Write the corrected text as a new version; what cannot be stored comes back beside the field."""
    scope = scope_of(request)
    form = CorrectionForm(request.POST)
    if form.is_valid():
        try:
            result = correction.correct_memory(
                request_id=request_id, memory_id=memory_id, scope=scope, **form.cleaned_data
            )
        except (InvalidField, SecretDetected, CategoryNotAllowed) as refusal:
            form.add_error("text", refusal.detail)
        else:
            if result.outcome == "quarantined":
                messages.warning(request, "The new text waits in the review queue.")
            else:
                messages.success(request, "Corrected: a new version was written.")
            return redirect("console:subject_request", request_id=request_id)
    memory = correction.memory_to_correct(request_id=request_id, memory_id=memory_id, scope=scope)
    return _page(request, request_id, memory, form, status=400)


def _page(
    request: HttpRequest, request_id: UUID, memory: OpenedMemory, form: CorrectionForm, *, status: int = 200
) -> HttpResponse:
    context = {"memory": memory, "request_id": request_id, "form": form}
    return render(request, "console/subject_request_correct.html", context, status=status)
