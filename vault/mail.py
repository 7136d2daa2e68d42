"""Mail goes to data subjects only, and only where an operator has set a server."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from vault.env import env_secret_or_none, env_text

NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"
MAIL_TIMEOUT_SECONDS = 20
MAIL_SECURITY: Mapping[str, tuple[int, Mapping[str, bool]]] = {
    "smtp": (25, {}),
    "smtp+tls": (587, {"EMAIL_USE_TLS": True}),
    "smtps": (465, {"EMAIL_USE_SSL": True}),
}


def mail_settings(url: str, *, backend: str = "") -> dict[str, object]:
    """Django's settings for a mail server's URL (smtp, smtp+tls or smtps); without one, mail goes nowhere.

    `backend` is another of Django's backends, for those who send their mail in another way.
    """
    if not url:
        return {"EMAIL_BACKEND": backend or NO_MAIL}
    parts = urlsplit(url)
    if parts.scheme not in MAIL_SECURITY or not parts.hostname:
        raise ImproperlyConfigured("A mail URL is smtp://, smtp+tls:// or smtps:// and names a host")
    port, security = MAIL_SECURITY[parts.scheme]
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_TIMEOUT": MAIL_TIMEOUT_SECONDS,
        **security,
    }


def mail_from_environment() -> dict[str, object]:
    """The settings of this process: EMAIL_URL (or EMAIL_URL_FILE), EMAIL_BACKEND, EMAIL_FROM."""
    sender = env_text("EMAIL_FROM", "Memory Vault <no-reply@localhost>")
    chosen = mail_settings(env_secret_or_none("EMAIL_URL"), backend=env_text("EMAIL_BACKEND"))
    return {**chosen, "DEFAULT_FROM_EMAIL": sender}
