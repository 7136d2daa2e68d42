"""The client stands alone: it could be copied out of this tree."""

from __future__ import annotations

import subprocess
import sys

LOAD = (
    "import sys, vault.client; print([n for n in sys.modules if n.startswith(('django', 'vault', 'audit'))])"
)


def test_the_client_loads_nothing_else_of_this_tree():
    loaded = subprocess.run([sys.executable, "-c", LOAD], check=True, capture_output=True, text=True).stdout

    names = set(eval(loaded))  # noqa: S307 - our own output
    assert all(name == "vault" or name.startswith("vault.client") for name in names)
