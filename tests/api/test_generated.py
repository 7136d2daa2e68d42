"""Generated calls, good and bad, from the served document: no fault, and only answers that it describes."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.callers import token_for
from vault.api.views.documents import openapi_document

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = 4
TOO_LARGE, LINE_TOO_LONG = 413, 414
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
schema = schemathesis.openapi.from_dict(openapi_document())


@pytest.fixture
def headers(live_server: Any, settings: Any) -> dict[str, str]:
    return {"Authorization": f"Bearer {token_for()}"}


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_generated_calls_are_answered_as_described(case, live_server, headers):
    response = case.call(base_url=live_server.url, headers=headers)
    if response.status_code == LINE_TOO_LONG:
        # The test's own server refused the request line; the vault never saw it.
        return
    # A batch answers each of its writes by itself: a bad one is a problem among the results of a 200. A body that is
    # too large is refused before anybody reads what is wrong in it.
    is_refused_elsewhere = case.path.endswith("/batch") or response.status_code == TOO_LARGE
    checks = [check for check in CHECKS if not (is_refused_elsewhere and check is negative_data_rejection)]
    case.validate_response(response, headers=headers, checks=checks)
