from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.console.people import confirm
from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject, staff_scope
from vault.lifecycle.erasure import get_request, list_requests
from vault.lifecycle.holds import list_holds
from vault.lifecycle.subject_file import find_subject_id
from vault.models import Approval
from vault.sessions.linking import link_visitor
from vault.sessions.start import start_session

pytestmark = pytest.mark.django_db


def find(client, reference: str):
    return client.post("/console/subjects/find/", {"external_id": reference})


def file_of(client, subject, query: str = ""):
    return client.get(f"/console/subjects/{subject.pk}/{query}")


def test_a_look_up_goes_on_under_the_internal_id(officer):
    subject = make_subject("acct-7")

    location = find(officer, "acct-7")["Location"]

    assert location == f"/console/subjects/{subject.pk}/"
    assert "acct" not in location


@pytest.mark.parametrize("reference", ["acct-70", "ACCT-7", "acct_7", " acct-7", "acct-7 ", "acct", "%"])
def test_a_look_up_is_exact(reference, officer):
    make_subject("acct-7")

    assert find(officer, reference).status_code == 404


def test_a_look_up_is_recorded_without_what_was_looked_for(officer):
    make_subject("acct-7")
    find(officer, "acct-7")
    find(officer, "nobody-here")

    entries = AuditEntry.objects.filter(action="subject.read", actor_id=str(officer.staff.pk))
    assert [entry.outcome for entry in entries.order_by("pk")] == ["ok", "refused"]
    assert "acct-7" not in str(list(entries.values()))


def test_a_subject_s_id_is_never_asked_for_in_an_address(officer):
    page = officer.get("/console/subjects/").content.decode()

    assert 'method="post" action="/console/subjects/find/"' in page
    assert officer.get("/console/subjects/find/?external_id=acct-7").status_code == 405


def test_everything_on_a_subject_stands_on_one_page(officer):
    subject = make_subject("acct-7")
    make_memory("Prefers tea.", subject=subject)
    make_memory("An old one.", subject=subject, status="superseded")
    make_quarantined_write(subject=subject)

    file = file_of(officer, subject).context["file"]

    assert (file.reference, file.by_status) == ("acct-7", {"active": 1, "superseded": 1})
    assert [memory.content.text for memory in file.memories] == ["Prefers tea."]
    assert (file.versions, len(file.quarantined), file.live_tokens, file.replay_answers) == (2, 1, 0, 0)


def test_another_subject_s_memories_are_not_on_it(officer):
    make_memory("The code word is MARZIPAN.", subject="acct-70")

    assert b"MARZIPAN" not in file_of(officer, make_subject("acct-7")).content


def test_memories_of_another_state_are_a_click_away(officer):
    subject = make_subject()
    make_memory("An old one.", subject=subject, status="forgotten")

    assert b"An old one." in file_of(officer, subject, "?status=forgotten").content


def test_memories_come_in_pages(officer):
    subject = make_subject()
    for number in range(26):
        make_memory(f"Number {number}.", subject=subject)

    shown = [len(file_of(officer, subject, f"?page={page}").context["file"].memories) for page in (1, 2)]

    assert shown == [25, 1]


def test_a_subject_s_name_is_shown_as_text(officer):
    subject = make_subject('"><img src=x onerror=alert(1)>')

    assert b"<img src=x" not in file_of(officer, subject).content


def test_a_hold_is_placed_with_a_reason(officer):
    subject = make_subject("acct-7")

    officer.post(f"/console/subjects/{subject.pk}/hold/", {"reason": "litigation"})

    assert [hold.reason_code for hold in list_holds(subject="acct-7", scope=staff_scope())] == ["litigation"]


def test_a_hold_without_a_reason_is_not_placed(officer):
    subject = make_subject("acct-7")

    officer.post(f"/console/subjects/{subject.pk}/hold/", {})

    assert list_holds(subject="acct-7", scope=staff_scope()) == ()


def test_a_hold_is_lifted_when_a_second_officer_approves(officer, second_officer):
    subject = make_subject("acct-7")
    officer.post(f"/console/subjects/{subject.pk}/hold/", {"reason": "litigation"})
    (hold,) = list_holds(subject="acct-7", scope=staff_scope())

    asked = officer.post(f"/console/holds/{hold.pk}/release/", {"reason": "proceedings_ended"})["Location"]
    confirm(second_officer).post(asked + "approve/")

    assert list_holds(subject="acct-7", scope=staff_scope())[0].released_at is not None


def test_a_hold_stays_when_its_release_was_only_asked_for(officer):
    subject = make_subject("acct-7")
    officer.post(f"/console/subjects/{subject.pk}/hold/", {"reason": "litigation"})
    (hold,) = list_holds(subject="acct-7", scope=staff_scope())

    officer.post(f"/console/holds/{hold.pk}/release/", {"reason": "proceedings_ended"})

    assert list_holds(subject="acct-7", scope=staff_scope())[0].released_at is None


def test_the_release_of_a_hold_without_a_reason_is_not_asked_for(officer):
    subject = make_subject("acct-7")
    officer.post(f"/console/subjects/{subject.pk}/hold/", {"reason": "litigation"})
    (hold,) = list_holds(subject="acct-7", scope=staff_scope())

    officer.post(f"/console/holds/{hold.pk}/release/", {})

    assert not Approval.objects.exists()


def test_a_request_to_erase_is_filed_from_the_subject_s_page(officer):
    subject = make_subject("acct-7")

    response = officer.post(
        f"/console/subjects/{subject.pk}/erasure/", {"reason": "subject_request", "evidence": "A letter."}
    )

    request_id = response["Location"].rstrip("/").rpartition("/")[2]
    assert get_request(request_id=request_id, scope=staff_scope()).subject_id == subject.pk


def test_a_later_visit_is_shown_and_can_be_taken_along(officer):
    scope = make_scope()
    visit = start_session(namespace="default", scope=scope)
    link_visitor(visitor=visit.visitor, subject="acct-7", scope=scope)
    subject_id = find_subject_id(external_id="acct-7", scope=staff_scope())
    page = f"/console/subjects/{subject_id}/"
    assert "Later visits" not in officer.get(page).content.decode()
    start_session(visitor=visit.visitor, namespace="default", scope=scope)
    assert "1 session, 0 memories, 0 set aside" in officer.get(page).content.decode()

    officer.post(f"{page}erasure/", {"reason": "subject_request", "with_visits": "on"})

    assert len(list_requests(scope=staff_scope())) == 2


def test_an_auditor_sees_the_file_without_the_buttons(auditor):
    page = file_of(auditor, make_subject()).content.decode()

    assert "File a request" not in page
    assert "Place a hold" not in page
