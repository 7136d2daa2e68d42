from __future__ import annotations

import io
import zipfile

import pytest

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.subject_rights.people import proved, row_of
from tests.lifecycle.subject_rights.test_decisions import passed_on
from vault.errors import InvalidTransition, NotFound
from vault.keys import audit_signer
from vault.lifecycle.access_export import execute_export
from vault.lifecycle.erasure import approve_erasure
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.subject_rights import correction, decisions, tracking
from vault.lifecycle.subject_rights.proofs import public_scope
from vault.lifecycle.verify_certificate import verify_certificate
from vault.models import RequestKind
from vault.retrieval.read import get_memory

pytestmark = pytest.mark.django_db


def track(receipt) -> tracking.Tracked:
    return tracking.track(number=receipt.number, scope=public_scope())


def test_a_subject_follows_its_request_by_the_number():
    receipt = proved()

    tracked = track(receipt)

    assert (tracked.kind, tracked.status, tracked.due_at) == (RequestKind.ERASURE, "verified", receipt.due_at)


@pytest.mark.parametrize("number", ["", "x", "AAAA-BBBB", "A" * 4000])
def test_a_wrong_number_is_not_found(number):
    proved()

    with pytest.raises(NotFound):
        tracking.track(number=number, scope=public_scope())


def test_whose_request_was_joined_to_an_earlier_one_sees_the_same_state():
    first = proved(RequestKind.RESTRICTION)
    second = proved(RequestKind.RESTRICTION)
    decisions.extend(request_id=first.request_id, reason_code="complexity", scope=staff_scope())

    assert (track(second).due_at, track(second).extension_code) == (row_of(first).due_at, "complexity")


def test_the_certificate_is_there_after_the_erasure_for_everybody_who_asked():
    make_memory(subject="S1")
    first, second = proved(), proved()
    erasure = passed_on(first)
    with pytest.raises(NotFound):
        tracking.certificate_by_number(number=first.number, scope=public_scope())
    approve_erasure(request_id=erasure.pk, scope=staff_scope())
    execute_erasure(erasure.pk)

    for receipt in (first, second):
        assert track(receipt).status == "done"
        certificate = tracking.certificate_by_number(number=receipt.number, scope=public_scope())
        verify_certificate(certificate, public_keys=audit_signer().public_keys())


def test_the_subject_fetches_the_file_that_staff_granted():
    make_memory("Prefers tea.", subject="S1")
    receipt = proved(RequestKind.ACCESS)
    officer = staff_scope()
    decisions.carry_on(request_id=receipt.request_id, scope=officer)
    assert (track(receipt).status, row_of(receipt).decided_by) == ("approved", officer.author)
    with pytest.raises(InvalidTransition):
        tracking.export_by_number(number=receipt.number, scope=public_scope())

    execute_export(row_of(receipt).export_id)

    assert track(receipt).status == "done"
    assert track(receipt).file_until is not None
    download = tracking.export_by_number(number=receipt.number, scope=public_scope())
    with zipfile.ZipFile(io.BytesIO(b"".join(download.chunks))) as archive:
        assert any(b"Prefers tea." in archive.read(name) for name in archive.namelist())


def test_a_number_opens_no_file_but_its_own():
    proved(RequestKind.ACCESS)
    other = proved(RequestKind.ERASURE)

    with pytest.raises(NotFound):
        tracking.export_by_number(number=other.number, scope=public_scope())


def granted_correction(text: str = "Lives in Harbour Street."):
    memory = make_memory(text, subject="S1")
    receipt = proved(RequestKind.CORRECTION, text="Wrong street.")
    decisions.carry_on(request_id=receipt.request_id, scope=staff_scope())
    return memory, receipt


def correct(memory, receipt, scope, *, text: str = "Lives in Mill Lane."):
    return correction.correct_memory(
        request_id=receipt.request_id, memory_id=memory.row.pk, text=text, expected_version=1, scope=scope
    )


def test_a_correction_is_a_version_by_staff_and_an_entry():
    memory, receipt = granted_correction()
    officer = staff_scope()

    correct(memory, receipt, officer)

    now = get_memory(memory_id=memory.row.pk, scope=officer)
    assert (now.content.text, now.row.version) == ("Lives in Mill Lane.", 2)
    entry = AuditEntry.objects.get(action="subject.corrected")
    assert (entry.actor_id, entry.target_id, entry.facts["memory"]) == (
        officer.actor.id, str(receipt.request_id), str(memory.row.pk),
    )  # fmt: skip


def test_a_memory_of_somebody_else_is_not_corrected():
    _, receipt = granted_correction()
    other = make_memory(subject="S2")

    with pytest.raises(NotFound):
        correct(other, receipt, staff_scope())


def test_nothing_is_corrected_before_the_request_is_granted():
    memory = make_memory(subject="S1")
    receipt = proved(RequestKind.CORRECTION, text="Wrong street.")

    with pytest.raises(InvalidTransition):
        correct(memory, receipt, staff_scope())


def test_an_agent_corrects_nothing_in_the_name_of_a_request():
    memory, receipt = granted_correction()

    with pytest.raises(Exception, match="scope_missing"):
        correct(memory, receipt, make_scope())
