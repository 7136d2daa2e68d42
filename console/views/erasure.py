"""Requests to erase a subject: seen, verified, approved by a second person or refused, and proved."""

from __future__ import annotations

import json
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_of, staff_page
from console.approvers import roles_with
from console.forms import ErasureFilterForm, ReasonForm
from vault.lifecycle.erasure import (
    approve_erasure,
    certificate_of,
    evidence_of,
    get_request,
    list_requests,
    preview_request,
    refuse_erasure,
    verify_request,
)
from vault.models import ErasureRequest, ErasureStatus
from vault.retrieval.scope import Scope

PAGE = "console:erasure"
STEPS = (
    ErasureStatus.RECEIVED,
    ErasureStatus.VERIFIED,
    ErasureStatus.APPROVED,
    ErasureStatus.EXECUTING,
    ErasureStatus.DONE,
)
UNDECIDED = (ErasureStatus.RECEIVED, ErasureStatus.VERIFIED, ErasureStatus.ON_HOLD)


@staff_page(Ability.ERASURE_READ)
def requests_page(request: HttpRequest) -> HttpResponse:
    form = ErasureFilterForm(request.GET)
    status = form.cleaned_data["status"] if form.is_valid() else ""
    rows = list_requests(scope=scope_of(request), status=ErasureStatus(status) if status else None)
    return render(
        request, "console/erasures.html", {"rows": rows, "status": status, "statuses": ErasureStatus.choices}
    )


@staff_page(Ability.ERASURE_READ)
def request_page(request: HttpRequest, request_id: UUID) -> HttpResponse:
    row = get_request(request_id=request_id, scope=scope_of(request))
    context = {
        "row": row,
        "steps": [(step, words.phrase(step), _is_past(step, row.status)) for step in STEPS],
        # What would go, while somebody has to decide about it.
        "goes": _what_goes(row, scope_of(request)),
        "roles": roles_with(Ability.ERASURE_CHANGE),
        "is_mine": row.requested_by == f"staff:{staff_of(request).pk}",
        "refuse_form": ReasonForm(codes=words.REFUSAL_GROUNDS, auto_id="refuse_%s"),
    }
    return render(request, "console/erasure.html", context)


@staff_page(Ability.ERASURE_CHANGE, method="POST", back=PAGE)
def show_evidence(request: HttpRequest, request_id: UUID) -> HttpResponse:
    """Open the sealed evidence; by POST, since it is a look at personal data that nothing may prefetch."""
    text = evidence_of(request_id=request_id, scope=scope_of(request))
    return render(request, "console/evidence.html", {"text": text, "request_id": request_id})


@staff_page(Ability.ERASURE_CHANGE, method="POST", back=PAGE)
def verify(request: HttpRequest, request_id: UUID) -> HttpResponse:
    verify_request(request_id=request_id, scope=scope_of(request))
    messages.success(request, "The request is verified. It waits for a second person's approval.")
    return redirect(PAGE, request_id=request_id)


@staff_page(Ability.ERASURE_CHANGE, method="POST", confirm=True, back=PAGE)
def approve(request: HttpRequest, request_id: UUID) -> HttpResponse:
    row = approve_erasure(request_id=request_id, scope=scope_of(request))
    if row.status == ErasureStatus.ON_HOLD:
        messages.warning(request, "A legal hold stands on the subject: the request waits for its end.")
    else:
        messages.success(request, "Approved. The erasure runs now and cannot be undone.")
    return redirect(PAGE, request_id=request_id)


@staff_page(Ability.ERASURE_CHANGE, method="POST", back=PAGE)
def refuse(request: HttpRequest, request_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.REFUSAL_GROUNDS)
    if not form.is_valid():
        messages.error(request, "Choose the ground on which the request is refused.")
        return redirect(PAGE, request_id=request_id)
    refuse_erasure(request_id=request_id, ground_code=form.cleaned_data["reason"], scope=scope_of(request))
    messages.success(request, "The request was refused.")
    return redirect(PAGE, request_id=request_id)


@staff_page(Ability.ERASURE_READ, back=PAGE)
def certificate_page(request: HttpRequest, request_id: UUID) -> HttpResponse:
    """The certificate on paper: the same facts as in the file that is signed."""
    certificate = certificate_of(request_id=request_id, scope=scope_of(request))
    return render(request, "console/certificate.html", {"certificate": certificate, "request_id": request_id})


@staff_page(Ability.ERASURE_READ, back=PAGE)
def certificate_file(request: HttpRequest, request_id: UUID) -> HttpResponse:
    certificate = certificate_of(request_id=request_id, scope=scope_of(request))
    body = json.dumps(certificate, ensure_ascii=False, indent=2)
    name = f"erasure-{request_id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(body, content_type="application/json", headers=headers)


def _what_goes(row: ErasureRequest, scope: Scope) -> list[tuple[str, int]]:
    """The stores that hold anything of the subject, with how many rows; empty once it is decided."""
    if row.status not in UNDECIDED:
        return []
    found = preview_request(request=row, scope=scope)
    return [(words.phrase(store), count) for store, count in found.items() if count]


def _is_past(step: str, status: str) -> bool:
    order = [each.value for each in STEPS]
    return status in order and order.index(step) < order.index(status)
