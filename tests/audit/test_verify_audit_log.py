"""The command, as an operator or a cron job meets it."""

from __future__ import annotations

import json

import pytest
from django.core.management import call_command

from tests.audit.tampering import ENTRY_AT

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@pytest.fixture
def configured(settings, witness, signer, monkeypatch):
    monkeypatch.setattr("audit.management.commands.verify_audit_log.configured_signer", lambda: signer)
    settings.AUDIT_WITNESS_FILE = str(witness)


@pytest.mark.usefixtures("configured")
def test_the_command_says_that_the_log_is_whole(grow, capsys):
    grow(3)

    call_command("verify_audit_log", "--json")

    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["size"]) == (True, 3)


@pytest.mark.usefixtures("configured")
def test_the_command_exits_with_1_and_names_the_fault(grow, tamper, capsys):
    grow(3)
    tamper(f"DELETE FROM audit_entry WHERE id = {ENTRY_AT}", [1])

    with pytest.raises(SystemExit) as ended:
        call_command("verify_audit_log", "--json")

    assert ended.value.code == 1
    fault = json.loads(capsys.readouterr().out)["fault"]
    assert (fault["code"], fault["seq"]) == ("entry_missing", 1)


@pytest.mark.usefixtures("configured")
def test_the_command_tells_people_where_the_fault_is(grow, tamper, capsys):
    grow(3)
    tamper(f"DELETE FROM audit_entry WHERE id = {ENTRY_AT}", [1])

    with pytest.raises(SystemExit):
        call_command("verify_audit_log")

    assert "FAULT entry_missing at entry 1" in capsys.readouterr().out
