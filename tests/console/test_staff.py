from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from audit.log import Actor
from audit.models import AuditEntry
from console.staff import accept_invitation, create_staff, invited_staff, renew_access, suspend_staff
from tests.console.people import PASSWORD, has_factor, make_member
from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.models import SignInLink, StaffUser

pytestmark = pytest.mark.django_db
OPERATOR = Actor("system", "tests")


def invite(email: str = "ilse@vault.example", role: str = "reviewer"):
    return create_staff(email=email, role=role, actor=OPERATOR)


def token_of(invitation) -> str:
    return invitation.link.rstrip("/").rpartition("/")[2]


def test_a_new_member_can_enter_by_the_link_alone():
    invitation = invite()

    assert not invitation.staff.has_usable_password()
    assert invited_staff(token=token_of(invitation)) == invitation.staff


def test_only_the_hash_of_the_link_is_kept():
    invitation = invite()

    assert token_of(invitation).encode() not in bytes(SignInLink.objects.get().token_hash)
    assert token_of(invitation) not in repr(invitation)


def test_the_link_works_once():
    token = token_of(invite())
    accept_invitation(token=token, password=PASSWORD)

    with pytest.raises(NotFound):
        accept_invitation(token=token, password=PASSWORD)


def test_looking_at_the_link_does_not_use_it_up():
    token = token_of(invite())
    invited_staff(token=token)

    assert accept_invitation(token=token, password=PASSWORD).check_password(PASSWORD)


def test_the_link_ends_with_its_time():
    token = token_of(invite())
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(NotFound):
        invited_staff(token=token)


def test_a_made_up_link_leads_nowhere():
    invite()

    with pytest.raises(NotFound):
        invited_staff(token="")


@pytest.mark.parametrize("email", ["ILSE@vault.example", "not an address", ""])
def test_a_known_or_bad_address_is_refused(email):
    invite()

    with pytest.raises(InvalidField):
        invite(email)


def test_an_unknown_role_is_refused():
    with pytest.raises(InvalidField):
        invite(role="owner")


def test_renewed_access_ends_password_factor_and_older_links():
    staff, _ = make_member("reviewer")
    first = renew_access(staff_id=staff.pk, actor=OPERATOR)
    renew_access(staff_id=staff.pk, actor=OPERATOR)
    staff.refresh_from_db()

    assert not staff.has_usable_password()
    assert not has_factor(staff)
    with pytest.raises(NotFound):
        invited_staff(token=token_of(first))


def test_a_suspended_member_s_link_does_not_work():
    invitation = invite()
    suspend_staff(staff_id=invitation.staff.pk, actor=OPERATOR)

    with pytest.raises(NotFound):
        invited_staff(token=token_of(invitation))


def test_nobody_suspends_themselves():
    staff = invite().staff

    with pytest.raises(InvalidTransition):
        suspend_staff(staff_id=staff.pk, actor=Actor("staff", str(staff.pk)))


def test_every_step_is_an_entry_without_the_address():
    invitation = invite()
    accept_invitation(token=token_of(invitation), password=PASSWORD)
    renew_access(staff_id=invitation.staff.pk, actor=OPERATOR)
    suspend_staff(staff_id=invitation.staff.pk, actor=OPERATOR)

    entries = AuditEntry.objects.order_by("pk")
    assert [(e.action, e.reason) for e in entries] == [
        ("staff.created", ""),
        ("staff.changed", "password_set"),
        ("staff.changed", "access_renewed"),
        ("staff.suspended", ""),
    ]
    assert "ilse" not in str(list(entries.values()))


def command(**options):
    out = StringIO()
    call_command("create_staff", email="ilse@vault.example", role="auditor", stdout=out, **options)
    return out.getvalue()


def test_the_command_prints_a_link_that_works():
    link = json.loads(command(as_json=True))["link"]

    assert invited_staff(token=link.rstrip("/").rpartition("/")[2]).role == "auditor"


def test_the_command_refuses_an_address_that_is_taken():
    command()

    with pytest.raises(CommandError):
        command()


def test_the_command_renews_the_access_of_a_member():
    command()
    command(renew=True)

    assert StaffUser.objects.count() == 1
