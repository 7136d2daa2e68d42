#!/usr/bin/env python
"""The vault's commands. Without DATABASE_URL the embedded database runs for as long as the command does."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType

from django.core.management import execute_from_command_line

from vault import embedded
from vault.home import create_secrets, export_environment, home_from_environment

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
    home = home_from_environment()
    embedded_database = "DATABASE_URL" not in os.environ
    if embedded_database or sys.argv[1:2] == ["up"]:
        create_secrets(home)
    export_environment(home)
    if embedded_database:
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
