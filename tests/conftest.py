"""The suite runs on a real PostgreSQL: the one that DATABASE_URL names, or an embedded one of its own.

The embedded server and all keys live in a fresh folder that is gone afterwards.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest import Config, Item

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
    os.environ["AUDIT_WITNESS_FILE"] = str(home.witness.with_name(f"checkpoints{WORKER}.log"))
    os.environ["PYTHONWARNINGS"] = ""
    return home


HOME = _begin()
STARTED = False
if "DATABASE_URL" not in os.environ:
    STARTED = embedded.attach(HOME)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: Config) -> None:
    if STARTED and not WORKER:
        embedded.stop(HOME)
        shutil.rmtree(HOME.path, ignore_errors=True)


def pytest_collection_modifyitems(items: list[Item]) -> None:
    """The owner's connection is open to every test that may use the database: it makes and empties it."""
    for item in items:
        mark = item.get_closest_marker("django_db")
        if mark is not None and "databases" not in mark.kwargs:
            item.add_marker(pytest.mark.django_db(**{**mark.kwargs, "databases": "__all__"}), append=False)


@pytest.fixture(scope="session")
def owner_database_url() -> str:
    return os.environ["DATABASE_URL"]


@pytest.fixture(scope="session", autouse=True)
def _keys() -> Iterator[None]:
    """A keystore and a root key for this process."""
    from vault.crypto import open_vault
    from vault.crypto.providers import FileRootKey

    open_vault(
        keystore=os.environ["KEYSTORE_URL"], root=FileRootKey(Path(os.environ["ROOT_KEY_FILE"]), create=True), create=True
    )
    yield
