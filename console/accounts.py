"""How staff come in: by invitation only, by password and a second factor, and never through a public form."""

from __future__ import annotations

import base64
import os

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from vault.models import StaffUser

NONCE_BYTES = 12
KEY_BYTES = 32


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
    """Second factors of staff: their secrets are sealed in the database under a key from SECRET_KEY."""

    def encrypt(self, text: str) -> str:
        nonce = os.urandom(NONCE_BYTES)
        return base64.b64encode(nonce + _cipher().encrypt(nonce, text.encode(), None)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises PermissionDenied for what this vault did not seal: such a factor lets nobody in."""
        sealed = base64.b64decode(encrypted_text)
        try:
            return _cipher().decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], None).decode()
        except InvalidTag:
            raise PermissionDenied from None


def _cipher() -> AESGCM:
    secret = settings.SECRET_KEY.encode()
    derived = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=b"memory-vault second factors")
    return AESGCM(derived.derive(secret))
