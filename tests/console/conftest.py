"""Members of staff at the console: one of each role, a second privacy officer, and a stranger."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from tests.console.people import at_the_console
from vault.models import Role


@pytest.fixture(autouse=True)
def _no_limits_from_other_tests(request: pytest.FixtureRequest) -> None:
    """The cache is a table, which no test's end empties; a test without a database has nothing to do with it."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        request.getfixturevalue("db")
        cache.clear()


@pytest.fixture
def reviewer(db: None) -> Client:
    return at_the_console(Role.REVIEWER)


@pytest.fixture
def officer(db: None) -> Client:
    return at_the_console(Role.PRIVACY_OFFICER)


@pytest.fixture
def second_officer(db: None) -> Client:
    return at_the_console(Role.PRIVACY_OFFICER)


@pytest.fixture
def auditor(db: None) -> Client:
    return at_the_console(Role.AUDITOR)


@pytest.fixture
def administrator(db: None) -> Client:
    return at_the_console(Role.ADMINISTRATOR)


@pytest.fixture
def stranger(db: None) -> Client:
    return Client()
