"""The tasks behind the public page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from tests.factories import staff_scope
from tests.lifecycle.subject_rights.people import (
    EMAIL,
    change_row,
    proved,
    row_of,
    rows,
    subject_with_contact,
)
from tests.lifecycle.subject_rights.test_decisions import passed_on
from vault import tasks
from vault.celery import app
from vault.lifecycle.erasure import refuse_erasure
from vault.lifecycle.subject_rights.inquiries import TASK, inquire
from vault.lifecycle.subject_rights.proofs import public_scope
from vault.models import RequestKind

pytestmark = pytest.mark.django_db


def test_an_inquiry_is_answered_by_mail():
    subject_with_contact()
    inquire(kind=RequestKind.ACCESS, email=EMAIL, scope=public_scope())

    tasks.answer_privacy_inquiries()

    assert len(mail.outbox) == 1


def test_delivered_twice_it_sends_one_mail():
    subject_with_contact()
    inquire(kind=RequestKind.ACCESS, email=EMAIL, scope=public_scope())

    tasks.answer_privacy_inquiries()
    tasks.answer_privacy_inquiries()

    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_the_nudge_carries_nothing(monkeypatch):
    sent: list[tuple] = []
    monkeypatch.setattr(app, "send_task", lambda *args, **kwargs: sent.append((args, kwargs)))

    inquire(kind=RequestKind.ACCESS, email=EMAIL, scope=public_scope())

    assert sent == [((TASK,), {})]
    assert TASK in app.tasks


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_is_no_fault_of_whoever_asks(monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError

    monkeypatch.setattr(app, "send_task", refuse)
    subject_with_contact()
    inquire(kind=RequestKind.ACCESS, email=EMAIL, scope=public_scope())
    tasks.answer_privacy_inquiries()

    assert len(rows()) == 1


def test_requests_follow_their_erasures():
    receipt = proved()
    refuse_erasure(request_id=passed_on(receipt).pk, ground_code="legal_claims", scope=staff_scope())

    tasks.follow_subject_requests()

    assert row_of(receipt).status == "refused"


def test_reminders_are_recorded_and_what_nobody_proved_is_closed():
    receipt = proved()
    change_row(receipt.request_id, due_at=timezone.now() + timedelta(days=1))

    tasks.remind_of_subject_requests()

    assert row_of(receipt).due_soon_noted_at is not None


def test_the_beat_knows_all_three():
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert {
        TASK,
        "vault.tasks.follow_subject_requests",
        "vault.tasks.remind_of_subject_requests",
    } <= scheduled
