"""The page to browse the API, in a real browser under the real content policy."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_api_can_be_browsed_and_asks_no_other_host(visit):
    visitor, hosts = visit(), set()
    visitor.page.on(
        "request", lambda request: hosts.add(request.url.split("/")[2]) if "://" in request.url else None
    )

    visitor.go("/api/v1/docs")

    assert visitor.sees("/api/v1/memories/search")
    assert hosts == {visitor.url.split("/")[2]}
