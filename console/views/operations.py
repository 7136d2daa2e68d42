"""How the vault is run: key epochs, backups, jobs. What is asked for here, another administrator approves."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console import words
from console.access import Ability, scope_of, staff_page
from console.forms import ReasonForm
from vault.lifecycle.key_epoch import ask_key_epoch
from vault.operations.overview import operations_overview


@staff_page(Ability.OPERATION_READ)
def operations_page(request: HttpRequest) -> HttpResponse:
    return _page(request, _form(), status=200)


@staff_page(Ability.OPERATION_CHANGE, method="POST", confirm=True)
def ask_roll(request: HttpRequest) -> HttpResponse:
    form = _form(request)
    if not form.is_valid():
        return _page(request, form, status=400)
    approval = ask_key_epoch(reason_code=form.cleaned_data["reason"], scope=scope_of(request))
    messages.success(request, "Asked for. Another administrator has to approve it; then it is carried out.")
    return redirect("console:approval", approval_id=approval.pk)


def _form(request: HttpRequest | None = None) -> ReasonForm:
    return ReasonForm(request.POST if request else None, codes=words.KEY_EPOCH_REASONS)


def _page(request: HttpRequest, form: ReasonForm, *, status: int) -> HttpResponse:
    overview = operations_overview(scope=scope_of(request))
    return render(request, "console/operations.html", {"overview": overview, "form": form}, status=status)
