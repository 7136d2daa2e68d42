"""Feedback through the client, against a real vault over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.callers import token_for
from vault.client import NotFound, Vault

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def vault(live_server: Any) -> Iterator[Vault]:
    with Vault(live_server.url, token_for(), timeout_seconds=60, retries=0) as client:
        yield client


def test_a_word_counts_once_a_day(vault):
    written = vault.write(subject="S1", text="The depot opens at six", source="user")

    assert [vault.feedback(written.memory.id, useful=True) for _ in range(2)] == [True, False]
    assert (written.archived, written.memory.pinned) == ((), False)


def test_a_word_on_what_is_not_there_is_refused(vault):
    with pytest.raises(NotFound):
        vault.feedback("01900000-0000-7000-8000-000000000000", useful=True)
