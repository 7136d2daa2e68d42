"""Members of staff: invite, renew the access of, suspend. A one-time link is shown once only."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from console.access import Ability, actor_of, request_id_of, staff_page
from console.forms import InviteForm
from console.staff import Invitation, create_staff, list_staff, renew_access, suspend_staff
from vault.errors import InvalidField


@staff_page(Ability.STAFF_CHANGE)
def staff_list(request: HttpRequest) -> HttpResponse:
    return render(request, "console/staff.html", {"members": list_staff(), "form": InviteForm()})


@staff_page(Ability.STAFF_CHANGE, method="POST", confirm=True)
def invite(request: HttpRequest) -> HttpResponse:
    form = InviteForm(request.POST)
    if form.is_valid():
        try:
            invitation = create_staff(
                email=form.cleaned_data["email"],
                role=form.cleaned_data["role"],
                actor=actor_of(request),
                request_id=request_id_of(request),
            )
        except InvalidField as error:
            form.add_error("email", error.detail)
        else:
            return _show_link(request, invitation)
    return render(request, "console/staff.html", {"members": list_staff(), "form": form}, status=400)


@staff_page(Ability.STAFF_CHANGE, method="POST", confirm=True)
def renew(request: HttpRequest, staff_id: int) -> HttpResponse:
    invitation = renew_access(staff_id=staff_id, actor=actor_of(request), request_id=request_id_of(request))
    return _show_link(request, invitation)


@staff_page(Ability.STAFF_CHANGE, method="POST", confirm=True)
def suspend(request: HttpRequest, staff_id: int) -> HttpResponse:
    suspend_staff(staff_id=staff_id, actor=actor_of(request), request_id=request_id_of(request))
    messages.success(request, "Suspended: open sessions end with the next click.")
    return redirect("console:staff")


def _show_link(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    return render(request, "console/invitation.html", {"invitation": invitation})
