from __future__ import annotations

import pytest
from django.core import mail

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_subject, staff_scope
from tests.lifecycle.subject_rights.people import EMAIL, ask, subject_with_contact
from tests.lifecycle.subject_rights.test_inquiries import contacts_of
from tests.lifecycle.test_erasure import erased
from vault.errors import InvalidField, InvalidTransition, NotFound, ScopeMissing, SubjectErased
from vault.lifecycle.subject_rights import contacts
from vault.lifecycle.subject_rights.addresses import checked
from vault.models import SubjectContact
from vault.models.identifiers import new_id
from vault.retrieval.scope import Right
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db


def addresses(reference: str = "S1") -> list[str]:
    return sorted(each.address for each in contacts_of(find_subject(reference)))


def test_an_application_registers_the_contact_of_its_subject():
    make_memory(subject="S1")

    contacts.set_contact(subject="S1", email=f" {EMAIL.upper()}", scope=make_scope())

    assert addresses() == [EMAIL]


def test_a_second_one_of_the_same_agent_takes_the_place_of_the_first():
    make_memory(subject="S1")
    contacts.set_contact(subject="S1", email=EMAIL, scope=make_scope(agent="app"))
    contacts.set_contact(subject="S1", email="new@example.com", scope=make_scope(agent="app"))

    assert addresses() == ["new@example.com"]


def test_contacts_of_staff_and_of_other_agents_stay():
    make_memory(subject="S1")
    subject_with_contact("S1", "staff@example.com")
    contacts.set_contact(subject="S1", email="one@example.com", scope=make_scope(agent="one"))
    contacts.set_contact(subject="S1", email="two@example.com", scope=make_scope(agent="two"))
    contacts.clear_contact(subject="S1", scope=make_scope(agent="one"))

    assert addresses() == ["staff@example.com", "two@example.com"]


def test_the_same_again_changes_nothing():
    make_memory(subject="S1")
    for _ in range(2):
        contacts.set_contact(subject="S1", email=EMAIL, scope=make_scope(agent="app"))

    assert AuditEntry.objects.filter(action="contact.registered").count() == 1


def test_an_address_stands_nowhere_in_clear():
    subject = subject_with_contact()
    row = contacts_of(subject)[0]

    assert EMAIL not in str(list(AuditEntry.objects.values()))
    assert EMAIL not in repr(row)


def test_writing_memories_is_not_enough_to_vouch():
    make_memory(subject="S1")

    with pytest.raises(ScopeMissing):
        contacts.set_contact(subject="S1", email=EMAIL, scope=make_scope(Right.MEMORY_WRITE))


def test_a_token_in_the_hands_of_a_model_cannot_vouch():
    subject = make_memory(subject="S1").row.subject

    with pytest.raises(ScopeMissing):
        contacts.set_contact(subject="S1", email=EMAIL, scope=make_scope(subject=subject))


@pytest.mark.parametrize("call", [contacts.clear_contact, lambda **k: contacts.set_contact(email=EMAIL, **k)])
def test_a_stranger_finds_no_such_subject(call):
    make_memory(subject="S1")

    for reference in ("S1", "nobody"):
        with pytest.raises(NotFound):
            call(subject=reference, scope=make_scope(namespace="elsewhere"))


def test_what_is_no_address_is_refused():
    make_memory(subject="S1")

    with pytest.raises(InvalidField) as refused:
        contacts.set_contact(subject="S1", email="nobody", scope=make_scope())

    assert "nobody" not in refused.value.detail


def test_an_erasure_takes_the_contacts_along():
    make_memory(subject="S1")
    subject_with_contact()
    erased("S1")
    ask()

    assert mail.outbox == []
    assert not SubjectContact.objects.exists()
    with pytest.raises(SubjectErased):
        contacts.add_contact(subject_id=find_subject("S1").pk, email=EMAIL, scope=staff_scope())


def test_there_are_not_endlessly_many():
    subject = make_subject("S1")
    for number in range(contacts.MAX_CONTACTS):
        contacts.add_contact(subject_id=subject.pk, email=f"a{number}@example.com", scope=staff_scope())

    with pytest.raises(InvalidTransition):
        contacts.add_contact(subject_id=subject.pk, email=EMAIL, scope=staff_scope())


def test_an_agent_is_no_member_of_staff():
    subject = subject_with_contact()

    with pytest.raises(ScopeMissing):
        contacts.add_contact(subject_id=subject.pk, email=EMAIL, scope=make_scope())
    with pytest.raises(ScopeMissing):
        contacts.remove_contact(contact_id=contacts_of(subject)[0].id, scope=make_scope())


def test_a_contact_that_is_not_there_is_not_found():
    with pytest.raises(NotFound):
        contacts.remove_contact(contact_id=new_id(), scope=staff_scope())


@pytest.mark.parametrize(
    "disguised",
    [
        "mi\u212ae@example.com", "ada@\uff45xample.com", "ada@ex\u00adample.com", "ada@example.com\u202e",
        "ada@example.com\nBcc: other@example.com",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_address_is_refused(disguised):
    with pytest.raises(InvalidField):
        checked(disguised)


def test_an_address_beyond_ascii_has_one_spelling():
    assert checked(" Ada@B\u00fccher.example ") == checked("ada@bu\u0308cher.example")
