from __future__ import annotations

import json

import pytest

from tests.console.people import confirm
from tests.factories import make_memory, make_subject, staff_scope
from vault.lifecycle.erasure import approve_erasure, get_request, request_erasure, verify_request
from vault.lifecycle.erasure_run import execute_erasure

pytestmark = pytest.mark.django_db


@pytest.fixture
def filed(officer):
    """A request that `officer` filed, for a subject with one memory."""
    subject = make_subject("acct-7")
    make_memory("Prefers tea.", subject=subject)
    officer.post(
        f"/console/subjects/{subject.pk}/erasure/",
        {"reason": "subject_request", "evidence": "A letter of May."},
    )
    return request_erasure(subject="acct-7", reason_code="subject_request", scope=staff_scope())


def act(client, request, verb: str, **data):
    return client.post(f"/console/erasure/{request.pk}/{verb}/", data)


def status(request) -> str:
    return get_request(request_id=request.pk, scope=staff_scope()).status


def done():
    request = request_erasure(subject="acct-7", reason_code="subject_request", scope=staff_scope())
    verify_request(request_id=request.pk, scope=staff_scope())
    approve_erasure(request_id=request.pk, scope=staff_scope())
    execute_erasure(request.pk)
    return request


def test_a_second_person_approves_what_the_first_has_filed(filed, officer, second_officer):
    act(officer, filed, "verify")
    act(confirm(second_officer), filed, "approve")

    assert status(filed) == "approved"


def test_the_one_who_filed_it_cannot_approve_it(filed, officer):
    act(officer, filed, "verify")

    response = act(confirm(officer), filed, "approve")

    assert response.status_code == 403
    assert b"This needs a second person" in response.content
    assert status(filed) == "verified"


def test_the_one_who_filed_it_is_not_offered_to_approve_it(filed, officer):
    act(officer, filed, "verify")

    page = officer.get(f"/console/erasure/{filed.pk}/").content

    assert b"Approve the erasure" not in page
    assert b"somebody else approves it" in page


def test_an_approval_asks_for_the_password_again(filed, officer, second_officer):
    act(officer, filed, "verify")

    response = act(second_officer, filed, "approve")

    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert status(filed) == "verified"


def test_what_is_not_verified_cannot_be_approved(filed, second_officer):
    assert act(confirm(second_officer), filed, "approve").status_code == 409


def test_a_request_is_refused_on_a_ground(filed, second_officer):
    act(second_officer, filed, "refuse", reason="legal_claims")

    assert get_request(request_id=filed.pk, scope=staff_scope()).ground_code == "legal_claims"


def test_a_refusal_without_a_ground_changes_nothing(filed, second_officer):
    act(second_officer, filed, "refuse")

    assert status(filed) == "received"


def test_under_a_hold_an_approval_makes_it_wait(filed, officer, second_officer):
    act(officer, filed, "verify")
    officer.post(f"/console/subjects/{filed.subject_id}/hold/", {"reason": "litigation"})

    page = second_officer.get(f"/console/erasure/{filed.pk}/").content

    assert b"A legal hold stands" in page


def test_evidence_is_opened_by_a_deliberate_act(filed, officer):
    assert b"A letter of May." not in officer.get(f"/console/erasure/{filed.pk}/").content
    assert b"A letter of May." in act(officer, filed, "evidence").content


def test_open_requests_are_listed(filed, officer):
    assert str(filed.pk).encode() in officer.get("/console/erasure/").content


def test_a_list_of_one_state_holds_no_other(filed, officer):
    assert str(filed.pk).encode() not in officer.get("/console/erasure/?status=done").content


def test_before_the_end_there_is_no_certificate(filed, officer):
    assert officer.get(f"/console/erasure/{filed.pk}/certificate/").status_code == 409


def test_the_certificate_shows_what_was_erased_per_store(officer):
    make_memory(subject="acct-7")
    request = done()

    page = officer.get(f"/console/erasure/{request.pk}/certificate/").content.decode()

    assert "Certificate of erasure" in page
    assert "Keyword postings" in page
    assert "acct-7" not in page


def test_the_certificate_is_a_file_to_keep(officer):
    make_memory(subject="acct-7")
    request = done()

    response = officer.get(f"/console/erasure/{request.pk}/certificate.json")

    assert response["Content-Disposition"] == f'attachment; filename="erasure-{request.pk}.json"'
    assert json.loads(response.content)["request"] == str(request.pk)


def test_an_erased_subject_s_page_holds_nothing_of_it(officer):
    subject = make_subject("acct-7")
    make_memory("Prefers tea.", subject=subject)
    done()

    page = officer.get(f"/console/subjects/{subject.pk}/").content.decode()

    assert "An erased subject" in page
    assert "acct-7" not in page
    assert "tea" not in page.replace("steady", "")


def test_an_auditor_cannot_decide(filed, auditor):
    assert act(auditor, filed, "verify").status_code == 403


def test_who_approves_sees_how_much_would_go_and_none_of_its_text(filed, officer, second_officer):
    act(officer, filed, "verify")

    page = second_officer.get(f"/console/erasure/{filed.pk}/").content.decode()

    assert "What would go" in page
    assert "Memories <b>1</b>" in page
    assert "tea" not in page


def test_an_auditor_is_told_who_approves_and_why_they_do_not(filed, officer, auditor):
    act(officer, filed, "verify")

    page = auditor.get(f"/console/erasure/{filed.pk}/").content.decode()

    assert "Privacy officer, and not the one who asked" in page
    assert "You cannot: your role is auditor" in page


def test_what_is_erased_counts_nothing_any_more(officer):
    make_memory(subject=make_subject("acct-7"))

    assert "What would go" not in officer.get(f"/console/erasure/{done().pk}/").content.decode()
