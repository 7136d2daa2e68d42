"""A rollback in a real browser: one person looks and asks, another approves, the job is watched to its end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.lifecycle.rolling_back.writers import make_agent, now_of, written_by
from vault.lifecycle.rolling_back.run import execute_rollback
from vault.models import BulkRollback

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_two_people_roll_back_what_an_agent_wrote(script, visit):
    memory = written_by(make_agent("mail-bot"))
    first, second = visit(java_script_enabled=script), visit(java_script_enabled=script)
    first.sign_in("reviewer")
    first.go("/console/rollbacks/new/")
    first.page.get_by_label("Agent").select_option(label="mail-bot")
    now = timezone.now()
    for label, moment in (
        ("From (UTC)", now - timedelta(hours=1)),
        ("Until (UTC)", now + timedelta(hours=1)),
    ):
        first.page.get_by_label(label).fill(moment.strftime("%Y-%m-%dT%H:%M:%S"))
    first.page.get_by_label("Reason").select_option("agent_compromised")
    first.press("Show what would change")
    assert first.sees("Is forgotten")
    first.press("Ask for approval")
    assert first.sees("It waits for a second person")
    assert now_of(memory)[0] == "active"

    second.sign_in("reviewer")
    second.go(first.page.url)
    second.page.get_by_role("link", name="The approval").click()
    second.press("Approve")
    second.confirm()
    assert second.sees("Approved and carried out")

    first.go(first.page.url)
    assert first.sees("0 of 1 rows dealt with")
    execute_rollback(BulkRollback.objects.get().pk)
    if not script:
        first.page.get_by_role("link", name="Load again").click()
    assert first.sees("1 of 1 rows dealt with")
    assert now_of(memory)[0] == "forgotten"
