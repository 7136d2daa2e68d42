"""A page that breaks is told to the operator, by type and place, and never by what it was about."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.test import Client

from console.views import conflicts
from vault.logs import without_exception_text
from vault.metrics import ERRORS
from vault.uncaught import CODE

pytestmark = pytest.mark.django_db

SAID = "MARZIPAN is what they said"


@pytest.fixture(autouse=True)
def _broken(monkeypatch, reviewer: Client) -> None:
    def broken(**_: object) -> None:
        raise LookupError(SAID)

    monkeypatch.setattr(conflicts, "list_conflicts", broken)
    reviewer.raise_request_exception = False


def lines_of(client: Client, caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    with caplog.at_level(logging.ERROR):
        assert client.get("/console/conflicts/", headers={"X-Request-Id": "r-77"}).status_code == 500
    named = [dict(record.msg) for record in caplog.records if record.name == "vault.uncaught"]  # type: ignore[arg-type]
    return [without_exception_text(None, "error", line) for line in named]


def test_a_page_that_breaks_leaves_one_line_under_its_request(reviewer, caplog):
    (line,) = lines_of(reviewer, caplog)

    assert (line["event"], line["code"], line["request_id"]) == ("request_failed", CODE, "r-77")
    assert (line["exception"], line["exception_at"].rpartition(":")[2]) == ("LookupError", "broken")


def test_the_line_is_written_without_what_the_exception_says(reviewer, caplog):
    assert SAID not in str(lines_of(reviewer, caplog))


def test_a_page_that_breaks_is_counted(reviewer):
    before = ERRORS.labels(CODE)._value.get()

    reviewer.get("/console/conflicts/")

    assert ERRORS.labels(CODE)._value.get() == before + 1
