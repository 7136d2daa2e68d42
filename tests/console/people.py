"""Staff who are signed in, with a real second factor."""

from __future__ import annotations

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client

from tests.factories import make_staff
from vault.models import StaffUser

BACKEND = "django.contrib.auth.backends.ModelBackend"
PASSWORD = "long enough to be one"
STEP_SECONDS = 30


def make_member(role: str, **fields: str) -> tuple[StaffUser, str]:
    """A member of staff with a password and an authenticator app; also the app's key."""
    staff = make_staff(role=role, **fields)
    staff.set_password(PASSWORD)
    staff.save()
    secret = generate_totp_secret()
    TOTP.activate(staff, secret)
    return staff, secret


def at_the_console(role: str) -> Client:
    """A browser in which a member of staff has signed in; `client.staff` is who."""
    staff, secret = make_member(role)
    client = Client()
    client.force_login(staff, backend=BACKEND)
    client.staff, client.secret = staff, secret  # type: ignore[attr-defined]
    return client


def confirm(client: Client) -> Client:
    """As if they had just given their password again."""
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(client.staff.pk)  # type: ignore[attr-defined]
    session.save()
    return client


def code_of(secret: str, *, steps_ahead: int = 0) -> str:
    """What the authenticator app shows now, or some steps from now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // STEP_SECONDS + steps_ahead))


def has_factor(staff: StaffUser) -> bool:
    return Authenticator.objects.filter(user=staff, type=Authenticator.Type.TOTP).exists()
