"""Which home a command runs on: it makes one, needs one that is there, or does with one for its own length.

So that a mistyped VAULT_HOME makes no second, empty vault. Decided before the settings are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from vault.home import Home

SERVES = "up"
RESTORES = "restore"
# They measure in a scratch vault, or look at the code alone: nothing of a home's own is read or changed.
NEED_NONE = frozenset({"bench", "check", "evaluate", "help", "makemigrations", "spectacular", "version"})
ASKS_FOR_HELP = frozenset({"-h", "--help", "--version"})


class Ground(StrEnum):
    AS_IT_IS = "as it is"
    MADE = "made where it is missing"
    SERVED = "made where it is missing, and held alone"
    TEMPORARY = "gone with the command"


class NoVaultHere(Exception):
    """The home holds no vault; the text is one line for the operator."""


def ground_of(arguments: list[str], home: Home, *, environment: Mapping[str, str]) -> Ground:
    """What `arguments` (without the program's name) run on; makes nothing. Raises NoVaultHere.

    A home is made by `up`, and by `restore` where the root key was put: without it no backup opens.
    """
    command = arguments[0] if arguments else "help"
    only_help = not ASKS_FOR_HELP.isdisjoint(arguments)
    if command == SERVES and not only_help:
        return Ground.SERVED
    if not home.is_new:
        return Ground.AS_IT_IS
    if "DATABASE_URL" in environment:
        return _beside_a_database(home, environment)
    if command in NEED_NONE or only_help:
        return Ground.TEMPORARY
    if command == RESTORES and Path(environment.get("ROOT_KEY_FILE") or home.root_key).exists():
        return Ground.MADE
    raise NoVaultHere(_nothing_in(home))


def _beside_a_database(home: Home, environment: Mapping[str, str]) -> Ground:
    """With a database of the operator's own the secrets may all be given, and the home need not be there."""
    if environment.get("SECRET_KEY") or environment.get("SECRET_KEY_FILE"):
        return Ground.AS_IT_IS
    raise NoVaultHere(_nothing_in(home))


def _nothing_in(home: Home) -> str:
    return (
        f"There is no vault in {home.path}; nothing was made. "
        "`make run` makes one. If yours is elsewhere, set VAULT_HOME to it."
    )
