from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.console.people import confirm
from tests.factories import make_memory, make_subject
from tests.lifecycle.subject_rights.people import (
    EMAIL,
    ask,
    change_row,
    proved,
    row_of,
    rows,
    subject_with_contact,
)
from tests.lifecycle.subject_rights.test_contacts import addresses
from vault.models import RequestKind
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db


def page(client, request_id):
    return client.get(f"/console/requests/{request_id}/")


def act(client, request_id, what: str, **fields):
    return confirm(client).post(f"/console/requests/{request_id}/{what}/", fields, follow=True)


def listed(client, query: str = "") -> list:
    return [each.row.pk for each in client.get(f"/console/requests/{query}").context["found"].results]


def test_what_is_due_first_stands_first(officer):
    later, sooner = proved(RequestKind.ACCESS), proved(RequestKind.ERASURE)
    change_row(sooner.request_id, due_at=timezone.now() + timedelta(days=2))

    assert listed(officer) == [sooner.request_id, later.request_id]


def test_filters_live_in_the_address(officer):
    access, erasure = proved(RequestKind.ACCESS), proved(RequestKind.ERASURE)
    change_row(access.request_id, due_at=timezone.now() - timedelta(days=1))
    change_row(erasure.request_id, due_at=timezone.now() + timedelta(days=3))

    assert listed(officer, "?kind=access") == [access.request_id]
    assert listed(officer, "?due=overdue") == [access.request_id]
    assert listed(officer, "?due=due_soon") == [erasure.request_id]
    assert listed(officer, "?status=done") == []
    assert len(listed(officer, "?status=nonsense")) == 2


def test_what_is_overdue_is_counted_and_marked(officer):
    change_row(proved().request_id, due_at=timezone.now() - timedelta(days=1))
    shown = officer.get("/console/requests/")

    assert shown.context["found"].by_urgency["overdue"] == 1
    assert b"Overdue</span>" in shown.content


def test_a_request_that_shares_a_fate_is_not_listed_twice(officer):
    first = proved(RequestKind.RESTRICTION)
    second = proved(RequestKind.RESTRICTION)

    assert listed(officer) == [first.request_id]
    assert b"Decide on" in page(officer, second.request_id).content


def test_a_link_is_handed_out_once_and_shown_once(officer):
    subject_with_contact()
    ask()
    answer = act(officer, rows()[0].pk, "link")

    assert b"/privacy/link/" in answer.content
    assert b"/privacy/link/" not in page(officer, rows()[0].pk).content


def test_a_link_is_handed_out_only_by_somebody_who_confirms(officer):
    subject_with_contact()
    ask()

    answer = officer.post(f"/console/requests/{rows()[0].pk}/link/")

    assert "/accounts/" in answer["Location"]


def test_somebody_identified_in_person_gets_a_number(officer):
    subject_with_contact()
    ask()

    answer = act(officer, rows()[0].pk, "verify")

    assert len(answer.context["receipt"].number) > 30
    assert rows()[0].status == "verified"


def test_whoever_vouched_is_told_that_another_person_grants_access(officer, second_officer):
    subject_with_contact()
    ask(RequestKind.ACCESS)
    request_id = rows()[0].pk
    act(officer, request_id, "verify")

    assert b"another person grants it" in page(officer, request_id).content
    assert b"Grant access" not in page(officer, request_id).content
    assert b"Grant access" in page(second_officer, request_id).content


def test_whoever_passed_a_file_on_is_shown_no_button_that_vouches(officer, second_officer):
    subject_with_contact()
    ask(RequestKind.ACCESS)
    first = rows()[0].pk
    act(second_officer, first, "verify")
    act(officer, first, "carry-on")
    ask(RequestKind.ERASURE)
    later = next(row for row in rows() if row.pk != first)
    rights = f"/console/subjects/{later.subject_id}/rights/"

    assert b"another person vouches" in page(officer, later.pk).content
    assert f"/console/requests/{later.pk}/link/".encode() not in page(officer, later.pk).content
    assert f"{rights}contact/".encode() not in officer.get(rights).content
    assert f"/console/requests/{later.pk}/link/".encode() in page(second_officer, later.pk).content
    assert f"{rights}contact/".encode() in second_officer.get(rights).content


def test_time_is_given_once_with_a_reason(officer):
    receipt = proved()
    act(officer, receipt.request_id, "extend", reason="")
    assert row_of(receipt).extended_at is None

    act(officer, receipt.request_id, "extend", reason="complexity")

    assert row_of(receipt).extension_code == "complexity"
    assert act(officer, receipt.request_id, "extend", reason="complexity").status_code == 409


