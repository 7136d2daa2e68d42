"""Figures for Prometheus: what they count, and that no label tells of anybody."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from tests.api.callers import Caller, token_for
from vault.metrics import exposition

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent():
    return Caller(token_for())


def figures():
    """{(name, labels): value} of everything that is exposed now."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(exposition().decode())
        for sample in family.samples
    }


def moved(before, name, **labels):
    key = (name, tuple(sorted(labels.items())))
    return figures().get(key, 0) - before.get(key, 0)


def test_an_answer_is_timed_under_the_pattern_of_its_route(agent):
    before = figures()

    agent.get("/memories/01990000-0000-7000-8000-000000000000")

    labels = {"method": "GET", "route": "api/v1/memories/<uuid:memory_id>", "status": "4xx"}
    assert moved(before, "vault_request_seconds_count", **labels) == 1


def test_an_address_that_matches_nothing_is_no_label():
    before = figures()

    Client().get("/ZEBRA-CANARY-771")

    assert moved(before, "vault_request_seconds_count", method="GET", route="unmatched", status="4xx") == 1


def test_verdicts_are_counted_by_outcome(agent):
    before = figures()

    agent.write("The depot opens at six.")
    agent.write("The depot opens at six.")
    agent.write("password: " + "-".join(["Gr4vel", "Otter", "19"]))

    for outcome in ("created", "merged", "refused"):
        assert moved(before, "vault_write_verdicts_total", outcome=outcome) == 1


def test_searches_are_counted_as_hits_and_misses(agent):
    agent.written("The depot opens at six.")
    before = figures()

    agent.post("/memories/search", {"subject": "S1", "query": "depot"})
    agent.post("/memories/search", {"subject": "S1", "query": "zeppelin", "mode": "keyword"})

    assert moved(before, "vault_retrievals_total", result="hit") == 1
    assert moved(before, "vault_retrievals_total", result="miss") == 1
    assert moved(before, "vault_retrieval_seconds_count", mode="keyword") == 1


def test_errors_are_counted_by_code(agent):
    before = figures()

    agent.get("/memories?subject=nobody")

    assert moved(before, "vault_errors_total", code="not_found") == 1


def test_stores_have_rows_and_bytes(agent):
    names = {(name, dict(labels).get("store")) for name, labels in figures()}

    assert ("vault_store_bytes", "vault_memory") in names
    assert ("vault_store_rows", "audit_entry") in names
    assert ("vault_quarantine_depth", None) in names


def test_no_label_tells_of_anybody(agent):
    agent.write("ZEBRA-CANARY-771", subject="ZEBRA-CANARY-771")
    agent.get("/memories?subject=ZEBRA-CANARY-771&ZEBRA-CANARY-771=1")
    agent.get("/subjects/ZEBRA-CANARY-771")

    text = exposition().decode()
    assert "ZEBRA" not in text
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-7", text)


def test_processes_add_up_in_a_shared_folder(tmp_path):
    count = "from prometheus_client import Counter; Counter('shared', 'x').inc()"
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-c", count], check=True, env={"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        )

    from django.test import override_settings  # noqa: PLC0415

    with override_settings(PROMETHEUS_FOLDER=str(tmp_path)):
        assert ("shared_total", ()) in figures()
        assert figures()[("shared_total", ())] == 2
