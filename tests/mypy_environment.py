"""A plugin of mypy that does one thing: it lets the Django plugin read the settings where there is no vault.

The settings stop without their secrets. Type checking opens nothing, so any words will do.
"""

from __future__ import annotations

import os

from mypy.plugin import Plugin

UNUSED = {
    "DATABASE_URL": "postgresql:///type-checking",
    "DATABASE_RUNTIME_PASSWORD": "unused",
    "METRICS_TOKEN": "unused",
    "SECRET_KEY": "unused",
}


def plugin(_version: str) -> type[Plugin]:
    for name, value in UNUSED.items():
        if f"{name}_FILE" not in os.environ:
            os.environ.setdefault(name, value)
    return Plugin
