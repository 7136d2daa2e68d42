"""What tests of sessions share: a caller."""

from __future__ import annotations

import pytest

from tests.factories import make_scope
from vault.retrieval.scope import Scope


@pytest.fixture
def scope() -> Scope:
    return make_scope()
