"""How staff come in: by invitation only, by password and a second factor, and never through a public form."""

from __future__ import annotations

import base64

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from vault.crypto import associated_data
from vault.errors import IntegrityFault
from vault.keys import key_vault
from vault.models import StaffUser

# The library does not say whose secret it hands over, so it cannot be bound to a person.
CONTEXT = associated_data(what="second factor")


class StaffAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts of staff: no sign-up, no mail, no address to confirm."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return reverse("console:home")

    def reauthenticate(self, user: StaffUser, password: str) -> bool:
        """Check the password again, under the same limit of attempts as at sign-in."""
        # The stock check looks the address up in a table of confirmed addresses, which staff do not have.
        found = self.authenticate(self.request, email=user.email, password=password)
        return found is not None and found.pk == user.pk


class StaffMFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors of staff: their secrets stand in the database sealed under the vault's own key."""

    def encrypt(self, text: str) -> str:
        return base64.b64encode(key_vault().seal_system(text.encode(), context=CONTEXT)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises PermissionDenied for what this vault did not seal: such a factor lets nobody in."""
        try:
            return key_vault().open_system(base64.b64decode(encrypted_text), context=CONTEXT).decode()
        except IntegrityFault:
            raise PermissionDenied from None
