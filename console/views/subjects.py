"""Finding a subject and seeing all that is kept on it. The caller's own id never stands in an address."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ErasureForm, ReasonForm, SubjectLookupForm, SubjectPageForm
from vault.errors import NotFound
from vault.lifecycle.erasure import request_erasure
from vault.lifecycle.holds import ask_hold_release, get_hold, place_hold
from vault.lifecycle.subject_file import MEMORY_PAGE, find_subject_id, subject_file, subject_reference
from vault.lifecycle.visits import request_erasure_with_visits
from vault.types import Status

PAGE = "console:subject"


@staff_page(Ability.SUBJECT_READ)
def lookup_page(request: HttpRequest) -> HttpResponse:
    return render(request, "console/subjects.html", {"form": SubjectLookupForm()})


@staff_page(Ability.SUBJECT_READ, method="POST")
def look_up(request: HttpRequest) -> HttpResponse:
    """Find a subject by the caller's id and go on under the internal one."""
    form = SubjectLookupForm(request.POST)
    if form.is_valid():
        try:
            found = find_subject_id(external_id=form.cleaned_data["external_id"], scope=scope_of(request))
            return redirect(PAGE, subject_id=found)
        except NotFound:
            form.add_error("external_id", "The vault keeps nothing on a subject with exactly this id.")
    return render(request, "console/subjects.html", {"form": form}, status=404 if form.is_bound else 200)


@staff_page(Ability.SUBJECT_READ)
def subject_page(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = SubjectPageForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    status, page = Status(wanted.get("status") or Status.ACTIVE), wanted.get("page") or 1
    file = subject_file(subject_id=subject_id, scope=scope_of(request), status=status, page=page)
    context = {
        "file": file,
        "status": status.value,
        "statuses": [(each.value, file.by_status.get(each.value, 0)) for each in Status],
        "page": page,
        "next_page": page + 1 if page * MEMORY_PAGE < file.memories_total else None,
        "hold_end_form": ReasonForm(codes=words.HOLD_END_REASONS, auto_id="hold_end_%s"),
        "hold_form": ReasonForm(codes=words.HOLD_REASONS, auto_id="hold_%s"),
        "export_form": ReasonForm(codes=words.EXPORT_REASONS, auto_id="export_%s"),
        "erasure_form": ErasureForm(codes=words.ERASURE_REASONS, auto_id="erasure_%s"),
    }
    return render(request, "console/subject.html", context)


@staff_page(Ability.ERASURE_CHANGE, method="POST", back=PAGE)
def ask_erasure(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = ErasureForm(request.POST, codes=words.ERASURE_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the erasure.")
        return redirect(PAGE, subject_id=subject_id)
    scope = scope_of(request)
    asked = {
        "reason_code": form.cleaned_data["reason"],
        "evidence": form.cleaned_data["evidence"],
        "scope": scope,
    }
    if form.cleaned_data["with_visits"]:
        filed, visits = request_erasure_with_visits(subject_id=subject_id, **asked)
        text = (
            f"The request to erase was filed, and {visits} for later visits. A second person approves each."
        )
    else:
        filed = request_erasure(subject=subject_reference(subject_id=subject_id, scope=scope), **asked)
        text = "The request to erase was filed. A second person approves it."
    messages.success(request, text)
    return redirect("console:erasure", request_id=filed.pk)


@staff_page(Ability.HOLD_CHANGE, method="POST", back=PAGE)
def hold(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.HOLD_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the hold.")
        return redirect(PAGE, subject_id=subject_id)
    scope = scope_of(request)
    reference = subject_reference(subject_id=subject_id, scope=scope)
    place_hold(subject=reference, reason_code=form.cleaned_data["reason"], scope=scope)
    messages.success(request, "A legal hold was placed: nothing of this subject expires or is erased.")
    return redirect(PAGE, subject_id=subject_id)


@staff_page(Ability.SUBJECT_READ)
def hold_page(request: HttpRequest, hold_id: UUID) -> HttpResponse:
    """A hold is shown on the page of its subject."""
    return redirect(PAGE, subject_id=get_hold(hold_id=hold_id, scope=scope_of(request)).subject_id)


@staff_page(Ability.HOLD_CHANGE, method="POST", back="console:hold")
def lift_hold(request: HttpRequest, hold_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.HOLD_END_REASONS)
    if not form.is_valid():
        messages.error(request, "Choose a reason for the release.")
        return redirect("console:hold", hold_id=hold_id)
    asked = ask_hold_release(
        hold_id=hold_id, reason_code=form.cleaned_data["reason"], scope=scope_of(request)
    )
    messages.success(request, "The release was asked for. It happens when a second person approves it.")
    return redirect("console:approval", approval_id=asked.pk)
