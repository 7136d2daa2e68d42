from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.console.desk import act, actions, change, due_in, let_detectors_rest, state, verdict
from tests.console.test_queue_item import EVALUATED, SCRIPTS
from tests.factories import make_quarantined_write, make_subject
from vault.models import Agent, SavedFilter

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _detectors_rest(monkeypatch) -> None:
    let_detectors_rest(monkeypatch)


def test_what_is_due_first_stands_first(reviewer):
    late, early = due_in(9), due_in(1)

    page = reviewer.get("/console/queue/").content.decode()

    assert page.index(str(early.pk)) < page.index(str(late.pk))


def test_the_queue_counts_by_reason(reviewer):
    make_quarantined_write(verdict=verdict("injection_suspected"))
    make_quarantined_write(verdict=verdict("injection_suspected", "hidden_carrier"))

    counts = reviewer.get("/console/queue/").context["counts"]

    assert (counts.pending, dict(counts.by_reason)) == (2, {"injection_suspected": 2, "hidden_carrier": 1})


def test_what_is_overdue_is_said_in_words(reviewer):
    due_in(-1)

    assert b"Overdue" in reviewer.get("/console/queue/").content


def test_the_list_opens_no_text(reviewer):
    make_quarantined_write("Remember the marzipan rule.")

    assert b"marzipan" not in reviewer.get("/console/queue/").content
    assert not actions("quarantine.revealed")


def test_filters_live_in_the_address(reviewer):
    make_quarantined_write(verdict=verdict("injection_suspected"))
    other = make_quarantined_write(verdict=verdict("hidden_carrier"))

    queue = reviewer.get("/console/queue/?reason=hidden_carrier").context["queue"]

    assert [row.pk for row in queue.results] == [other.pk]


def test_a_filter_by_agent_shows_that_agent_s_writes_only(reviewer):
    agent = Agent.objects.create(name="web-reader")
    make_quarantined_write()
    own = make_quarantined_write(agent_id=agent.pk)

    queue = reviewer.get(f"/console/queue/?agent={agent.pk}").context["queue"]

    assert [row.pk for row in queue.results] == [own.pk]


def test_pages_of_the_queue_follow_each_other_without_a_gap(reviewer):
    writes = [due_in(hour) for hour in range(1, 53)]
    first = reviewer.get("/console/queue/").context["queue"]

    after = urlencode({"after_due": first.next.due_at.isoformat(), "after_id": first.next.id})
    second = reviewer.get(f"/console/queue/?{after}").context["queue"]

    assert [row.pk for row in (*first.results, *second.results)] == [write.pk for write in writes]


@pytest.mark.parametrize("query", ["status=nonsense", "agent=1", "after_due=x&after_id=y", "page=-1"])
def test_a_filter_that_is_not_valid_does_not_break_the_page(query, reviewer):
    assert reviewer.get(f"/console/queue/?{query}").status_code == 200


@pytest.mark.parametrize("broken", ["status=nonsense", "agent=1", "subject=S1", "id=zz", "assigned=you"])
def test_a_part_that_is_not_valid_is_left_out_and_the_others_count(broken, reviewer):
    make_quarantined_write(verdict=verdict("injection_suspected"))
    other = make_quarantined_write(verdict=verdict("hidden_carrier"))

    queue = reviewer.get(f"/console/queue/?reason=hidden_carrier&{broken}").context["queue"]

    assert [row.pk for row in queue.results] == [other.pk]


@pytest.mark.parametrize("name", ["namespace", "detector", "id"])
def test_a_filter_finds_what_it_names(name, reviewer):
    make_quarantined_write()
    own = make_quarantined_write(namespace="billing", detectors=["injection-rule/override"])
    values = {"namespace": "billing", "detector": "injection-rule/override", "id": str(own.pk)[-6:]}

    queue = reviewer.get("/console/queue/", {name: values[name]}).context["queue"]

    assert [row.pk for row in queue.results] == [own.pk]


def test_what_is_mine_is_listed_alone(reviewer, officer):
    mine, theirs = make_quarantined_write(), make_quarantined_write()
    act(reviewer, mine, "claim")
    act(officer, theirs, "claim")

    queue = reviewer.get("/console/queue/?assigned=me").context["queue"]

    assert [row.pk for row in queue.results] == [mine.pk]


def test_the_list_says_who_works_on_what(reviewer, officer):
    act(officer, make_quarantined_write(), "claim")

    assert officer.staff.email in reviewer.get("/console/queue/").content.decode()


# --- by subject ---
def find(client, external_id: str):
    return client.post("/console/queue/find-subject/", {"external_id": external_id})


def test_a_subject_is_found_by_its_own_id_and_stands_in_the_address_by_another(reviewer):
    subject = make_subject("acct-7")
    own = make_quarantined_write(subject=subject)
    make_quarantined_write()

    address = find(reviewer, "acct-7")["Location"]

    assert address == f"/console/queue/?subject={subject.pk}"
    assert [row.pk for row in reviewer.get(address).context["queue"].results] == [own.pk]


def test_an_id_that_no_subject_has_is_said_and_not_repeated(reviewer):
    response = find(reviewer, "acct-9")

    assert response["Location"] == "/console/queue/"
    page = reviewer.get("/console/queue/").content
    assert b"No subject has this id" in page
    assert b"acct-9" not in page


