"""Members of staff: invited by a one-time link, let in once they have a password and a second factor."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from audit.actions import Action
from audit.log import Actor, Target, record
from vault.errors import InvalidField, InvalidTransition, NotFound
from vault.models import Role, SignInLink, StaffUser

TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Invitation:
    """A member of staff and the link that lets them in once; the link is shown here and nowhere again."""

    staff: StaffUser
    link: str = field(repr=False)


def create_staff(*, email: str, role: str, actor: Actor, request_id: str = "") -> Invitation:
    """Add a member of staff and make their one-time link.

    Raises InvalidField for a bad or known address or an unknown role.
    """
    address = _address(email)
    if role not in Role.values:
        raise InvalidField("There is no such role.", pointer="/role")
    with transaction.atomic(durable=True):
        if StaffUser.objects.filter(email=address).exists():
            raise InvalidField("Somebody of the staff has this address.", pointer="/email")
        staff = StaffUser.objects.create_user(address, role=role)
        link = _new_link(staff)
        target = Target("staff", str(staff.pk))
        record(Action.STAFF_CREATED, actor=actor, target=target, request_id=request_id, role=str(role))
    return Invitation(staff, link)


def renew_access(*, staff_id: int, actor: Actor, request_id: str = "") -> Invitation:
    """A new one-time link for somebody who lost password or second factor; the old ones end, sessions too."""
    with transaction.atomic(durable=True):
        staff = _locked(staff_id)
        staff.set_unusable_password()
        staff.is_active = True
        staff.save(update_fields=["password", "is_active"])
        Authenticator.objects.filter(user=staff).delete()
        SignInLink.objects.filter(staff=staff, used_at=None).delete()
        link = _new_link(staff)
        target = Target("staff", str(staff.pk))
        record(
            Action.STAFF_CHANGED, actor=actor, target=target, request_id=request_id, reason="access_renewed"
        )
    return Invitation(staff, link)


def suspend_staff(*, staff_id: int, actor: Actor, request_id: str = "") -> StaffUser:
    """Shut somebody out at once; open sessions end with the next click. Nobody suspends themselves."""
    if actor == Actor("staff", str(staff_id)):
        raise InvalidTransition("You cannot suspend yourself.")
    with transaction.atomic(durable=True):
        staff = _locked(staff_id)
        staff.is_active = False
        staff.save(update_fields=["is_active"])
        SignInLink.objects.filter(staff=staff, used_at=None).delete()
        target = Target("staff", str(staff.pk))
        record(Action.STAFF_SUSPENDED, actor=actor, target=target, request_id=request_id)
    return staff


def invited_staff(*, token: str) -> StaffUser:
    """Whose link this is; raises NotFound for one that is unknown, used or out of date."""
    return _valid_link(token).staff


def accept_invitation(*, token: str, password: str, request_id: str = "") -> StaffUser:
    """Use up the link and set the password, which the caller has validated; raises NotFound as above."""
    with transaction.atomic(durable=True):
        link = _valid_link(token, lock=True)
        link.used_at = timezone.now()
        link.save(update_fields=["used_at"])
        staff = link.staff
        staff.set_password(password)
        staff.save(update_fields=["password"])
        actor, target = Actor("staff", str(staff.pk)), Target("staff", str(staff.pk))
        record(Action.STAFF_CHANGED, actor=actor, target=target, request_id=request_id, reason="password_set")
    return staff


def list_staff() -> tuple[StaffUser, ...]:
    """All members of staff, by address."""
    return tuple(StaffUser.objects.order_by("email"))


def _address(email: str) -> str:
    address = StaffUser.objects.normalize_email(email.strip()).lower()
    try:
        validate_email(address)
    except ValidationError:
        raise InvalidField("This is not an e-mail address.", pointer="/email") from None
    return address


def _locked(staff_id: int) -> StaffUser:
    try:
        return StaffUser.objects.select_for_update().get(pk=staff_id)
    except StaffUser.DoesNotExist:
        raise NotFound from None


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _new_link(staff: StaffUser) -> str:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires_at = timezone.now() + timedelta(hours=settings.SIGN_IN_LINK_HOURS)
    SignInLink.objects.create(staff=staff, token_hash=_hash(token), expires_at=expires_at)
    return settings.BASE_URL.rstrip("/") + reverse("staff_welcome", args=[token])


def _valid_link(token: str, *, lock: bool = False) -> SignInLink:
    links = SignInLink.objects.select_related("staff")
    if lock:
        links = links.select_for_update(of=("self",))
    try:
        return links.get(
            token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now(), staff__is_active=True
        )
    except SignInLink.DoesNotExist:
        raise NotFound from None
