"""Callers for the tests of the API: an owner, a teammate and a stranger."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.api.callers import Caller, token_for
from vault.retrieval.scope import Right


@pytest.fixture
def agent(db: None) -> Caller:
    """An agent with every right on the namespace `default`."""
    return Caller(token_for())


@pytest.fixture
def stranger(db: None) -> Caller:
    """An agent with every right, on another namespace."""
    return Caller(token_for("stranger", "elsewhere"))


@pytest.fixture
def reader(db: None) -> Caller:
    """An agent that may read the namespace `default` and nothing else."""
    return Caller(token_for("reader", scopes=[Right.MEMORY_READ]))


@pytest.fixture
def caller_for(db: None) -> Callable[..., Caller]:
    """Make a caller with given rights."""
    return lambda *args, **kwargs: Caller(token_for(*args, **kwargs))
