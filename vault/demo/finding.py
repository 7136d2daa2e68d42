"""Which vault the demo talks to: the one that runs from this home, wherever it listens."""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError

from vault.demo.line import is_up
from vault.home import Home
from vault.models import Agent
from vault.running import noted_address

SAME = "give this terminal the same VAULT_HOME and PORT"


class NoVault(Exception):
    """There is no vault to talk to; the text says what to set."""


def find_vault(asked: str | None, *, home: Home, usual: str, answers: Callable[[str], bool] = is_up) -> str:
    """The address that was asked for, else where this home's vault listens, else the usual one. Raises NoVault."""
    candidates = [asked] if asked else [noted_address(home), usual]
    for url in candidates:
        if url is not None and answers(url):
            return url
    where = asked or usual
    raise NoVault(
        f"No vault answers at {where}. Start one with `make run`. If one runs already, {SAME} that it was started "
        f"with (here the home is {home.path}), or name its address with --url."
    )


def require_data(home: Home) -> None:
    """Raise NoVault when this home's database holds no vault: then another home's answered."""
    try:
        Agent.objects.exists()
    except DatabaseError:
        raise NoVault(
            f"There is no vault in {home.path}: the one that answers runs from another folder. To use it, {SAME}."
        ) from None


def is_elsewhere(url: str, home: Home) -> str:
    """What to tell when the vault that answers does not know a credential of this home."""
    return (
        f"The vault at {url} does not run from {home.path}, and takes no credential of it. To use it, {SAME}."
    )
