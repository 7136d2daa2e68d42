"""An export by two people in a real browser, and the page in its file, opened as anybody would."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from uuid import UUID

import pytest

from tests.factories import make_memory, make_quarantined_write, make_scope
from tests.journeys.looks import each_scheme
from vault.lifecycle.access_export import execute_export
from vault.models import Role
from vault.retrieval.read import get_memory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]

# Nothing but the page's own style makes it so.
ROUNDED = "getComputedStyle(document.querySelector('section')).borderRadius"
# Where to leave pictures of the pages, when somebody wants to look at them.
PICTURES = os.environ.get("JOURNEY_PICTURES", "")


def picture(visitor, name: str) -> None:
    if PICTURES:
        for scheme in each_scheme(visitor.page):
            visitor.page.screenshot(path=str(Path(PICTURES) / f"{name}-{scheme}.png"), full_page=True)


def test_two_people_make_an_export_and_its_page_opens_without_a_complaint(visit, tmp_path):
    memory = make_memory("Prefers replies in Hindi.", subject="supplier-8841").row
    make_memory("Pays\u202e late <b>always</b>.", subject=memory.subject, status="superseded")
    make_quarantined_write(subject=memory.subject)
    get_memory(memory_id=memory.pk, scope=make_scope(agent="support-bot"))
    first, second = visit(accept_downloads=True), visit()
    first.sign_in(Role.PRIVACY_OFFICER)
    second.sign_in(Role.PRIVACY_OFFICER)

    first.go(f"/console/subjects/{memory.subject_id}/")
    first.page.locator("summary", has_text="Export everything").click()
    first.page.locator("#export_reason").select_option("access_request")
    picture(first, "subject")
    first.press("Export everything")
    assert first.sees("It waits for a second person")
    picture(first, "waiting")
    address = first.page.url
    second.go(address)
    second.page.get_by_role("link", name="To the approval").click()
    picture(second, "approval")
    second.press("Approve")
    if "reauthenticate" in second.page.url:
        second.confirm()
    second.page.wait_for_url("**/approvals/**")
    first.go(address)
    assert first.sees("The file is being made")
    picture(first, "queued")
    execute_export(UUID(address.rstrip("/").rpartition("/")[2]))
    first.go(address)
    first.page.locator("#purpose").select_option("hand_to_subject")
    picture(first, "ready")
    with first.page.expect_download() as waited:
        first.press("Download")
        if "reauthenticate" in first.page.url:
            first.confirm()
    file = tmp_path / "file.zip"
    waited.value.save_as(file)
    first.go("/console/exports/")
    picture(first, "list")

    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path)
    reader = visit()
    reader.page.goto((tmp_path / "export.html").as_uri())
    assert reader.sees("What is kept on supplier-8841")
    for _ in each_scheme(reader.page):
        assert reader.page.evaluate(ROUNDED) == "10px"
    picture(reader, "file")
