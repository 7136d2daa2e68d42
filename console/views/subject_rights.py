"""One subject's rights: its verified contacts, its requests, and whether it is restricted."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ReasonForm
from console.request_forms import ContactForm
from vault.lifecycle.subject_rights import contacts, reading, restriction

PAGE = "console:subject_rights"


@staff_page(Ability.REQUEST_READ)
def rights_page(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    context = {
        "rights": reading.rights_of(subject_id=subject_id, scope=scope_of(request)),
        "contact_form": ContactForm(auto_id="contact_%s"),
        "restrict_form": ReasonForm(codes=words.RESTRICTION_REASONS, auto_id="restrict_%s"),
        "lift_form": ReasonForm(codes=words.LIFT_REASONS, auto_id="lift_%s"),
    }
    return render(request, "console/subject_request_rights.html", context)


@staff_page(Ability.REQUEST_CHANGE, method="POST", confirm=True, back=PAGE)
def add(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = ContactForm(request.POST)
    if form.is_valid():
        contacts.add_contact(subject_id=subject_id, email=form.cleaned_data["email"], scope=scope_of(request))
        messages.success(request, "The contact is registered: a link of proof can go there.")
    else:
        messages.error(request, "This is not an e-mail address.")
    return redirect(PAGE, subject_id=subject_id)


@staff_page(Ability.REQUEST_CHANGE, method="POST")
def remove(request: HttpRequest, contact_id: UUID) -> HttpResponse:
    subject_id = contacts.remove_contact(contact_id=contact_id, scope=scope_of(request))
    messages.success(request, "The contact was removed.")
    return redirect(PAGE, subject_id=subject_id)


@staff_page(Ability.REQUEST_CHANGE, method="POST", back=PAGE)
def restrict(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.RESTRICTION_REASONS)
    if form.is_valid():
        restriction.restrict_subject(
            subject_id=subject_id, reason_code=form.cleaned_data["reason"], scope=scope_of(request)
        )
        messages.success(request, "Restricted: nothing of this subject is served to any agent.")
    else:
        messages.error(request, "Choose a reason for the restriction.")
    return redirect(PAGE, subject_id=subject_id)


@staff_page(Ability.REQUEST_CHANGE, method="POST", confirm=True, back=PAGE)
def lift(request: HttpRequest, subject_id: UUID) -> HttpResponse:
    form = ReasonForm(request.POST, codes=words.LIFT_REASONS)
    if form.is_valid():
        restriction.lift_restriction(
            subject_id=subject_id, reason_code=form.cleaned_data["reason"], scope=scope_of(request)
        )
        messages.success(request, "The restriction is lifted: memories are served again.")
    else:
        messages.error(request, "Choose a reason for lifting it.")
    return redirect(PAGE, subject_id=subject_id)
