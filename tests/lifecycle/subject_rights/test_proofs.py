from __future__ import annotations

import base64
import threading
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connections, transaction
from django.utils import timezone

from audit.log import Actor
from audit.models import AuditEntry
from tests.factories import make_memory, make_subject, staff_scope
from tests.lifecycle.subject_rights.people import (
    EMAIL,
    Application,
    ask,
    change_row,
    mailed_token,
    proved,
    row_of,
    rows,
    subject_with_contact,
    work,
)
from tests.lifecycle.test_erasure import erased
from vault.crypto.assertion import AssertionRefused
from vault.errors import InvalidField, InvalidTransition, NotFound, SecretDetected
from vault.lifecycle.subject_rights import proofs, reading, reminders
from vault.lifecycle.subject_rights.assertion_keys import register_key, revoke_key
from vault.lifecycle.subject_rights.proofs import public_scope
from vault.models import Agent, RequestKind, SubjectProof, isolation

pytestmark = pytest.mark.django_db

OPERATOR = Actor("system", "tests")


def accept(token: str) -> str | None:
    return proofs.accept_assertion(token=token, scope=public_scope())


def stop_time_of_proofs() -> None:
    with transaction.atomic():
        isolation.open_everything()
        SubjectProof.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        isolation.close()


def test_a_link_proves_a_request_once():
    subject_with_contact()
    ask()
    token = mailed_token()
    receipt = proofs.prove(token=token, scope=public_scope())

    assert (row_of(receipt).status, row_of(receipt).proved_by) == ("verified", "mail")
    with pytest.raises(NotFound):
        proofs.prove(token=token, scope=public_scope())


def test_looking_at_a_link_does_not_use_it_up():
    subject_with_contact()
    ask(RequestKind.ACCESS)

    for _ in range(2):
        assert proofs.find_proof(token=mailed_token()).kind is RequestKind.ACCESS


def test_a_link_ends_with_its_time():
    subject_with_contact()
    ask()
    stop_time_of_proofs()

    with pytest.raises(NotFound):
        proofs.find_proof(token=mailed_token())


def test_a_newer_link_ends_the_older():
    subject_with_contact()
    ask()
    change_row(rows()[0].pk, link_sent_at=timezone.now() - timedelta(hours=1))
    ask()

    assert len(mail.outbox) == 2
    with pytest.raises(NotFound):
        proofs.find_proof(token=mailed_token(0))
    assert proofs.find_proof(token=mailed_token(1))


@pytest.mark.parametrize("token", ["", "x", "\x00", "é" * 40, "a" * 5000])
def test_a_token_that_never_was_is_not_found(token):
    with pytest.raises(NotFound):
        proofs.find_proof(token=token)


def test_the_link_says_what_is_asked_for_and_nothing_else_can_be():
    subject_with_contact()
    ask(RequestKind.RESTRICTION)

    receipt = proofs.prove(token=mailed_token(), kind=RequestKind.ERASURE, scope=public_scope())

    assert receipt.kind is RequestKind.RESTRICTION


def test_what_is_wrong_has_to_be_said():
    subject_with_contact()
    ask(RequestKind.CORRECTION)

    with pytest.raises(InvalidField):
        proofs.prove(token=mailed_token(), text="  ", scope=public_scope())


def test_words_stand_sealed_and_staff_can_read_them():
    receipt = proved(RequestKind.CORRECTION, text="I live in Mill Lane.")

    assert b"Mill Lane" not in bytes(row_of(receipt).sealed_text)
    found = reading.words_of(request_id=receipt.request_id, scope=staff_scope())
    assert [each.text for each in found] == ["I live in Mill Lane."]


def test_words_of_all_requests_that_share_a_fate_are_read_together():
    first = proved(RequestKind.CORRECTION, text="One thing.")
    proved(RequestKind.CORRECTION, text="Another thing.")

    found = reading.words_of(request_id=first.request_id, scope=staff_scope())

    assert [each.text for each in found] == ["One thing.", "Another thing."]


def test_words_with_a_credential_are_refused_and_the_link_still_stands():
    subject_with_contact()
    ask(RequestKind.CORRECTION)
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"

    with pytest.raises(SecretDetected):
        proofs.prove(token=mailed_token(), text=f"My token is {secret}", scope=public_scope())

    assert proofs.find_proof(token=mailed_token())
    assert rows()[0].status == "received"


def test_nothing_of_the_words_or_the_number_is_in_the_log():
    receipt = proved(RequestKind.CORRECTION, reference="supplier-8841", text="I live in Mill Lane.")

    log = str(list(AuditEntry.objects.values()))
    for private in ("Mill Lane", EMAIL, receipt.number, mailed_token(), "supplier-8841"):
        assert private not in log


def test_an_application_says_who_somebody_is():
    make_subject("S1")

    token = accept(Application().assert_that("S1"))
    assert token
    receipt = proofs.prove(token=token, kind=RequestKind.ACCESS, scope=public_scope())

    assert row_of(receipt).proved_by == "application"


