"""The making of a file: by two people, sealed at rest, killed and begun anew, gone with its time and its subject."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_subject, staff_scope
from tests.lifecycle.access_export.making import (
    approval_of,
    approved,
    asked,
    exported,
    fresh,
    made,
    unpacked,
)
from tests.open_rows import everything_open
from vault.errors import ApprovalRequired, InvalidTransition, NotFound, SameApprover, ScopeMissing
from vault.keys import key_vault
from vault.lifecycle import approvals, jobs
from vault.lifecycle.access_export import (
    building,
    carry_out_export,
    close_undone,
    execute_export,
    expire_exports,
    get_export,
    open_download,
    request_export,
    turns,
)
from vault.lifecycle.access_export.turns import ExportTakenOver
from vault.lifecycle.erasure import approve_erasure, request_erasure, verify_request
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.verify_export import ExportFault, verify_export
from vault.models import (
    AccessExport,
    AccessExportPart,
    ApprovalKind,
    ApprovalStatus,
    Job,
    JobStatus,
    isolation,
)
from vault.retrieval.scope import Right

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
KINDS = [ApprovalKind.EXPORT]


def parts() -> int:
    with transaction.atomic():
        isolation.open_everything()
        return AccessExportPart.objects.count()


def keys() -> dict[str, bytes]:
    return key_vault().signer().public_keys()


def test_nothing_is_made_before_a_second_person_approved():
    export = asked(make_subject("S1"))

    with pytest.raises(InvalidTransition):
        execute_export(export.pk)

    assert fresh(export).status == "waiting_for_approval"
    assert not Job.objects.exists()


def test_the_one_who_asked_cannot_approve():
    asker = staff_scope()
    export = asked(make_subject("S1"), scope=asker)

    with pytest.raises(SameApprover):
        approvals.approve(approval_id=approval_of(export).pk, kinds=KINDS, scope=asker)


def test_an_approval_does_not_stretch_to_more_than_was_asked_for():
    subject = make_memory(subject="S1").row.subject
    export = asked(subject, scope=make_scope())
    officer = staff_scope()
    approval = approvals.approve(approval_id=approval_of(export).pk, kinds=KINDS, scope=officer)
    with everything_open():
        AccessExport.objects.update(namespaces=None)

    with pytest.raises(ApprovalRequired):
        carry_out_export(approval, officer)


def test_a_subjects_own_request_is_approved_by_the_officer_who_passes_it_on():
    subject, officer = make_subject("S1"), staff_scope()

    export = request_export(
        subject_id=subject.pk, reason_code="access_request", scope=officer, requested_by="subject_request:7"
    )

    approval = approval_of(export)
    assert (export.status, export.requested_by) == ("queued", "system:subject_request:7")
    assert (approval.requested_by, approval.decided_by) == ("system:subject_request:7", officer.author)
    assert approval.status == ApprovalStatus.USED


def test_an_agent_cannot_speak_for_a_subject():
    subject = make_memory(subject="S1").row.subject

    with pytest.raises(ScopeMissing):
        request_export(
            subject_id=subject.pk, reason_code="x", scope=make_scope(), requested_by="subject_request:7"
        )


def test_an_agent_without_the_right_cannot_ask():
    subject = make_memory(subject="S1").row.subject

    with pytest.raises(ScopeMissing):
        request_export(subject_id=subject.pk, reason_code="x", scope=make_scope(Right.MEMORY_READ))


def test_a_refused_request_is_refused_and_closed():
    export = asked(make_subject("S1"))
    approvals.refuse(
        approval_id=approval_of(export).pk, kinds=KINDS, ground_code="not_justified", scope=staff_scope()
    )

    assert get_export(export_id=export.pk, scope=staff_scope()).status == "refused"
    assert close_undone(now=timezone.now(), limit=9) == 1
    assert fresh(export).status == "refused"


def test_an_export_whose_job_failed_for_good_has_failed():
    export = approved(make_subject("S1"))
    Job.objects.update(status=JobStatus.FAILED)

    close_undone(now=timezone.now(), limit=9)

    assert fresh(export).status == "failed"


def test_the_file_verifies_and_tells_its_counts():
    subject = make_memory("Prefers tea.", subject="S1").row.subject

    report = verify_export(io.BytesIO(exported(subject).raw), public_keys=keys())

    assert (report["counts"]["memories"], report["faults"], report["is_complete"]) == (1, 0, True)


def test_it_verifies_far_from_the_vault(tmp_path):
    file = tmp_path / "file.zip"
    file.write_bytes(exported(make_memory(subject="S1").row.subject).raw)
    pinned = [f"--public-key={name}={_base64(key)}" for name, key in keys().items()]

    answer = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); "
         "from vault.lifecycle.verify_export import main; code = main(sys.argv[1:]); "
         "assert 'django' not in sys.modules; sys.exit(code)", str(file), *pinned],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert answer.returncode == 0, answer.stderr


def _base64(key: bytes) -> str:
    return base64.b64encode(key).decode()


def rezipped(raw: bytes, change) -> io.BytesIO:
    """The archive with its members changed by `change`."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda m: m.update({"export.json": m["export.json"].replace(b"tea", b"gin")}), "altered"),
        (lambda m: m.update({"memories.csv": b""}), "altered"),
        (lambda m: m.update({"more.txt": b"x"}), "files"),
        (lambda m: m.pop("export.html"), "files"),
        (lambda m: m.update({"manifest.json": m["manifest.json"].replace(b"access_r", b"b")}), "signature"),
        (lambda m: m.pop("manifest.json"), "manifest"),
        (lambda m: m.update({"manifest.json": b"{}"}), "format"),
    ],
)  # fmt: skip
def test_a_file_that_was_altered_is_found_out(change, code):
    raw = exported(make_memory("Prefers tea.", subject="S1").row.subject).raw

    with pytest.raises(ExportFault) as fault:
        verify_export(rezipped(raw, change), public_keys=keys())

    assert fault.value.code == code


