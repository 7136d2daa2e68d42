from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.console.people import confirm
from tests.factories import make_memory, make_namespace, make_quarantined_write
from tests.lifecycle.rolling_back.writers import make_agent, now_of, written_by
from vault.lifecycle.rolling_back.run import execute_rollback
from vault.models import Approval, BulkRollback, Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot():
    return make_agent("mail-bot")


def wanted(**given: object) -> dict[str, object]:
    now = timezone.now()
    window = {
        "since": (now - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S"),
        "until": (now + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%S"),
    }
    return {**window, "reason": "tampering", **given}


def preview(client, **given: object):
    return client.post("/console/rollbacks/preview/", wanted(**given))


def ask(client, **given: object):
    data = wanted(**given)
    digest = client.post("/console/rollbacks/preview/", data).context["digest"]
    return client.post("/console/rollbacks/ask/", {**data, "digest": digest})


def approve(client) -> None:
    confirm(client).post(f"/console/approvals/{Approval.objects.get().pk}/approve/")


def test_a_rollback_goes_from_the_form_to_the_end_of_its_job(officer, second_officer, bot):
    memory = written_by(bot)
    page = ask(officer, agent=bot)["Location"]
    assert b"It waits for a second person" in officer.get(page).content
    approve(second_officer)

    running = officer.get(page).content.decode()
    execute_rollback(BulkRollback.objects.get().pk)
    done = officer.get(page).content.decode()

    assert 'hx-trigger="every 2s"' in running
    assert '<progress aria-label="Rows dealt with" max="1" value="1">' in done
    assert "every 2s" not in done
    assert now_of(memory)[0] == "forgotten"


def test_the_preview_lists_what_would_change_and_changes_nothing(officer, bot):
    memory, write = written_by(bot), make_quarantined_write(agent_id=bot)

    response = preview(officer, agent=bot)

    page = response.content.decode()
    assert f"/console/memories/{memory.row.pk}/" in page
    assert f"/console/queue/{write.pk}/" in page
    assert response.context["counts"] == [("Is forgotten", 1), ("Waiting write is rejected", 1)]
    assert now_of(memory)[0] == "active"


def test_no_text_is_shown_in_a_preview(officer, bot):
    written_by(bot, "The code word is MARZIPAN.")

    assert b"MARZIPAN" not in preview(officer, agent=bot).content


def test_a_long_list_comes_in_pages(officer, bot, monkeypatch):
    monkeypatch.setattr("console.views.rollbacks.ITEM_PAGE", 2)
    for number in range(3):
        written_by(bot, f"Number {number}.")

    shown = [len(preview(officer, agent=bot, page=page).context["changes"]) for page in (1, 2)]

    assert shown == [2, 1]


def test_an_empty_wish_is_sent_back(officer):
    response = preview(officer)

    assert response.status_code == 400
    assert b"Say whose writes" in response.content


@pytest.mark.parametrize(
    "given",
    [
        {"since": ""},
        {"until": "yesterday"},
        {"reason": ""},
        {"reason": "other"},
        {"session": "S1"},
        {"agent": "S1"},
    ],
)
def test_a_field_that_is_not_valid_is_sent_back(given, officer, bot):
    assert preview(officer, **{"agent": bot, **given}).status_code == 400


def test_a_window_that_ends_before_it_begins_is_sent_back(officer, bot):
    assert b"has to end after it begins" in preview(officer, agent=bot, until="2020-01-01T00:00").content


def test_nothing_to_undo_is_said(officer, bot):
    page = preview(officer, agent=bot).content

    assert b"There is nothing to undo" in page
    assert b"Ask for approval" not in page


def test_a_reference_is_compared_and_shown_nowhere_after(officer):
    written_by(None, content={"source_ref": "mail 117"})

    page = officer.get(ask(officer, source_ref="mail 117")["Location"]).content.decode()

    assert "one reference" in page
    assert "mail 117" not in page + str(list(AuditEntry.objects.values()))


def test_a_reference_is_taken_as_it_was_written(officer):
    written_by(None, content={"source_ref": " mail 117"})

    assert preview(officer, source_ref="mail 117").context["counts"] == []
    assert preview(officer, source_ref=" mail 117").context["counts"] == [("Is forgotten", 1)]


def test_a_list_that_moved_is_shown_again_instead_of_asked_for(officer, bot):
    written_by(bot)
    data = wanted(agent=bot)
    digest = officer.post("/console/rollbacks/preview/", data).context["digest"]
    written_by(bot, "The kiosk opens at nine.")

    response = officer.post("/console/rollbacks/ask/", {**data, "digest": digest})

    assert response.status_code == 409
    assert b"no longer what you saw" in response.content
    assert response.context["counts"] == [("Is forgotten", 2)]
    assert not BulkRollback.objects.exists()


@pytest.mark.parametrize("digest", ["", "0" * 63, "zz" * 32])
def test_a_list_that_nobody_looked_at_is_not_asked_for(digest, officer, bot):
    written_by(bot)

    response = officer.post("/console/rollbacks/ask/", {**wanted(agent=bot), "digest": digest})

    assert response.status_code == 400
    assert not BulkRollback.objects.exists()


def test_a_namespace_narrows(officer, bot):
    written_by(bot, namespace="billing")

    found = preview(officer, agent=bot, namespace=make_namespace("support").pk)

    assert found.context["counts"] == []


def test_who_asked_is_not_offered_to_approve(officer, bot):
    written_by(bot)
    ask(officer, agent=bot)

    page = officer.get(f"/console/approvals/{Approval.objects.get().pk}/").content

    assert b"It waits for somebody else" in page


def test_the_approval_leads_to_the_list(officer, second_officer, bot):
    memory = written_by(bot)
    location = ask(officer, agent=bot)["Location"]

    assert location in second_officer.get(f"/console/approvals/{Approval.objects.get().pk}/").content.decode()
    assert str(memory.row.pk) in second_officer.get(location).content.decode()


def test_rollbacks_are_listed_with_whose_writes(auditor, officer, bot):
    written_by(bot)
    ask(officer, agent=bot)

    page = auditor.get("/console/rollbacks/").content.decode()

    assert "Agent mail-bot" in page
    assert "New rollback" not in page


def test_a_job_that_has_failed_is_said_to_have(officer, second_officer, bot):
    written_by(bot)
    page = ask(officer, agent=bot)["Location"]
    approve(second_officer)
    Job.objects.update(status="failed", error_code="worker_lost")

    shown = officer.get(page).content.decode()

    assert "The job has stopped" in shown
    assert "every 2s" not in shown


def test_what_is_not_there_is_not_found(officer):
    assert officer.get(f"/console/rollbacks/{make_memory().row.pk}/").status_code == 404
