"""The contract as a document, and the page to browse it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from vault.api.views.documents import openapi_document

COMMITTED = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
AGAIN = "manage.py spectacular --format openapi-json --file docs/openapi.json"

pytestmark = pytest.mark.django_db


def test_the_committed_document_is_the_one_that_is_served():
    served = Client().get("/api/v1/openapi.json").json()

    assert json.loads(COMMITTED.read_text(encoding="utf-8")) == served, f"The contract moved; run {AGAIN}"


def test_the_document_is_openapi_3_1():
    assert openapi_document()["openapi"].startswith("3.1")


def test_every_operation_says_how_it_refuses():
    for path, operations in openapi_document()["paths"].items():
        for operation in operations.values():
            assert "default" in operation["responses"], path


def test_every_body_takes_no_unknown_field():
    schemas = openapi_document()["components"]["schemas"]

    assert all(
        schema["additionalProperties"] is False for name, schema in schemas.items() if name.endswith("In")
    )


def test_the_page_runs_no_inline_script_and_asks_no_other_host():
    page = Client().get("/api/v1/docs")
    html = page.content.decode()

    assert page.status_code == 200
    assert "script-src 'self'" in page["Content-Security-Policy"]
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == []
    assert re.findall(r"\bon\w+=|style=|<style", html) == []
    assert re.findall(r"""(?:src|href)=["'](?:https?:)?//""", html) == []


def test_every_file_of_the_page_is_there():
    html = Client().get("/api/v1/docs").content.decode()

    files = re.findall(r'(?:src|href)="/static/([^"]+)"', html)
    assert len(files) == 4
    assert all(finders.find(file) for file in files)
