from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_memory, make_subject, staff_scope
from tests.lifecycle.subject_rights.people import (
    Application,
    ask,
    change_row,
    mailed_token,
    proved,
    row_of,
    rows,
    subject_with_contact,
)
from tests.open_rows import everything_open
from vault.errors import SameApprover
from vault.lifecycle.subject_rights import contacts, decisions, links, proofs
from vault.lifecycle.subject_rights.proofs import Receipt, public_scope
from vault.models import RequestKind

pytestmark = pytest.mark.django_db

ACCESS = RequestKind.ACCESS


def asked() -> object:
    """The access request of a subject that nobody has proved yet."""
    subject_with_contact()
    ask(ACCESS)
    return rows(kind=ACCESS, status="received")[0].pk


def proved_by_the_application() -> Receipt:
    make_subject("S1")
    token = proofs.accept_assertion(token=Application().assert_that("S1"), scope=public_scope())
    assert token
    return proofs.prove(token=token, kind=ACCESS, scope=public_scope())


def use(link: str) -> Receipt:
    return proofs.prove(token=link.rstrip("/").rpartition("/")[2], scope=public_scope())


def test_who_verified_somebody_in_person_does_not_make_the_file_about_them():
    officer = staff_scope()
    receipt = decisions.verify_in_person(request_id=asked(), scope=officer)

    with pytest.raises(SameApprover):
        decisions.carry_on(request_id=receipt.request_id, scope=officer)

    assert decisions.carry_on(request_id=receipt.request_id, scope=staff_scope()).export_id is not None


def test_who_handed_out_the_link_does_not_make_the_file():
    officer = staff_scope()
    receipt = use(links.hand_out_link(request_id=asked(), scope=officer))

    with pytest.raises(SameApprover):
        decisions.carry_on(request_id=receipt.request_id, scope=officer)


def test_who_registered_a_contact_does_not_make_the_file_even_when_the_contact_is_gone():
    subject, officer = make_subject("S1"), staff_scope()
    contacts.add_contact(subject_id=subject.pk, email="ada.winter@example.com", scope=officer)
    ask(ACCESS)
    receipt = proofs.prove(token=mailed_token(), scope=public_scope())
    with everything_open():
        (contact,) = contacts.open_contacts(subject)
    contacts.remove_contact(contact_id=contact.id, scope=officer)

    with pytest.raises(SameApprover):
        decisions.carry_on(request_id=receipt.request_id, scope=officer)


def test_a_second_request_that_one_vouches_for_stands_in_the_way_of_the_first():
    first, officer = proved_by_the_application(), staff_scope()
    decisions.verify_in_person(request_id=asked(), scope=officer)

    with pytest.raises(SameApprover):
        decisions.carry_on(request_id=first.request_id, scope=officer)


@pytest.mark.parametrize(
    "vouch",
    [
        lambda pk, subject, scope: decisions.verify_in_person(request_id=pk, scope=scope),
        lambda pk, subject, scope: links.hand_out_link(request_id=pk, scope=scope),
        lambda pk, subject, scope: contacts.add_contact(
            subject_id=subject, email="other@example.com", scope=scope
        ),
    ],
)
def test_who_passed_the_request_on_vouches_for_nobody_while_the_file_is_made(vouch):
    first, officer = proved_by_the_application(), staff_scope()
    decisions.carry_on(request_id=first.request_id, scope=officer)
    unproved = asked()

    with pytest.raises(SameApprover):
        vouch(unproved, row_of(first).subject_id, officer)


@pytest.mark.parametrize("kind", [RequestKind.RESTRICTION, RequestKind.ERASURE])
def test_what_hands_nothing_out_is_carried_on_by_whoever_vouched(kind):
    subject_with_contact()
    ask(kind)
    officer = staff_scope()
    receipt = decisions.verify_in_person(request_id=rows()[0].pk, scope=officer)

    decisions.carry_on(request_id=receipt.request_id, scope=officer)


@pytest.mark.django_db(transaction=True)
def test_an_access_request_is_passed_on_where_every_transaction_ends_by_itself():
    make_memory(subject="S1")
    receipt = proved(ACCESS)

    decisions.carry_on(request_id=receipt.request_id, scope=staff_scope())

    row = row_of(receipt)
    assert (row.status, row.export_id is not None) == ("approved", True)


def test_a_link_in_somebodys_hand_is_not_ended_by_whoever_types_in_the_address():
    link = links.hand_out_link(request_id=asked(), scope=staff_scope())
    long_ago = timezone.now() - timedelta(hours=1)
    change_row(rows(kind=ACCESS)[0].pk, link_sent_at=long_ago)

    ask(ACCESS)

    assert row_of(use(link)).status == "verified"
