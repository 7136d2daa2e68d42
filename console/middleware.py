"""Headers of pages that may show personal text: kept by no cache, shared with no other window or origin."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GUARDED_PREFIXES = ("/console/", "/accounts/", "/privacy/")
PERMISSIONS = (
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), "
    "payment=(), usb=(), browsing-topics=(), "
    "publickey-credentials-get=(self), publickey-credentials-create=(self)"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Permissions-Policy": PERMISSIONS,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Not "no-referrer": browsers would then send no origin with forms either, and those are checked by it.
    "Referrer-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


class ConsoleHeadersMiddleware:
    """Set the headers on every answer under the console, the accounts and the public pages, errors included."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path.startswith(GUARDED_PREFIXES):
            for name, value in HEADERS.items():
                response.headers[name] = value
        return response
