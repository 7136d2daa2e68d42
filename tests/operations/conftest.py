"""A vault with real rows, a folder for its backups, and an operator at its command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from audit.checkpoint import publish_checkpoint, seal_all
from audit.configured import configured_signer, configured_witness
from audit.verify import verify_log
from vault.home import Home
from vault.keys import key_vault

Operator = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, settings: Any) -> None:
    """A restore holds the home, and other processes of the test run restore too."""
    settings.HOME = Home(tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """Where the data is backed up to; the keystore's copy stands beside it."""
    settings.KEYSTORE_BACKUP_FILE = str(tmp_path / "keys" / "copy.sqlite3")
    settings.AUDIT_WITNESS_FILE = str(tmp_path / "witness" / "checkpoints.log")
    return tmp_path / "data"


@pytest.fixture
def operator() -> Operator:
    """Runs a command with --json and gives its answer."""

    def run(*arguments: object) -> dict[str, Any]:
        out = StringIO()
        call_command(*map(str, arguments), "--json", stdout=out)
        return dict(json.loads(out.getvalue()))

    return run


@pytest.fixture
def backed_up(folder: Path, operator: Operator) -> Callable[[], Path]:
    """Makes a backup of what is there now."""

    def make() -> Path:
        seal_all()
        publish_checkpoint()
        return Path(operator("backup", "--to", folder)["file"])

    return make


@pytest.fixture
def log_size() -> Callable[[], int]:
    """Seals and verifies the whole log against database and witness; its size."""

    def verified() -> int:
        seal_all()
        publish_checkpoint()
        return verify_log(public_keys=configured_signer().public_keys(), witness=configured_witness()).size

    return verified


@pytest.fixture
def current_epoch() -> Callable[[], int]:
    def epoch() -> int:
        return next(epoch.number for epoch in key_vault().epochs() if epoch.state == "current")

    return epoch
