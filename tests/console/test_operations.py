from __future__ import annotations

import pytest
from django.db import transaction

from audit.actions import Action
from audit.log import Actor, Target, record_alone
from tests.console.people import at_the_console, confirm
from tests.factories import make_memory, staff_scope
from vault.lifecycle import jobs
from vault.lifecycle.approvals import approve
from vault.lifecycle.key_epoch import ask_key_epoch, key_state
from vault.models import Approval, ApprovalKind, JobKind, Role
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db
PAGE = "/console/operations/"


def ask(client, reason: str = "routine"):
    return confirm(client).post(f"{PAGE}new-epoch/", {"reason": reason})


def test_the_page_shows_epoch_backup_and_jobs(administrator):
    record_alone(
        Action.BACKUP_MADE,
        actor=Actor("system", "operator"),
        target=Target("backup", str(new_id())),
        file_hash="ab" * 32,
        bytes=2048,
        subjects=3,
    )
    with transaction.atomic():
        jobs.enqueue(JobKind.ERASURE, new_id())

    page = administrator.get(PAGE).content.decode()

    assert f"<b>{key_state().epoch}</b>" in page
    assert "abababababababab" in page
    assert "Erasure</td>" in page


def test_a_vault_that_was_never_backed_up_says_so(administrator):
    page = administrator.get(PAGE).content.decode()

    assert "never" in page
    assert "Due" in page


def test_an_auditor_sees_the_page_without_the_button(auditor):
    page = auditor.get(PAGE)

    assert page.status_code == 200
    assert b"Ask for a new epoch" not in page.content


def test_one_administrator_asks_and_another_rolls(administrator):
    make_memory()
    before = key_state().epoch
    ask(administrator)
    approval = Approval.objects.get(kind=ApprovalKind.KEY_EPOCH)
    assert key_state().epoch == before

    confirm(at_the_console(Role.ADMINISTRATOR)).post(f"/console/approvals/{approval.pk}/approve/")

    assert key_state().epoch == before + 1
    approval.refresh_from_db()
    assert approval.status == "used"


def test_the_one_who_asked_cannot_approve(administrator):
    before = key_state().epoch
    ask(administrator)
    approval = Approval.objects.get()

    response = administrator.post(f"/console/approvals/{approval.pk}/approve/")

    assert response.status_code == 403
    assert key_state().epoch == before


def test_a_reason_has_to_be_chosen(administrator):
    assert ask(administrator, "").status_code == 400
    assert not Approval.objects.exists()


def test_asking_needs_a_fresh_confirmation(administrator):
    response = administrator.post(f"{PAGE}new-epoch/", {"reason": "routine"})

    assert response.status_code == 302
    assert "reauthenticate" in response["Location"]
    assert not Approval.objects.exists()


def test_what_waits_for_a_second_person_is_listed(administrator):
    asked = ask_key_epoch(reason_code="routine", scope=staff_scope())
    approve(approval_id=asked.pk, kinds=[ApprovalKind.KEY_EPOCH], scope=staff_scope())

    page = administrator.get(PAGE).content.decode()

    assert f"/console/approvals/{asked.pk}/" in page
    assert "Approved" in page
