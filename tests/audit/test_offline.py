"""An exported log checked without database and Django."""

from __future__ import annotations

import base64
import json
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from audit import merkle, offline
from audit.canonical import leaf_bytes
from audit.faults import AuditError, FaultCode
from audit.offline import verify_exported_log, verify_proof
from audit.proofs import inclusion_proof
from audit.tree_head import TreeHead, sign_head
from tests.audit.conftest import FakeSigner

SIGNER = FakeSigner()
LINES = [leaf_bytes(seq, {"action": "memory.read", "target_id": f"m-{seq}"}) + b"\n" for seq in range(9)]


def signed(size: int, lines: list[bytes] = LINES) -> str:
    frontier = merkle.Frontier()
    for line in lines[:size]:
        frontier.append(merkle.leaf_hash(line.rstrip(b"\n")))
    time = "2026-03-01T12:00:00.000000Z"
    return sign_head(TreeHead("log.example", size, frontier.root(), time, SIGNER.key_id), SIGNER)


def fault_of(lines: list[bytes], **options):
    with pytest.raises(AuditError) as fault:
        verify_exported_log(
            lines, **{"checkpoint": signed(9), "public_keys": SIGNER.public_keys(), **options}
        )
    return fault.value.code, fault.value.seq, fault.value.last


def altered(seq: int) -> list[bytes]:
    return [
        line.replace(b"m-%d" % seq, b"m-x") if number == seq else line for number, line in enumerate(LINES)
    ]


def test_an_exported_log_verifies_against_its_checkpoint():
    head = verify_exported_log(LINES, checkpoint=signed(9), public_keys=SIGNER.public_keys())

    assert head.size == 9


def test_an_altered_line_is_found():
    assert fault_of(altered(5)) == (FaultCode.CHECKPOINT_ROOT, 0, 8)


def test_older_checkpoints_narrow_the_place_of_an_altered_line():
    assert fault_of(altered(5), older=[signed(4), signed(6)]) == (FaultCode.CHECKPOINT_ROOT, 4, 5)


def test_a_missing_line_is_named():
    assert fault_of(LINES[:4] + LINES[5:]) == (FaultCode.MISSING, 4, 4)


def test_a_repeated_or_moved_line_is_named():
    assert fault_of([*LINES[:4], LINES[1], *LINES[5:]]) == (FaultCode.REORDERED, 4, 4)


def test_a_log_cut_short_is_named():
    assert fault_of(LINES[:6]) == (FaultCode.TRUNCATED, 6, 8)


def test_lines_that_nothing_signs_are_named():
    assert fault_of(LINES, checkpoint=signed(7)) == (FaultCode.UNSIGNED, 7, 7)


@pytest.mark.parametrize("line", [b"nonsense\n", b"[]\n", b"{}\n", b"\xff\n"])
def test_a_line_that_is_no_entry_is_named(line):
    assert fault_of([*LINES[:3], line, *LINES[4:]]) == (FaultCode.ALTERED, 3, 3)


def test_an_older_checkpoint_of_a_history_that_was_rewritten_is_found():
    older = signed(4, altered(2))

    assert fault_of(LINES, older=[older]) == (FaultCode.CHECKPOINT_ROOT, 0, 3)


def test_a_checkpoint_newer_than_the_log_is_left_aside():
    head = verify_exported_log(
        LINES[:7], checkpoint=signed(7), public_keys=SIGNER.public_keys(), older=[signed(9)]
    )

    assert head.size == 7


def test_an_empty_log_has_the_empty_root():
    fault = fault_of([], checkpoint=sign_head(TreeHead("o", 0, b"\0" * 32, "t", SIGNER.key_id), SIGNER))

    assert fault[0] is FaultCode.CHECKPOINT_ROOT


def test_a_forged_checkpoint_is_found():
    assert fault_of(LINES, public_keys=FakeSigner().public_keys())[0] is FaultCode.CHECKPOINT_SIGNATURE


@pytest.mark.parametrize("document", [{}, {"seq": 0}, {"seq": 0, "leaf": "", "hashes": 5, "checkpoint": ""}])
def test_what_is_no_proof_is_refused(document):
    with pytest.raises(AuditError) as fault:
        verify_proof(document, public_keys={})

    assert fault.value.code is FaultCode.PROOF


def test_a_key_is_given_as_id_and_base64():
    assert offline.read_key("k-1=AAEC") == ("k-1", b"\x00\x01\x02")
    with pytest.raises(ValueError, match="ID=BASE64"):
        offline.read_key("k-1=!")


def test_the_verifier_needs_no_django():
    program = "import sys, audit.offline; sys.exit('django' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def key_option() -> str:
    return f"test-1={base64.b64encode(SIGNER.public_keys()['test-1']).decode()}"


@pytest.fixture
def exported(tmp_path):
    (tmp_path / "log.jsonl").write_bytes(b"".join(LINES))
    (tmp_path / "checkpoint.txt").write_text(signed(9))
    (tmp_path / "witness.log").write_text("".join(json.dumps(signed(size)) + "\n" for size in (4, 6)))
    return tmp_path


def run(folder, *more: str) -> int:
    paths = (str(folder / "log.jsonl"), str(folder / "checkpoint.txt"))
    return offline.main(["log", *paths, "--key", key_option(), *more])


def test_the_program_reports_a_whole_log(exported, capsys):
    assert run(exported) == 0

    assert json.loads(capsys.readouterr().out)["size"] == 9


def test_the_program_names_a_fault_and_exits_with_1(exported, capsys):
    (exported / "log.jsonl").write_bytes(b"".join(altered(5)))

    assert run(exported, "--witness", str(exported / "witness.log")) == 1

    fault = json.loads(capsys.readouterr().err)
    assert (fault["code"], fault["seq"], fault["last"]) == ("checkpoint_root", 4, 5)


@pytest.mark.django_db(databases=["default", "owner"])
def test_the_program_checks_a_proof(grow, signer, tmp_path, capsys):
    grow(3)
    (tmp_path / "proof.json").write_text(json.dumps(inclusion_proof(1).document()))
    key = f"test-1={base64.b64encode(signer.public_keys()['test-1']).decode()}"

    assert offline.main(["proof", str(tmp_path / "proof.json"), "--key", key]) == 0

    assert json.loads(capsys.readouterr().out)["target_id"] == "m-1"


@pytest.mark.django_db(databases=["default", "owner"])
def test_what_the_vault_exports_verifies(grow, signer, tmp_path):
    grow(4)
    grow(5)
    log, checkpoint = tmp_path / "log.jsonl", tmp_path / "checkpoint.txt"

    call_command("export_audit_log", str(log), str(checkpoint), verbosity=0)

    with log.open("rb") as lines:
        head = verify_exported_log(lines, checkpoint=checkpoint.read_text(), public_keys=signer.public_keys())
    assert head.size == 9


@pytest.mark.django_db(databases=["default", "owner"])
def test_nothing_is_exported_before_the_first_checkpoint(tmp_path):
    with pytest.raises(CommandError, match="No checkpoint"):
        call_command("export_audit_log", str(tmp_path / "l"), str(tmp_path / "c"))


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_a_log_with_a_hole_is_not_exported_as_whole(grow, tamper, tmp_path):
    grow(3)
    tamper("DELETE FROM audit_entry WHERE target_id = 'm-1'")

    with pytest.raises(CommandError, match="entry_missing"):
        call_command("export_audit_log", str(tmp_path / "l"), str(tmp_path / "c"))
