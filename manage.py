#!/usr/bin/env python
"""The vault's commands. Without DATABASE_URL the embedded database runs for as long as the command does, or longer
while another one uses it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from types import FrameType

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from vault import embedded
from vault.admission import Ground, NoVaultHere, ground_of
from vault.env import env_number
from vault.home import (
    Home,
    UnusableHome,
    create_secrets,
    export_environment,
    home_from_environment,
    temporary_home,
)
from vault.occupancy import Occupied, occupied, require_no_orphans
from vault.running import DEFAULT_HOST, DEFAULT_PORT, CannotListen, require_free_port

REFUSALS = (
    CannotListen, embedded.DatabaseFault, ImproperlyConfigured, NoVaultHere, Occupied, UnusableHome,
)  # fmt: skip
ENDING = (signal.SIGTERM, signal.SIGHUP)
received: list[int] = []


def note(number: int, _: FrameType | None) -> None:
    received.append(number)


def leave(number: int, _: FrameType | None) -> None:
    """End with all that is left to be tidied: the embedded database, a scratch database."""
    sys.exit(128 + number)


def handle(
    numbers: Iterable[int], handler: signal.Handlers | Callable[[int, FrameType | None], object]
) -> None:
    for number in numbers:
        # One that is ignored on purpose (nohup) stays ignored.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")
    try:
        home = home_from_environment()
        ground = ground_of(sys.argv[1:], home, environment=os.environ)
        if ground is Ground.SERVED:
            port = env_number("PORT", DEFAULT_PORT)
            with occupied(home, act="up", port=port):
                require_no_orphans(home, say=partial(print, flush=True))
                # Said before anything is made, and after the programs of a killed vault have left it.
                require_free_port(host_of(sys.argv[1:]), port)
                run(home, ground)
        else:
            run(temporary_home() if ground is Ground.TEMPORARY else home, ground)
    except REFUSALS as refusal:
        sys.exit(str(refusal))


def host_of(arguments: list[str]) -> str:
    """Where `up` is to listen, before it is asked; what is wrong with its arguments it says itself."""
    for name, value in pairwise([*arguments, ""]):
        option, _, joined = name.partition("=")
        if option == "--host" and (joined or value):
            return joined or value
    return DEFAULT_HOST


def run(home: Home, ground: Ground) -> None:
    """Carry out what was typed, on this home."""
    if ground is not Ground.AS_IT_IS or "DATABASE_URL" not in os.environ:
        create_secrets(home)
    export_environment(home)
    if "DATABASE_URL" not in os.environ:
        # A request to end waits until the database is up: half started, nobody would stop it.
        handle((*ENDING, signal.SIGINT), note)
        embedded.attach_until_exit(home)
        handle((signal.SIGINT,), signal.default_int_handler)
    handle(ENDING, leave)
    if received:
        sys.exit(128 + received[0])
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
