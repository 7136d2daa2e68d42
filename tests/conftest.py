"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytest import Item

from vault.crypto import open_vault
from vault.crypto.providers import FileRootKey


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
def _keys() -> None:
    """A keystore and a root key for this process."""
    open_vault(
        keystore=os.environ["KEYSTORE_URL"], root=FileRootKey(Path(os.environ["ROOT_KEY_FILE"]), create=True), create=True
    )