def test_an_assertion_works_once():
    make_subject("S1")
    assertion = Application().assert_that("S1")
    accept(assertion)

    with pytest.raises(AssertionRefused) as refused:
        accept(assertion)

    assert refused.value.facts["reason"] == "replayed"


def test_two_applications_may_use_the_same_number():
    make_subject("S1")
    first, second = Application("one"), Application("two")

    assert accept(first.assert_that("S1", jti="n" * 20))
    assert accept(second.assert_that("S1", jti="n" * 20))


def test_a_revoked_key_is_not_believed():
    make_subject("S1")
    application = Application()
    revoke_key(key_id=application.key.pk, actor=OPERATOR)

    with pytest.raises(AssertionRefused):
        accept(application.assert_that("S1"))


def test_the_key_of_a_suspended_agent_is_not_believed():
    make_subject("S1")
    application = Application()
    Agent.objects.update(suspended_at=timezone.now())

    with pytest.raises(AssertionRefused):
        accept(application.assert_that("S1"))


def test_a_key_signs_for_itself_only():
    make_subject("S1")
    first, second = Application("one"), Application("two")

    with pytest.raises(AssertionRefused):
        accept(first.assert_that("S1", header=second.header()))


def test_a_refused_assertion_is_an_entry_without_the_subject():
    make_subject("S1")
    with pytest.raises(AssertionRefused):
        accept(Application().assert_that("S1", aud="https://elsewhere.example/"))

    entry = AuditEntry.objects.get(action="auth.failed")
    assert (entry.outcome, entry.reason, entry.subject_ref) == ("denied", "assertion_audience", "")


def test_nothing_is_kept_on_whom_the_vault_does_not_know():
    assert accept(Application().assert_that("nobody")) is None


def test_nothing_is_kept_on_whom_was_erased():
    make_memory(subject="S1")
    erased("S1")

    assert accept(Application().assert_that("S1")) is None


def test_after_an_assertion_something_has_to_be_chosen():
    make_subject("S1")
    token = accept(Application().assert_that("S1"))
    assert token

    with pytest.raises(InvalidField):
        proofs.prove(token=token, scope=public_scope())


def test_a_link_ends_with_the_subject():
    make_memory(subject="S1")
    subject_with_contact()
    ask()
    erased("S1")

    with pytest.raises(NotFound):
        proofs.prove(token=mailed_token(), scope=public_scope())


@pytest.mark.parametrize(
    "key", ["", "AAAA", "not base64!", "A" * 44, "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----"]
)
def test_what_is_no_key_is_not_registered(key):
    Agent.objects.create(name="support-app")

    with pytest.raises(InvalidField):
        register_key(agent="support-app", public_key=key, actor=OPERATOR)


def test_a_key_needs_an_agent_that_exists():
    key = base64.b64encode(bytes(range(32))).decode()

    with pytest.raises(NotFound):
        register_key(agent="nobody", public_key=key, actor=OPERATOR)


def test_a_key_is_revoked_once():
    application = Application()
    revoke_key(key_id=application.key.pk, actor=OPERATOR)

    with pytest.raises(InvalidTransition):
        revoke_key(key_id=application.key.pk, actor=OPERATOR)


def test_a_request_that_nobody_proves_is_closed_after_two_weeks():
    subject_with_contact()
    ask()
    later = timezone.now() + timedelta(days=15)

    assert reminders.close_unproved(now=later, limit=10) == 1

    row = rows()[0]
    assert (row.status, row.ground_code, row.decided_by) == (
        "refused", "identity_not_proved", "system:privacy",
    )  # fmt: skip
    with pytest.raises(NotFound):
        proofs.find_proof(token=mailed_token())


def test_old_proofs_are_forgotten_a_day_after_their_time():
    subject_with_contact()
    ask()
    now = timezone.now()

    assert proofs.drop_old_proofs(now=now + timedelta(hours=30), limit=10) == 0
    assert proofs.drop_old_proofs(now=now + timedelta(hours=49), limit=10) == 1


def test_what_comes_due_is_recorded_once():
    receipt = proved()
    due = row_of(receipt).due_at
    moments = (
        due - timedelta(days=8),
        due - timedelta(days=6),
        due - timedelta(days=5),
        due,
        due + timedelta(days=1),
    )

    assert [reminders.remind(now=moment, limit=10) for moment in moments] == [0, 1, 0, 1, 0]
    entries = AuditEntry.objects.filter(action="subject_request.reminded").order_by("pk")
    assert [entry.reason for entry in entries] == ["due_soon", "overdue"]


@pytest.mark.django_db(transaction=True)
def test_a_link_used_twice_at_once_proves_one_request():
    subject_with_contact()
    ask()
    work()
    token, gate = mailed_token(), threading.Barrier(4)
    outcomes: list[str] = []

    def use() -> None:
        gate.wait()
        try:
            proofs.prove(token=token, scope=public_scope())
            outcomes.append("proved")
        except NotFound:
            outcomes.append("not found")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["not found"] * 3 + ["proved"]