def test_looking_a_subject_up_is_an_entry(reviewer):
    make_subject("acct-7")

    find(reviewer, "acct-7")

    assert actions("subject.read") == ["subject.read"]


# --- saved views ---
def keep(client, name: str, query: str):
    return client.post(f"/console/queue/filters/{query}", {"name": name})


def test_a_saved_view_is_a_link_to_its_filters(reviewer):
    keep(reviewer, "Late carriers", "?reason=hidden_carrier&overdue=on")

    page = reviewer.get("/console/queue/").content.decode()

    assert 'href="/console/queue/?reason=hidden_carrier&amp;overdue=on">Late carriers</a>' in page


def test_a_saved_view_keeps_no_subject(reviewer):
    keep(reviewer, "Late carriers", f"?overdue=on&subject={make_subject().pk}&id=abcdef")

    assert SavedFilter.objects.get().query == {"overdue": "on"}


def test_a_name_that_tells_of_a_person_is_refused_with_a_word(reviewer):
    keep(reviewer, "Writes of ilse@mail.example", "?overdue=on")

    page = reviewer.get("/console/queue/").content.decode()
    assert "not a person" in page
    assert "mail.example" not in page


def test_a_saved_view_is_its_owners_alone(reviewer, officer):
    keep(reviewer, "Late carriers", "?overdue=on")
    kept = SavedFilter.objects.get()

    assert b"Late carriers" not in officer.get("/console/queue/").content
    assert officer.post(f"/console/queue/filters/{kept.pk}/delete/").status_code == 404
    assert reviewer.post(f"/console/queue/filters/{kept.pk}/delete/").status_code == 302
    assert not SavedFilter.objects.exists()


# --- deciding on many ---
def decide(client, *writes, revision: int = 1, **data: str):
    marks = [f"{write.pk}:{revision}" for write in writes]
    return client.post("/console/queue/decide/?overdue=on", {"write": marks, **data})


def test_many_are_rejected_for_one_reason_with_a_result_for_each(reviewer):
    writes = [make_quarantined_write() for _ in range(3)]

    page = decide(reviewer, *writes, verb="reject", reject_reason="not_needed")

    assert {state(write).status for write in writes} == {"rejected"}
    assert all(str(write.pk) in page.content.decode() for write in writes)
    assert page.status_code == 200


def test_many_are_released_and_lead_to_their_memories(reviewer):
    writes = [make_quarantined_write(f"Boat {number} is blue.") for number in range(2)]

    page = decide(reviewer, *writes, verb="release", release_reason="false_positive").content.decode()

    assert all(f"/console/memories/{state(write).released_as}/" in page for write in writes)


def test_if_one_cannot_be_decided_none_is_and_the_page_says_which_and_why(reviewer, officer):
    write, taken = make_quarantined_write(), make_quarantined_write()
    decide(officer, taken, verb="reject", reject_reason="not_needed")

    response = decide(reviewer, write, taken, verb="reject", reject_reason="not_needed")

    page = response.content.decode()
    assert (response.status_code, state(write).status) == (409, "pending")
    assert "Nothing was decided" in page
    assert "already_decided" in page
    assert officer.staff.email in page


def test_a_high_impact_claim_is_not_released_with_others(reviewer):
    write, claim = make_quarantined_write(), make_quarantined_write(verdict=verdict("high_impact_claim"))

    page = decide(reviewer, write, claim, verb="release", release_reason="false_positive").content

    assert b"approval_required" in page
    assert (state(write).status, state(claim).status) == ("pending", "pending")


@pytest.mark.parametrize(
    "data",
    [
        {"verb": "reject"},
        {"verb": "reject", "release_reason": "false_positive"},
        {"verb": "release", "reject_reason": "not_needed"},
        {"verb": "reject", "reject_reason": "because I say so"},
        {"verb": "erase", "reject_reason": "not_needed"},
        {"reject_reason": "not_needed"},
    ],
)
def test_without_a_verb_and_its_reason_nothing_is_decided(data, reviewer):
    write = make_quarantined_write()

    response = decide(reviewer, write, **data)

    assert response["Location"] == "/console/queue/?overdue=on"
    assert state(write).status == "pending"


@pytest.mark.parametrize("marks", [[], ["nonsense"], ["1:1"], ["x:y"] * 2])
def test_marks_that_are_none_are_said(marks, reviewer):
    data = {"write": marks, "verb": "reject", "reject_reason": "not_needed"}

    assert reviewer.post("/console/queue/decide/", data).status_code == 302


def test_one_that_changed_since_the_list_was_loaded_stops_all(reviewer):
    write = make_quarantined_write()
    change(write, revision=2)

    assert decide(reviewer, write, verb="reject", reject_reason="not_needed").status_code == 409


def test_an_auditor_marks_nothing(auditor):
    make_quarantined_write()

    assert b"data-mark" not in auditor.get("/console/queue/").content


@pytest.mark.parametrize("value", SCRIPTS)
def test_what_is_typed_into_a_filter_or_a_name_is_shown_as_text(value, reviewer):
    keep(reviewer, value[:40], "?overdue=on")

    for query in (
        {},
        {"reason": value, "detector": value, "id": value},
        {"namespace": value, "subject": value},
    ):
        page = reviewer.get("/console/queue/", query).content.decode()
        assert "<img src=x" not in page
        assert "<script>alert" not in page
        assert 'href="javascript:' not in page
        assert EVALUATED not in page
