"""Where the vault of a home can be reached on this machine, while `manage.py up` runs it."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from vault.home import Home

DEFAULT_PORT = 8000
HIGHEST_PORT = 65535
DEFAULT_HOST = "127.0.0.1"
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - read, not listened on


class CannotListen(Exception):
    """Nothing can listen there; the text is one line for the operator."""


def require_free_port(host: str, port: int) -> None:
    """Raises CannotListen when a web server would not get this address."""
    if not 0 < port <= HIGHEST_PORT:
        raise CannotListen(f"PORT={port} is no port; set it to a number from 1 to {HIGHEST_PORT}.")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"{host} is no address of a machine; give --host another one.") from None
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as fault:
            if fault.errno == errno.EADDRINUSE:
                raise CannotListen(f"Port {port} is taken; set PORT to another one.") from None
            raise CannotListen(f"Nothing can listen on {host}, port {port}: {fault.strerror}.") from None


@contextmanager
def address_noted(home: Home, *, host: str, port: int) -> Iterator[None]:
    """Keep the address in the home for the length of a block, so that other commands find the vault."""
    # Never written through a link that somebody put there.
    home.address.unlink(missing_ok=True)
    write = os.open(home.address, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(write, "w", encoding="utf-8") as stream:
        stream.write(f"http://{EVERYWHERE.get(host, host)}:{port}")
    try:
        yield
    finally:
        home.address.unlink(missing_ok=True)


def noted_address(home: Home) -> str | None:
    """The address of this home's vault; None when it does not run. One that fell without a word may still be noted."""
    try:
        return home.address.read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None
