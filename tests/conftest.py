"""What every test may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.db.models.signals import post_migrate
from django.test import TransactionTestCase, override_settings
from hypothesis import HealthCheck, settings

from tests.emptying import empty_tables
from tests.model_server import FakeModel
from vault.crypto import open_vault
from vault.crypto.providers import FileRootKey
from vault.types import ModelUse

# Inside the one transaction that most tests run in, the scope that one service opened is still open for the next, and
# nothing is ever committed. With this, every test commits: `make test-commits`.
COMMITS = os.environ.get("VAULT_TESTS_COMMIT") == "1"

# How long an example takes, or how long it takes to think of one, says how busy the machine is.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The owner's connection is open to every test that may use the database: it makes and empties it."""
    for item in items:
        mark = item.get_closest_marker("django_db")
        if mark is not None:
            given = {"databases": "__all__", **mark.kwargs}
            given |= {"transaction": True} if COMMITS else {}
            item.add_marker(pytest.mark.django_db(**given), append=False)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """The runtime role's connection is shut before the owner drops the database.

    The framework's own permissions, which the vault does not ask for, would be made anew whenever tables were emptied.
    """
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield
    connections.close_all()


@pytest.fixture(scope="session")
def owner_database_url() -> str:
    return os.environ["DATABASE_URL"]


@pytest.fixture(scope="session", autouse=True)
def _keys() -> None:
    """A keystore and a root key for this process."""
    open_vault(
        keystore=os.environ["KEYSTORE_URL"],
        root=FileRootKey(Path(os.environ["ROOT_KEY_FILE"]), create=True),
        create=True,
    )


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """The slow hash of passwords took a third of the console's time in tests, and none is about it but one."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient_screening() -> Iterator[None]:
    """A busy machine must not decide whether a write is set aside; what has to run out of time says so."""
    with override_settings(SCREENING_BUDGET_SECONDS=60.0):
        yield


@pytest.fixture
def model(settings: Any) -> Iterator[FakeModel]:
    """A language model on loopback that may be asked for everything."""
    fake = FakeModel()
    settings.LANGUAGE_MODEL_URL = fake.url
    settings.LANGUAGE_MODEL_USES = frozenset(ModelUse)
    # A busy machine must not decide; what has to run out of time says so.
    settings.LANGUAGE_MODEL_SECONDS = 30.0
    yield fake
    fake.close()
