"""Begins a test run: a vault home of its own, and a real PostgreSQL in it unless DATABASE_URL names another.

A pytest plugin (`-p tests.home`), because the settings are read before any conftest is.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from vault import embedded
from vault.home import Home, create_secrets, export_environment

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")


def _begin() -> Home:
    """Give this process a vault home; a worker of pytest-xdist shares its parent's server."""
    if "TEST_VAULT_HOME" not in os.environ:
        os.environ["TEST_VAULT_HOME"] = tempfile.mkdtemp(prefix="vault-tests-")
    home = Home(Path(os.environ["TEST_VAULT_HOME"]))
    os.environ["VAULT_HOME"] = str(home.path)
    create_secrets(home)
    export_environment(home)
    # Each worker has its own keystore: a test that destroys keys must not meet another's.
    os.environ["KEYSTORE_URL"] = str(home.keystore.with_name(f"keystore{WORKER}.sqlite3"))
    os.environ["ROOT_KEY_FILE"] = str(home.keys / f"root_key{WORKER}")
    os.environ["KEYSTORE_BACKUP_FILE"] = str(home.keystore_copy.with_name(f"copy{WORKER}.sqlite3"))
    os.environ["BACKUP_FOLDER"] = str(home.backups / WORKER)
    os.environ["AUDIT_WITNESS_FILE"] = str(home.witness.with_name(f"checkpoints{WORKER}.log"))
    return home


def _hurry() -> None:
    """The server of a test run need not survive a power cut: emptying tables then costs no wait for the disk."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("SELECT pg_reload_conf()")


HOME = _begin()
STARTED = "DATABASE_URL" not in os.environ and embedded.attach(HOME)
if STARTED:
    _hurry()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    if WORKER:
        return
    if STARTED:
        embedded.stop(HOME)
    shutil.rmtree(HOME.path, ignore_errors=True)