def test_a_request_is_refused_on_a_ground_of_the_list(officer):
    receipt = proved(RequestKind.RESTRICTION)
    act(officer, receipt.request_id, "refuse", reason="because")
    assert row_of(receipt).status == "verified"

    act(officer, receipt.request_id, "refuse", reason="manifestly_unfounded")

    assert row_of(receipt).ground_code == "manifestly_unfounded"


def test_a_restriction_is_carried_out_and_shown(officer):
    receipt = proved(RequestKind.RESTRICTION)
    memory = make_memory(subject="S1")

    act(officer, receipt.request_id, "carry-on")

    subject = find_subject("S1")
    for path in (f"/console/subjects/{subject.pk}/", f"/console/memories/{memory.row.pk}/"):
        assert b"Restricted" in officer.get(path).content


def test_an_erasure_leads_on_to_its_own_page(officer):
    receipt = proved()

    shown = act(officer, receipt.request_id, "carry-on")

    assert f"/console/erasure/{row_of(receipt).erasure_id}/".encode() in shown.content


def test_words_are_masked_until_somebody_opens_them(officer):
    receipt = proved(RequestKind.CORRECTION, text="I live in Mill Lane.")

    assert b"Mill Lane" not in page(officer, receipt.request_id).content
    assert b"Mill Lane" in act(officer, receipt.request_id, "words").content
    assert AuditEntry.objects.filter(action="subject_request.read", reason="text").count() == 1


def test_an_auditor_sees_a_request_and_not_what_was_written(auditor):
    receipt = proved(RequestKind.CORRECTION, text="I live in Mill Lane.")
    shown = page(auditor, receipt.request_id)

    assert shown.status_code == 200
    assert b"Read what they wrote" not in shown.content
    assert auditor.post(f"/console/requests/{receipt.request_id}/words/").status_code == 403


def granted(officer):
    memory = make_memory("Lives in Harbour Street.", subject="S1")
    receipt = proved(RequestKind.CORRECTION, text="Wrong street.")
    act(officer, receipt.request_id, "carry-on")
    return memory, receipt


def test_a_memory_is_corrected_and_the_request_ended(officer):
    memory, receipt = granted(officer)
    path = f"/console/requests/{receipt.request_id}/memories/{memory.row.pk}/"
    assert b"Harbour Street" in officer.get(path).content

    officer.post(f"{path}write/", {"text": "Lives in Mill Lane.", "expected_version": 1})
    act(officer, receipt.request_id, "finish")

    assert b"Mill Lane" in officer.get(f"/console/memories/{memory.row.pk}/").content
    assert row_of(receipt).status == "done"


def test_a_correction_that_somebody_overtook_is_not_written(officer):
    memory, receipt = granted(officer)
    path = f"/console/requests/{receipt.request_id}/memories/{memory.row.pk}/write/"

    assert officer.post(path, {"text": "Lives in Mill Lane.", "expected_version": 7}).status_code == 409


def test_a_correction_with_a_credential_comes_back(officer):
    memory, receipt = granted(officer)
    path = f"/console/requests/{receipt.request_id}/memories/{memory.row.pk}/write/"
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"

    assert officer.post(path, {"text": f"Uses {secret}", "expected_version": 1}).status_code == 400


def test_contacts_are_registered_and_removed_on_the_page_of_the_subject(officer):
    subject = make_subject("S1")
    path = f"/console/subjects/{subject.pk}/rights/"
    confirm(officer).post(f"{path}contact/", {"email": EMAIL})
    shown = officer.get(path)
    assert EMAIL.encode() in shown.content
    assert addresses() == [EMAIL]

    officer.post(f"/console/contacts/{shown.context['rights'].contacts[0].id}/remove/")

    assert addresses() == []


def test_a_restriction_needs_a_reason_to_begin_and_to_end(officer):
    subject = make_subject("S1")
    path = f"/console/subjects/{subject.pk}/rights/"
    officer.post(f"{path}restrict/", {"reason": ""})
    assert find_subject("S1").restricted_at is None
    officer.post(f"{path}restrict/", {"reason": "accuracy_contested"})
    assert find_subject("S1").restricted_at is not None

    confirm(officer).post(f"{path}lift/", {"reason": "subject_agreed"})

    assert find_subject("S1").restricted_at is None


def test_without_a_mail_server_the_page_says_so(officer, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

    assert b"No mail server is set" in officer.get("/console/requests/").content


def test_a_request_that_is_not_there_is_not_found(officer):
    assert page(officer, "01890a5d-ac96-774b-bcce-b302099a8057").status_code == 404
