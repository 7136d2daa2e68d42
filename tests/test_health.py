"""/livez, /readyz and who may read /metrics."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from vault import health
from vault.crypto import KeystoreUnavailable

pytestmark = pytest.mark.django_db(databases="__all__")


def failing(error: Exception) -> Any:
    def check() -> None:
        raise error

    return check


def test_a_process_that_answers_is_alive():
    assert Client().get("/livez").json() == {"status": "ok"}


def test_it_is_ready_when_all_its_parts_are():
    response = Client().get("/readyz")

    assert response.status_code == 200
    assert response.json()["checks"] == {"database": "ok", "keystore": "ok", "migrations": "ok"}


@pytest.mark.parametrize(
    ("part", "error"),
    [
        ("database", OperationalError("password of the server")),
        ("keystore", KeystoreUnavailable()),
        ("migrations", health.NotReadyError("migrations")),
    ],
)
def test_it_names_the_part_that_is_out(monkeypatch, part, error):
    monkeypatch.setitem(health.CHECKS, part, failing(error))

    response = Client().get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"][part] == "unavailable"
    assert "password" not in response.content.decode()


def test_health_needs_no_token_and_is_not_cached():
    assert "no-store" in Client().get("/readyz")["Cache-Control"]


def test_metrics_are_for_callers_on_this_machine():
    assert Client(REMOTE_ADDR="127.0.0.1").get("/metrics").status_code == 200


@pytest.mark.parametrize("origin", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}])
def test_metrics_are_for_nobody_else(origin):
    response = Client(**origin).get("/metrics")

    assert response.status_code == 401
    assert response.content == b""


def test_metrics_have_their_own_token(settings):
    client = Client(REMOTE_ADDR="192.0.2.7")
    good, bad = f"Bearer {settings.METRICS_TOKEN}", "Bearer wrong"

    assert client.get("/metrics", headers={"Authorization": good}).status_code == 200
    assert client.get("/metrics", headers={"Authorization": bad}).status_code == 401
