"""Requests of data subjects: the list with what is due, and one request with its next steps."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ReasonForm
from console.request_forms import RequestFilterForm
from vault.lifecycle.subject_file import subject_file
from vault.lifecycle.subject_rights import decisions, links, reading
from vault.lifecycle.subject_rights.due import Urgency
from vault.models import RequestKind, RequestStatus

PAGE = "console:subject_request"
STEPS = (
    RequestStatus.RECEIVED,
    RequestStatus.VERIFIED,
    RequestStatus.APPROVED,
    RequestStatus.EXECUTING,
    RequestStatus.DONE,
)


@staff_page(Ability.REQUEST_READ)
def requests_page(request: HttpRequest) -> HttpResponse:
    form = RequestFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {"status": "", "kind": "", "due": ""}
    found = reading.list_requests(
        scope=scope_of(request),
        kind=RequestKind(wanted["kind"]) if wanted["kind"] else None,
        status=RequestStatus(wanted["status"]) if wanted["status"] else None,
        due=Urgency(wanted["due"]) if wanted["due"] else None,
    )
    context = {
        "found": found,
        "wanted": wanted,
        "statuses": RequestStatus.values,
        "kinds": RequestKind.values,
        "due": [(each.value, found.by_urgency[each]) for each in (Urgency.OVERDUE, Urgency.DUE_SOON)],
        "can_send": links.can_send(),
    }
    return render(request, "console/subject_requests.html", context)


@staff_page(Ability.REQUEST_READ)
def request_page(request: HttpRequest, request_id: UUID) -> HttpResponse:
    scope = scope_of(request)
    file = reading.get_request(request_id=request_id, scope=scope)
    row = file.row
    correcting = row.kind == RequestKind.CORRECTION and row.status == RequestStatus.APPROVED
    context = {
        "file": file,
        "row": row,
        "steps": [(step, words.phrase(step), _is_past(step, row.status)) for step in STEPS],
        "is_open": row.status not in reading.OVER,
        "is_passed_on": row.erasure_id is not None or row.export_id is not None,
        "can_carry_on": row.duplicate_of_id is None
        and (row.status == RequestStatus.VERIFIED or _lost_its_file(file))
        and row.erasure_id is None
        and row.export_id is None,
        "can_refuse": row.duplicate_of_id is None
        and row.status in (RequestStatus.RECEIVED, RequestStatus.VERIFIED, RequestStatus.ON_HOLD),
        "memories": subject_file(subject_id=row.subject_id, scope=scope).memories if correcting else (),
        "is_correcting": correcting,
        "can_send": links.can_send(),
        "extend_form": ReasonForm(codes=words.EXTENSION_REASONS, auto_id="extend_%s"),
        "refuse_form": ReasonForm(codes=words.REFUSAL_GROUNDS, auto_id="refuse_%s"),
    }
    return render(request, "console/subject_request.html", context)


@staff_page(Ability.REQUEST_CHANGE, method="POST", back=PAGE)
def show_words(request: HttpRequest, request_id: UUID) -> HttpResponse:
    """Open what the subject wrote; by POST, since it is a look at personal data that nothing may prefetch."""
    found = reading.words_of(request_id=request_id, scope=scope_of(request))
    return render(request, "console/subject_request_words.html", {"found": found, "request_id": request_id})


@staff_page(Ability.REQUEST_CHANGE, method="POST", confirm=True, back=PAGE)
def hand_out(request: HttpRequest, request_id: UUID) -> HttpResponse:
    link = links.hand_out_link(request_id=request_id, scope=scope_of(request))
    return render(request, "console/subject_request_link.html", {"link": link, "request_id": request_id})


@staff_page(Ability.REQUEST_CHANGE, method="POST", confirm=True, back=PAGE)
def verify(request: HttpRequest, request_id: UUID) -> HttpResponse:
    receipt = decisions.verify_in_person(request_id=request_id, scope=scope_of(request))
    return render(request, "console/subject_request_number.html", {"receipt": receipt})


@staff_page(Ability.REQUEST_CHANGE, method="POST", back=PAGE)
def give_time(request: HttpRequest, request_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.EXTENSION_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose why it takes longer.")
        return redirect(PAGE, request_id=request_id)
    row = decisions.extend(
        request_id=request_id, reason_code=form.cleaned_data["reason"], scope=scope_of(request)
    )
    messages.success(request, f"The answer is due on {row.due_at:%Y-%m-%d} now. The subject sees why.")
    return redirect(PAGE, request_id=request_id)


@staff_page(Ability.REQUEST_CHANGE, method="POST", back=PAGE)
def deny(request: HttpRequest, request_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.REFUSAL_GROUNDS)
    if not form.is_valid():
        messages.error(request, "Choose the ground on which the request is refused.")
        return redirect(PAGE, request_id=request_id)
    decisions.refuse(request_id=request_id, ground_code=form.cleaned_data["reason"], scope=scope_of(request))
    messages.success(request, "The request was refused.")
    return redirect(PAGE, request_id=request_id)


@staff_page(Ability.REQUEST_CHANGE, method="POST", confirm=True, back=PAGE)
def go_on(request: HttpRequest, request_id: UUID) -> HttpResponse:
    row = decisions.carry_on(request_id=request_id, scope=scope_of(request))
    messages.success(request, CARRIED_ON[RequestKind(row.kind)])
    return redirect(PAGE, request_id=request_id)


@staff_page(Ability.REQUEST_CHANGE, method="POST", back=PAGE)
def end(request: HttpRequest, request_id: UUID) -> HttpResponse:
    decisions.finish(request_id=request_id, scope=scope_of(request))
    messages.success(request, "The correction is done.")
    return redirect(PAGE, request_id=request_id)


CARRIED_ON = {
    RequestKind.ACCESS: "Granted. The file is being made; the subject fetches it by the number.",
    RequestKind.CORRECTION: "Granted. Correct the memories, then say that it is done.",
    RequestKind.RESTRICTION: "The subject is restricted: nothing of it is served to any agent.",
    RequestKind.ERASURE: "The erasure is filed. A second person approves it.",
}


def _lost_its_file(file: reading.RequestFile) -> bool:
    return file.row.kind == RequestKind.ACCESS and file.row.status == RequestStatus.APPROVED


def _is_past(step: str, status: str) -> bool:
    order = [each.value for each in STEPS]
    return status in order and order.index(step) < order.index(status)