def test_a_key_that_nobody_pinned_is_not_believed():
    raw = exported(make_subject("S1")).raw

    with pytest.raises(ExportFault, match="unknown_key"):
        verify_export(io.BytesIO(raw), public_keys={"other": bytes(32)})


def test_the_parts_at_rest_hold_no_text(monkeypatch):
    monkeypatch.setattr("vault.lifecycle.access_export.archive.PART_BYTES", 512)
    subject = make_memory("The code word is MARZIPAN.", subject="S1").row.subject
    export = made(subject)
    with everything_open():
        stored = b"".join(bytes(part.ciphertext) for part in AccessExportPart.objects.all())

    assert parts() > 3
    assert b"MARZIPAN" not in stored
    assert b"export.json" not in stored
    assert b"MARZIPAN" in unpacked(export).files["export.json"]


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_worker_lost_in_any_turn_is_followed_by_one_that_begins_anew(turn, monkeypatch):
    monkeypatch.setattr("vault.lifecycle.access_export.archive.PART_BYTES", 64)
    subject = make_memory("Prefers tea.", subject="S1").row.subject
    export = approved(subject)

    store, seen = turns._store, []

    def stop(*args):
        seen.append(1)
        if len(seen) == turn:
            raise InterruptedError
        store(*args)

    with monkeypatch.context() as patch:
        patch.setattr(turns, "_store", stop)
        with pytest.raises(InterruptedError):
            execute_export(export.pk)
    execute_export(export.pk)

    assert (fresh(export).status, fresh(export).attempt) == ("ready", 2)
    assert (
        verify_export(io.BytesIO(unpacked(fresh(export)).raw), public_keys=keys())["counts"]["memories"] == 1
    )


def test_a_worker_that_was_taken_over_writes_nothing_more(monkeypatch):
    export = approved(make_memory(subject="S1").row.subject)

    head = building._head

    def slow(build):
        document = head(build)
        isolation.open_everything()
        AccessExport.objects.update(attempt=7)
        return document

    monkeypatch.setattr(building, "_head", slow)
    with pytest.raises(ExportTakenOver):
        execute_export(export.pk)

    assert parts() == 0


def test_executing_twice_makes_one_file():
    export = made(make_subject("S1"))
    before = unpacked(export).raw

    execute_export(export.pk)

    assert unpacked(export).raw == before
    assert AuditEntry.objects.filter(action="export.completed").count() == 1


def test_the_bytes_are_destroyed_when_their_time_is_up():
    export = made(make_subject("S1"))
    later = timezone.now() + timedelta(days=7, seconds=1)

    assert expire_exports(now=timezone.now(), limit=9) == 0
    assert expire_exports(now=later, limit=9) == 1

    assert (parts(), fresh(export).status) == (0, "expired")
    assert AuditEntry.objects.filter(action="export.expired").count() == 1


def erase(subject: str) -> None:
    request = request_erasure(subject=subject, reason_code="withdrawn", scope=staff_scope())
    verify_request(request_id=request.pk, scope=staff_scope())
    approve_erasure(request_id=request.pk, scope=staff_scope())
    execute_erasure(request.pk)


def test_an_erasure_takes_exports_with_it():
    export = made(make_memory(subject="S1").row.subject)

    erase("S1")

    assert parts() == 0
    with pytest.raises(NotFound):
        open_download(export_id=export.pk, purpose="x", scope=staff_scope())


def test_a_file_in_the_making_ends_without_a_trace_when_its_subject_is_erased(monkeypatch):
    export = approved(make_memory(subject="S1").row.subject)

    write = building._write_page

    def erased(*args):
        erase("S1")
        write(*args)

    monkeypatch.setattr(building, "_write_page", erased)
    execute_export(export.pk)

    assert parts() == 0
    with everything_open():
        assert not AccessExport.objects.exists()


def test_the_job_is_queued_once():
    export = approved(make_subject("S1"))

    assert list(Job.objects.values_list("kind", "target_id")) == [("export", export.pk)]
    assert jobs.claim(Job.objects.get().pk) is not None
