"""The demo's line to the vault: the public client, with the status of the last answer kept for the story."""

from __future__ import annotations

import httpx

from vault.client import Vault

TIMEOUT_SECONDS = 180.0


class Listening(httpx.HTTPTransport):
    """HTTP as ever; remembers what the last answer's status was."""

    status: int = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.status = response.status_code
        return response


class Line:
    """A client and the status of its last answer."""

    def __init__(self, url: str, token: str) -> None:
        self._transport = Listening()
        self.vault = Vault(url, token, timeout_seconds=TIMEOUT_SECONDS, transport=self._transport)

    @property
    def status(self) -> int:
        return self._transport.status


def is_up(url: str) -> bool:
    """Whether a vault answers there."""
    try:
        return httpx.get(f"{url.rstrip('/')}/readyz", timeout=10.0).status_code == 200
    except httpx.TransportError:
        return False
