#!/usr/bin/env python
"""The vault's commands. Without DATABASE_URL the embedded database runs for as long as the command does."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from vault import embedded
from vault.home import create_secrets, export_environment, home_from_environment


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")
    home = home_from_environment()
    embedded_database = "DATABASE_URL" not in os.environ
    if embedded_database or sys.argv[1:2] == ["up"]:
        create_secrets(home)
    export_environment(home)
    if embedded_database:
        embedded.attach_until_exit(home)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
