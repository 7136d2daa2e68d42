"""A key of an application is accepted once, also when two register it at the same moment."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.utils import timezone

from audit.log import Actor
from vault.errors import InvalidField
from vault.lifecycle.subject_rights.assertion_keys import register_key
from vault.models import Agent, AssertionKey

pytestmark = pytest.mark.django_db(transaction=True)

OPERATOR = Actor("system", "tests")
RAW = bytes(range(32))
AGENTS = [f"app-{number}" for number in range(6)]


@pytest.fixture(autouse=True)
def agents():
    for name in AGENTS:
        Agent.objects.create(name=name)


def test_of_many_at_once_one_registers_a_key():
    start = Barrier(len(AGENTS))

    def register(agent: str) -> bool:
        start.wait()
        try:
            register_key(agent=agent, public_key=base64.b64encode(RAW).decode(), actor=OPERATOR)
        except InvalidField:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(len(AGENTS)) as pool:
        registered = list(pool.map(register, AGENTS))

    assert registered.count(True) == AssertionKey.objects.count() == 1


def test_the_database_takes_no_second_row_that_is_accepted():
    first, second, *_ = Agent.objects.all()
    AssertionKey.objects.create(agent=first, public_key=RAW, created_at=timezone.now())

    with pytest.raises(IntegrityError, match="one_accepted_key"), transaction.atomic():
        AssertionKey.objects.create(agent=second, public_key=RAW, created_at=timezone.now())
    assert connection.is_usable()
