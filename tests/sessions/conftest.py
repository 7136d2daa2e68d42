"""What tests of sessions share: patience with screening, and a caller."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import make_scope
from vault.retrieval.scope import Scope


@pytest.fixture(autouse=True)
def _patient_screening(settings: Any) -> None:
    settings.SCREENING_BUDGET_SECONDS = 60.0


@pytest.fixture
def scope() -> Scope:
    return make_scope()
