from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_subject, staff_scope
from tests.lifecycle.subject_rights.people import (
    EMAIL,
    ask,
    change_row,
    mailed_token,
    rows,
    subject_with_contact,
    work,
)
from tests.lifecycle.test_erasure import erased
from vault.errors import InvalidField
from vault.lifecycle.subject_rights import contacts, inquiries, links, proofs
from vault.lifecycle.subject_rights.proofs import public_scope
from vault.models import PrivacyInquiry, RequestKind, SubjectContact, isolation

pytestmark = pytest.mark.django_db


def inquire(email: str = EMAIL, kind: RequestKind = RequestKind.ERASURE) -> None:
    inquiries.inquire(kind=kind, email=email, scope=public_scope())


def soon_again() -> None:
    """As if the time until the next attempt were over."""
    for row in rows():
        change_row(row.pk, link_next_at=timezone.now())


def test_a_link_goes_to_the_verified_contact():
    subject_with_contact()
    ask()

    assert mail.outbox[0].bcc == [EMAIL]
    assert proofs.find_proof(token=mailed_token())


def test_an_address_that_nobody_knows_gets_no_mail_and_leaves_no_row():
    ask(email="nobody@example.com")

    assert (mail.outbox, rows(), PrivacyInquiry.objects.count()) == ([], [], 0)


def test_taking_an_inquiry_does_the_same_for_every_address():
    subject_with_contact()
    statements = []
    for email in (EMAIL, "nobody@example.com"):
        with CaptureQueriesContext(connection) as captured:
            inquire(email)
        statements.append([query["sql"].split()[:3] for query in captured.captured_queries])

    # The names of savepoints are the test's own, and count on.
    first, second = ([words for words in each if words[0] == "INSERT"] for each in statements)
    assert first == second
    assert [words[2] for words in first] == ['"vault_privacyinquiry"', '"audit_entry"']
    assert not any(words[0] == "SELECT" for each in statements for words in each)


def test_an_inquiry_holds_no_address():
    inquire()

    assert EMAIL not in str(list(PrivacyInquiry.objects.values()))
    assert EMAIL not in str(list(AuditEntry.objects.values()))


def test_a_mail_says_nothing_of_what_is_kept():
    make_memory("Prefers tea.", subject="S1")
    subject_with_contact()
    ask()

    assert "tea" not in mail.outbox[0].body + mail.outbox[0].subject
    assert "S1" not in mail.outbox[0].body


@pytest.mark.parametrize("spelled", [EMAIL.upper(), f"  {EMAIL} "])
def test_an_address_is_known_however_it_is_spelled(spelled):
    subject_with_contact()
    ask(email=spelled)

    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    "address", ["", "nobody", "a@b", "x" * 250 + "@example.com", "a@example.com\nBcc: b@example.com"]
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(InvalidField):
        inquire(address)

    assert not PrivacyInquiry.objects.exists()


def test_whoever_shares_an_address_gets_a_link_of_their_own():
    subject_with_contact("S1")
    subject_with_contact("S2")
    ask()

    assert len(mail.outbox) == 2
    assert len({row.subject_id for row in rows()}) == 2


def test_a_mailbox_is_not_filled_by_somebody_who_asks_without_end():
    subject_with_contact()
    for _ in range(5):
        ask()

    assert (len(mail.outbox), len(rows())) == (1, 1)
    assert AuditEntry.objects.filter(action="subject_request.received", outcome="skipped").count() == 4


def test_asking_again_later_sends_another_link_for_the_same_request():
    subject_with_contact()
    ask()
    change_row(rows()[0].pk, link_sent_at=timezone.now() - timedelta(hours=1))
    ask()

    assert (len(mail.outbox), len(rows())) == (2, 1)


def test_asking_for_something_else_is_another_request():
    subject_with_contact()
    ask(RequestKind.ACCESS)
    ask(RequestKind.ERASURE)

    assert {row.kind for row in rows()} == {"access", "erasure"}


def test_without_a_mail_server_the_request_waits_for_staff(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    subject_with_contact()
    ask()

    assert [(row.status, row.link_attempts) for row in rows()] == [("received", 0)]


def test_a_mail_that_the_server_did_not_take_is_sent_again_with_another_link(monkeypatch):
    subject_with_contact()

    def refuse(self, messages):
        raise SMTPServerDisconnected(EMAIL)

    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "send_messages", refuse)
        ask()
    assert (mail.outbox, rows()[0].link_sent_at) == ([], None)
    soon_again()

    work()

    assert len(mail.outbox) == 1
    assert rows()[0].link_sent_at is not None


def test_a_mail_is_not_tried_without_end(monkeypatch):
    subject_with_contact()
    monkeypatch.setattr(links, "MAX_ATTEMPTS", 2)
    tried = []

    def refuse(self, messages):
        tried.append(1)
        raise OSError

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    ask()
    for _ in range(4):
        soon_again()
        work()

    assert len(tried) == 2


def test_a_mail_that_went_out_does_not_go_out_twice():
    subject_with_contact()
    ask()
    soon_again()
    work()

    assert len(mail.outbox) == 1


def test_a_fault_of_the_mail_server_is_logged_without_the_address(monkeypatch, caplog, capsys):
    subject_with_contact()

    def refuse(self, messages):
        raise OSError(EMAIL)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    ask()

    captured = capsys.readouterr()
    assert EMAIL not in caplog.text + captured.out + captured.err


def test_a_contact_that_does_not_open_holds_up_nobody_else():
    broken = subject_with_contact("S1")
    subject_with_contact("S2", "other@example.com")
    with transaction.atomic():
        isolation.open_everything()
        SubjectContact.objects.filter(subject=broken).update(sealed_address=b"altered")
        isolation.close()
    inquire()
    inquire("other@example.com")

    work()

    assert [message.bcc for message in mail.outbox] == [["other@example.com"]]
    assert {row.link_attempts for row in rows()} == {1}


def test_an_erased_subject_gets_no_link():
    make_memory(subject="S1")
    subject_with_contact()
    inquire()
    inquiries.answer_inquiries(limit=10)
    erased("S1")

    links.send_due_links(limit=10)

    assert mail.outbox == []


def test_a_contact_that_was_removed_gets_no_link():
    subject = make_subject("S1")
    contacts.add_contact(subject_id=subject.pk, email=EMAIL, scope=staff_scope())
    inquire()
    inquiries.answer_inquiries(limit=10)
    from_page = contacts_of(subject)
    contacts.remove_contact(contact_id=from_page[0].id, scope=staff_scope())

    links.send_due_links(limit=10)

    assert mail.outbox == []


def contacts_of(subject):
    with transaction.atomic():
        isolation.open_everything()
        found = contacts.open_contacts(subject)
        isolation.close()
    return found
