"""What an approval is for, as its page shows it to whoever decides; and to nobody else."""

from __future__ import annotations

import pytest
from django.db import transaction

from tests.console.desk import RELEASE, act, let_detectors_rest, verdict
from tests.console.test_rollbacks import ask as ask_rollback
from tests.factories import (
    make_memory,
    make_namespace,
    make_quarantined_write,
    make_staff,
    make_subject,
    staff_scope,
)
from tests.lifecycle.rolling_back.writers import make_agent, written_by
from vault.lifecycle import approvals
from vault.lifecycle.approvals import Act
from vault.lifecycle.erasure import approve_erasure, request_erasure, verify_request
from vault.lifecycle.holds import ask_hold_release, place_hold
from vault.lifecycle.key_epoch import ask_key_epoch
from vault.lifecycle.retraining import ask_for_set
from vault.models import AccessExport, Approval, ApprovalKind, BulkRollbackItem, Role, isolation
from vault.operations.overview import find_backup
from vault.retrieval import trail

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


def path(row: Approval | None = None) -> str:
    return f"/console/approvals/{(row or Approval.objects.get()).pk}/"


def page(client, row: Approval | None = None) -> str:
    return client.get(path(row)).content.decode()


def test_a_rollback_is_shown_with_its_list(officer, second_officer):
    bot = make_agent("mail-bot")
    memory = written_by(bot)
    ask_rollback(officer, agent=bot)

    shown = page(second_officer)

    assert "mail-bot" in shown
    assert f"/console/memories/{memory.row.pk}/" in shown
    assert "Is forgotten <b>1</b>" in shown


def test_a_rollback_whose_list_lost_a_row_cannot_be_approved(officer, second_officer):
    bot = make_agent("mail-bot")
    written_by(bot)
    ask_rollback(officer, agent=bot)
    with transaction.atomic():
        isolation.open_everything()
        BulkRollbackItem.objects.all().delete()

    assert "Rows of the list went with an erasure" in page(second_officer)


def an_officer():
    return staff_scope(make_staff(role=Role.PRIVACY_OFFICER))


def asked_export(officer) -> None:
    subject = make_subject("acct-7")
    make_memory("Prefers tea.", subject=subject)
    make_memory("Prefers boats.", subject=subject, namespace="billing")
    make_quarantined_write(subject=subject)
    officer.post(f"/console/subjects/{subject.pk}/export/", {"reason": "access_request"})


def test_an_export_is_shown_with_what_the_file_would_hold(officer, second_officer):
    asked_export(officer)

    shown = page(second_officer)

    assert "everything, in every namespace" in shown
    assert "<b>2</b><span>memories</span>" in shown
    assert "<b>1</b><span>set aside</span>" in shown
    assert "tea" not in shown


def test_an_export_of_an_agent_counts_its_namespaces_alone(officer, second_officer):
    asked_export(officer)
    with transaction.atomic():
        isolation.open_everything()
        AccessExport.objects.update(namespaces=[make_namespace("billing").pk])

    shown = page(second_officer)

    assert "the namespace billing" in shown
    assert "<b>1</b><span>memories</span>" in shown


def asked_hold_release(subject: str = "S1") -> Approval:
    make_memory(subject=subject)
    placed = place_hold(subject=subject, reason_code="litigation", scope=staff_scope())
    return ask_hold_release(hold_id=placed.pk, reason_code="inquiry_closed", scope=an_officer())


def test_the_end_of_a_hold_is_shown_with_the_hold_and_what_follows(officer):
    asked = asked_hold_release()

    shown = page(officer, asked)

    assert "Litigation" in shown
    assert "No erasure waits for it" in shown


def test_the_end_of_a_hold_says_that_an_approved_erasure_begins_at_once(officer):
    make_memory("Likes boats.", subject="S1")
    erasure = request_erasure(subject="S1", reason_code="subject_request", scope=staff_scope())
    verify_request(request_id=erasure.pk, scope=staff_scope())
    approve_erasure(request_id=erasure.pk, scope=staff_scope())

    shown = page(officer, asked_hold_release())

    assert "An erasure begins at once" in shown
    assert f"/console/erasure/{erasure.pk}/" in shown


def test_the_end_of_one_of_two_holds_sets_nothing_going(officer):
    asked = asked_hold_release()
    place_hold(subject="S1", reason_code="regulatory_inquiry", scope=staff_scope())

    assert "1 other hold still stands" in page(officer, asked)


def test_a_key_epoch_is_shown_with_the_keys_that_it_wraps_anew(administrator):
    make_subject("S1")

    shown = page(administrator, ask_key_epoch(reason_code="routine", scope=staff_scope()))

    assert "Keys to wrap anew" in shown
    assert "Routine rotation" in shown


def asked_act(kind: ApprovalKind, **particulars: str | int) -> Approval:
    with transaction.atomic():
        return approvals.ask(act=Act(kind, None, particulars), reason_code="routine", scope=staff_scope())


def test_an_epoch_that_has_ended_cannot_be_approved(administrator):
    asked = asked_act(ApprovalKind.KEY_EPOCH, epoch=10**6)

    assert "Another epoch has begun" in page(administrator, asked)


def test_a_restore_is_shown_with_the_backup_that_the_log_tells_of(administrator):
    with transaction.atomic():
        trail.note(
            "backup.made", scope=staff_scope(), kind="backup", file_hash="ab" * 32, bytes=2048, subjects=41
        )

    shown = page(administrator, asked_act(ApprovalKind.RESTORE, sha256="ab" * 32))

    assert "<dd>41</dd>" in shown
    assert find_backup(sha256="cd" * 32, scope=staff_scope()) is None


def test_a_restore_of_a_file_that_the_log_does_not_know_is_warned_of(administrator):
    assert "tells of no backup" in page(administrator, asked_act(ApprovalKind.RESTORE, sha256="cd" * 32))


def test_a_set_for_retraining_is_shown_with_its_size(reviewer, officer):
    write = make_quarantined_write("A boat is blue.", verdict=verdict("injection_suspected"))
    act(reviewer, write, "release", RELEASE)

    shown = page(officer, ask_for_set(reason_code="measure_filter", scope=an_officer()))

    assert "Released as false positives</dt><dd>1</dd>" in shown
