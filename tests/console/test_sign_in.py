from __future__ import annotations

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import global_settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import PermissionDenied
from django.test import Client, override_settings

from audit.log import Actor
from audit.models import AuditEntry
from console.accounts import StaffMFAAdapter
from console.staff import create_staff
from tests.console.people import PASSWORD, code_of, make_member
from vault import settings as shipped

pytestmark = pytest.mark.django_db(transaction=True)


def entries() -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "outcome", "reason"))


def invited() -> str:
    invitation = create_staff(email="ilse@vault.example", role="reviewer", actor=Actor("system", "tests"))
    return invitation.link.partition("/accounts/")[2]


def welcomed(client: Client) -> None:
    """Open the link and set the password."""
    client.get(f"/accounts/{invited()}")
    client.post("/accounts/welcome/", {"new_password1": PASSWORD, "new_password2": PASSWORD})


def activate(client: Client) -> None:
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    secret = re.search(r'id="authenticator_secret">(\w+)<', page)[1]
    client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})


def sign_in(client: Client, staff, password: str = PASSWORD):
    return client.post("/accounts/login/", {"login": staff.email, "password": password})


def test_the_token_leaves_the_address_at_once(stranger):
    response = stranger.get(f"/accounts/{invited()}")

    assert response["Location"] == "/accounts/welcome/"


def test_the_link_leads_through_password_and_second_factor_to_the_console(stranger):
    welcomed(stranger)
    assert stranger.get("/console/queue/")["Location"] == "/accounts/2fa/totp/activate/"

    activate(stranger)

    assert stranger.get("/console/queue/").status_code == 200


def test_recovery_codes_are_shown_after_the_second_factor(stranger):
    welcomed(stranger)
    activate(stranger)

    page = stranger.get("/accounts/2fa/recovery-codes/").content.decode()

    assert len(re.findall(r"<code>\d{8}</code>", page)) == 10


def test_a_weak_password_does_not_use_up_the_link(stranger):
    stranger.get(f"/accounts/{invited()}")

    response = stranger.post("/accounts/welcome/", {"new_password1": "short", "new_password2": "short"})

    assert b"too short" in response.content
    assert stranger.get("/accounts/welcome/").status_code == 200


def test_a_link_that_is_not_valid_says_so_and_no_more(stranger):
    stranger.get("/accounts/welcome/made-up/")

    response = stranger.get("/accounts/welcome/")

    assert response.status_code == 404
    assert b"This link is not valid" in response.content


def test_a_password_alone_opens_nothing(stranger):
    staff, _ = make_member("reviewer")

    response = sign_in(stranger, staff)

    assert response["Location"] == "/accounts/2fa/authenticate/"
    assert stranger.get("/console/queue/")["Location"].startswith("/accounts/login/")


def test_password_and_code_open_the_console(stranger):
    staff, secret = make_member("reviewer")
    sign_in(stranger, staff)
    stranger.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})

    assert stranger.get("/console/queue/").status_code == 200


def test_a_code_works_once(stranger):
    staff, secret = make_member("reviewer")
    code = code_of(secret)
    other = Client()
    for client in (stranger, other):
        sign_in(client, staff)
        client.post("/accounts/2fa/authenticate/", {"code": code})

    assert other.get("/console/queue/").status_code == 302


def test_a_recovery_code_stands_in_for_a_lost_authenticator_once(stranger):
    staff, _ = make_member("reviewer")
    code = RecoveryCodes.activate(staff).get_unused_codes()[0]
    sign_in(stranger, staff)
    stranger.post("/accounts/2fa/authenticate/", {"code": code})

    assert stranger.get("/console/queue/").status_code == 200
    assert code not in Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()


def test_every_sign_in_and_every_failure_is_an_entry(stranger):
    staff, secret = make_member("reviewer")
    sign_in(stranger, staff, "wrong password here")
    sign_in(stranger, staff)
    stranger.post("/accounts/2fa/authenticate/", {"code": "000000"})
    stranger.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    stranger.post("/accounts/logout/")

    assert entries() == [
        ("staff.sign_in_failed", "denied", "password"),
        ("staff.sign_in_failed", "denied", "second_factor"),
        ("staff.signed_in", "ok", ""),
        ("staff.signed_out", "ok", ""),
    ]


def test_setting_up_is_on_record_step_by_step(stranger):
    welcomed(stranger)
    activate(stranger)

    assert [reason for action, _, reason in entries() if action == "staff.changed"] == [
        "password_set",
        "totp_added",
        "recovery_codes_added",
    ]


def test_an_unknown_address_fails_like_a_wrong_password(stranger):
    staff, _ = make_member("reviewer")
    known = sign_in(stranger, staff, "wrong password here")
    unknown = stranger.post(
        "/accounts/login/", {"login": "nobody@vault.example", "password": "wrong one here"}
    )

    assert known.status_code == unknown.status_code == 200
    assert re.findall(r'role="alert">.*?</div>', known.content.decode()) == re.findall(
        r'role="alert">.*?</div>', unknown.content.decode()
    )


def test_too_many_failures_lock_the_door_for_a_while(stranger):
    staff, _ = make_member("reviewer")
    for _ in range(5):
        sign_in(stranger, staff, "wrong password here")

    assert b"Too many failed login attempts" in sign_in(stranger, staff).content


def test_there_is_no_public_sign_up(stranger):
    response = stranger.post("/accounts/signup/", {"email": "x@vault.example", "password1": PASSWORD})

    assert b"By invitation only" in response.content


@pytest.mark.parametrize("path", ["password/reset/", "email/", "login/code/", "2fa/webauthn/signup/"])
def test_no_other_door_of_the_account_library_is_open(path, stranger):
    assert stranger.get(f"/accounts/{path}").status_code == 404


def test_the_key_of_an_authenticator_is_not_kept_in_clear():
    staff, secret = make_member("reviewer")

    assert secret not in str(Authenticator.objects.get(user=staff).data)


def test_a_second_factor_that_was_swapped_in_the_database_lets_nobody_in():
    with pytest.raises(PermissionDenied):
        StaffMFAAdapter().decrypt("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")


def test_passwords_are_kept_under_a_slow_salted_hash():
    """The suite has a quick one in its place; what ships is the framework's own."""
    assert "PASSWORD_HASHERS" not in vars(shipped)

    with override_settings(PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS):
        first, second = make_password(PASSWORD), make_password(PASSWORD)

    algorithm, iterations, *_ = first.split("$")
    assert (algorithm, int(iterations) >= 600_000, first != second) == ("pbkdf2_sha256", True, True)
