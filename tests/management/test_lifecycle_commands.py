from __future__ import annotations

import base64
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from tests.factories import make_memory, staff_scope
from tests.lifecycle.test_erasure import approved, counts_of, erased
from vault.keys import key_vault
from vault.lifecycle.erasure import get_request
from vault.models import MemoryVersion, isolation

pytestmark = pytest.mark.django_db


def run(*arguments: object, **options: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, **options)
    return out.getvalue()


def exit_code_of(*arguments: object) -> tuple[int, str]:
    err = StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command(*map(str, arguments), stdout=StringIO(), stderr=err)
    return caught.value.code, err.getvalue()


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    make_memory(subject="S1")
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(erased("S1").certificate))
    return file


def test_a_good_certificate_passes(certificate: Path):
    assert "none left" in run("verify_certificate", certificate)


def test_a_certificate_is_checked_against_a_pinned_key_too(certificate: Path, tmp_path: Path):
    pinned = tmp_path / "keys.json"
    pinned.write_text(run("verify_certificate", "--print-keys"))

    assert json.loads(run("verify_certificate", certificate, "--public-keys", pinned, "--json"))["ok"]


def test_a_tampered_certificate_fails_and_the_fault_is_named(certificate: Path):
    document = json.loads(certificate.read_text())
    document["stores"][0]["erased"] += 1
    certificate.write_text(json.dumps(document))

    code, said = exit_code_of("verify_certificate", certificate)

    assert code == 1
    assert said.startswith("signature")


def test_a_certificate_under_another_key_fails(certificate: Path):
    key = base64.b64encode(bytes(32)).decode()

    assert exit_code_of("verify_certificate", certificate, f"--public-key=other={key}")[0] == 1


def test_the_printed_keys_are_the_vaults_own():
    printed = json.loads(run("verify_certificate", "--print-keys"))

    assert {k: base64.b64decode(v) for k, v in printed.items()} == key_vault().signer().public_keys()


def test_a_dry_run_counts_and_changes_nothing():
    subject = make_memory(subject="S1").row.subject

    counts = json.loads(run("erase_subject", "S1", "--dry-run", "--json"))

    assert counts["memories"] == 1
    assert counts_of(subject) == counts


def test_without_a_dry_run_a_request_waits_for_staff():
    subject = make_memory(subject="S1").row.subject

    report = json.loads(run("erase_subject", "S1", "--reason", "withdrawn_consent", "--json"))

    assert get_request(request_id=report["request"], scope=staff_scope()).status == "received"
    assert counts_of(subject)["memories"] == 1


def test_an_approved_request_can_be_executed_by_hand():
    make_memory(subject="S1")

    report = json.loads(run("erase_subject", "--execute", approved("S1").pk, "--json"))

    assert report["status"] == "done"


def test_the_command_executes_nothing_that_was_not_approved():
    subject = make_memory(subject="S1").row.subject
    request = json.loads(run("erase_subject", "S1", "--json"))["request"]

    with pytest.raises(CommandError, match="invalid_transition"):
        run("erase_subject", "--execute", request)

    assert counts_of(subject)["memories"] == 1


@pytest.mark.parametrize("arguments", [(), ("nobody",), ("nobody", "--dry-run")])
def test_no_subject_and_an_unknown_one_erase_nothing(arguments: tuple[str, ...]):
    subject = make_memory(subject="S1").row.subject

    with pytest.raises(CommandError):
        run("erase_subject", *arguments)

    assert counts_of(subject)["memories"] == 1


def test_whole_memories_pass():
    make_memory()

    assert json.loads(run("verify_memories", "--json")) == {
        "ok": True, "subjects": 1, "memories": 1, "versions": 1, "quarantined": 0, "sessions": 0, "turns": 0,
    }  # fmt: skip


def test_an_altered_memory_fails_and_is_named():
    memory = make_memory()
    with transaction.atomic():
        isolation.open_everything()
        MemoryVersion.objects.filter(memory=memory.row).update(ciphertext=b"\x01" * 60)

    code, said = exit_code_of("verify_memories")

    assert code == 1
    assert str(memory.row.pk) in said
