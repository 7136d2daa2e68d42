"""Sign-ins, failed ones and sign-outs as entries of the audit log: by id, never by address."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_logged_in as fully_signed_in
from allauth.mfa import signals as second_factor
from allauth.mfa.models import Authenticator
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.http import HttpRequest

from audit.actions import Action, Outcome
from audit.log import Actor, Target, record_alone
from vault.models import StaffUser

NOBODY = Actor("anonymous", "")


def connect() -> None:
    """Listen; safe to repeat."""
    fully_signed_in.connect(_signed_in, dispatch_uid="console.signed_in")
    user_logged_out.connect(_signed_out, dispatch_uid="console.signed_out")
    user_login_failed.connect(_password_failed, dispatch_uid="console.password_failed")
    second_factor.authentication_failed.connect(_factor_failed, dispatch_uid="console.factor_failed")
    second_factor.authenticator_added.connect(_factor_added, dispatch_uid="console.factor_added")
    second_factor.authenticator_removed.connect(_factor_removed, dispatch_uid="console.factor_removed")
    second_factor.authenticator_reset.connect(_factor_reset, dispatch_uid="console.factor_reset")


def _write(
    action: Action, staff: StaffUser | None, request: HttpRequest | None, *, reason: str = "", ok: bool = True
) -> None:
    """An attempt that failed was made by nobody we know, on the account that it names."""
    number = "" if staff is None else str(staff.pk)
    record_alone(
        action,
        actor=Actor("staff", number) if ok and staff is not None else NOBODY,
        target=Target("staff", number),
        outcome=Outcome.OK if ok else Outcome.DENIED,
        request_id=str(getattr(request, "vault_request_id", "")),
        reason=reason,
    )


def _signed_in(sender: Any, request: HttpRequest, user: StaffUser, **_: Any) -> None:
    _write(Action.STAFF_SIGNED_IN, user, request)


def _signed_out(sender: Any, request: HttpRequest, user: StaffUser | None, **_: Any) -> None:
    if user is not None:
        _write(Action.STAFF_SIGNED_OUT, user, request)


def _password_failed(sender: Any, credentials: dict[str, Any], request: HttpRequest | None, **_: Any) -> None:
    staff = StaffUser.objects.filter(email=str(credentials.get("email", "")).lower()).first()
    _write(Action.STAFF_SIGN_IN_FAILED, staff, request, reason="password", ok=False)


def _factor_failed(sender: Any, request: HttpRequest, user: StaffUser, **_: Any) -> None:
    _write(Action.STAFF_SIGN_IN_FAILED, user, request, reason="second_factor", ok=False)


def _factor_added(
    sender: Any, request: HttpRequest, user: StaffUser, authenticator: Authenticator, **_: Any
) -> None:
    _write(Action.STAFF_CHANGED, user, request, reason=f"{authenticator.type}_added")


def _factor_removed(
    sender: Any, request: HttpRequest, user: StaffUser, authenticator: Authenticator, **_: Any
) -> None:
    _write(Action.STAFF_CHANGED, user, request, reason=f"{authenticator.type}_removed")


def _factor_reset(sender: Any, request: HttpRequest, user: StaffUser, **_: Any) -> None:
    _write(Action.STAFF_CHANGED, user, request, reason="recovery_codes_renewed")
