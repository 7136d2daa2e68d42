"""Exports at the console: asked for, approved by another, fetched after confirming again."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.console.people import confirm
from tests.factories import make_memory, make_subject
from tests.lifecycle.access_export.making import approval_of, fresh, made
from tests.open_rows import everything_open
from vault.lifecycle.access_export import execute_export
from vault.models import AccessExport

pytestmark = pytest.mark.django_db


def ask(client, subject, reason: str = "access_request"):
    return client.post(f"/console/subjects/{subject.pk}/export/", {"reason": reason})


def only_export() -> AccessExport:
    with everything_open():
        return AccessExport.objects.get()


def fetch(client, export, purpose: str = "hand_to_subject"):
    return client.post(f"/console/exports/{export.pk}/file/", {"reason": purpose})


def test_an_export_is_asked_for_from_the_subject_s_page(officer):
    subject = make_subject("acct-7")
    assert b"Export everything" in officer.get(f"/console/subjects/{subject.pk}/").content

    response = ask(officer, subject)

    assert response["Location"] == f"/console/exports/{only_export().pk}/"
    assert b"It waits for a second person" in officer.get(response["Location"]).content


def test_without_a_reason_nothing_is_asked_for(officer):
    ask(officer, make_subject(), reason="")

    with everything_open():
        assert not AccessExport.objects.exists()


def test_an_export_goes_from_one_officer_over_another_to_a_file(officer, second_officer):
    subject = make_memory("Prefers tea.", subject="acct-7").row.subject
    ask(officer, subject)
    export = only_export()
    approval = approval_of(export)

    confirm(second_officer).post(f"/console/approvals/{approval.pk}/approve/")
    assert fresh(export).status == "queued"
    execute_export(export.pk)
    response = fetch(confirm(officer), export)

    raw = b"".join(response.streaming_content)
    assert response["Content-Disposition"] == f'attachment; filename="access-export-{export.pk}.zip"'
    assert len(raw) == int(response["Content-Length"])
    assert b"Prefers tea." in zipfile.ZipFile(io.BytesIO(raw)).read("export.json")


def test_the_one_who_asked_cannot_approve_it(officer):
    ask(officer, make_subject())
    export = only_export()

    confirm(officer).post(f"/console/approvals/{approval_of(export).pk}/approve/")

    assert fresh(export).status == "waiting_for_approval"


def test_the_approval_leads_to_the_export(officer):
    ask(officer, make_subject())
    export = only_export()

    page = officer.get(f"/console/approvals/{approval_of(export).pk}/").content.decode()

    assert f"/console/exports/{export.pk}/" in page
    assert f"staff:{officer.staff.pk}" not in page


def test_a_download_asks_for_the_password_again(officer):
    export = made(make_subject())

    asked = fetch(officer, export)["Location"]

    assert asked.startswith("/accounts/reauthenticate/")
    # A download leaves the page where it is, which would look as if nothing had happened.
    assert "This page stays as it is" in officer.get(asked).content.decode()


def test_a_download_needs_a_purpose_and_is_recorded_with_it(officer):
    export = made(make_subject())
    confirm(officer)

    assert fetch(officer, export, purpose="")["Location"] == f"/console/exports/{export.pk}/"
    assert not AuditEntry.objects.filter(action="export.downloaded").exists()
    fetch(officer, export)

    entry = AuditEntry.objects.get(action="export.downloaded")
    assert (entry.actor_id, entry.reason, entry.outcome) == (
        str(officer.staff.pk),
        "hand_to_subject",
        "ok",
    )


def test_a_file_whose_time_is_up_is_gone(officer):
    export = made(make_subject())
    with everything_open():
        AccessExport.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert fetch(confirm(officer), export).status_code == 410
    assert b"The file was destroyed" in officer.get(f"/console/exports/{export.pk}/").content


def test_an_auditor_follows_exports_without_the_file(auditor):
    export = made(make_subject())

    page = auditor.get(f"/console/exports/{export.pk}/").content.decode()

    assert "The file is ready" in page
    assert "Download" not in page
    assert fetch(auditor, export).status_code == 403


def test_a_list_tells_states_and_no_subject(officer):
    made(make_subject("acct-7"))

    page = officer.get("/console/exports/?status=ready").content.decode()

    assert "Ready" in page
    assert "acct-7" not in page
