"""The one-time link: the token leaves the address at once, a password is set, a second factor comes next."""

from __future__ import annotations

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from console.access import request_id_of
from console.staff import accept_invitation, invited_staff
from vault.errors import NotFound

SESSION_KEY = "welcome_token"


@require_GET
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """Keep the token in the session and go on without it, so that no Referer or history carries it."""
    request.session[SESSION_KEY] = token
    return redirect("staff_welcome_password")


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def set_password(request: HttpRequest) -> HttpResponse:
    """Set the password; the link is used up by that, not by looking at the page."""
    token = str(request.session.get(SESSION_KEY, ""))
    try:
        staff = invited_staff(token=token)
        form = SetPasswordForm(staff, request.POST or None)
        if request.method != "POST" or not form.is_valid():
            return render(request, "account/welcome.html", {"form": form, "staff": staff})
        staff = accept_invitation(
            token=token, password=form.cleaned_data["new_password1"], request_id=request_id_of(request)
        )
    except NotFound:
        return render(request, "account/link_invalid.html", status=404)
    request.session.pop(SESSION_KEY, None)
    record_authentication(request, staff, method="password", reauthenticated=True)
    answer: HttpResponse = perform_login(
        request, Login(user=staff, redirect_url=reverse("mfa_activate_totp"))
    )
    return answer
