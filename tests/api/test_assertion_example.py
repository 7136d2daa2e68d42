"""The example of the documentation signs what the vault takes, with nothing but `cryptography`."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.lifecycle.subject_rights.people import Application
from vault.sessions.identity import session_audience

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sessions.md"


def example() -> str:
    found = re.search(r"```python\n(.*?def assertion\(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.django_db(transaction=True)
def test_what_it_signs_starts_a_session(agent, tmp_path):
    application = Application("support-bot")
    key_file = tmp_path / "private.pem"
    key_file.write_bytes(application.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    names: dict[str, Any] = {}
    exec(compile(example(), str(PAGE), "exec"), names)  # noqa: S102 - our own page, as its reader would run it

    signed = names["assertion"](key_file, str(application.key.pk), "S1", session_audience("default"))

    assert agent.post("/sessions", {"assertion": signed}).json()["subject"] == "S1"


def test_it_needs_nothing_else():
    imports = [
        name
        for node in ast.walk(ast.parse(example()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names])
    ]

    outside = {str(name).partition(".")[0] for name in imports} - set(sys.stdlib_module_names)
    assert outside == {"cryptography"}
