"""Where the vault of a home can be reached on this machine, while `manage.py up` runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from vault.home import Home

DEFAULT_PORT = 8000
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - read, not listened on


@contextmanager
def address_noted(home: Home, *, host: str, port: int) -> Iterator[None]:
    """Keep the address in the home for the length of a block, so that other commands find the vault."""
    write = os.open(home.address, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
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
