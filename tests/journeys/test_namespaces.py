"""A policy is loosened by two people, in a browser that runs no script."""

from __future__ import annotations

import pytest

from tests.factories import make_namespace
from tests.lifecycle.namespaces.policies import in_force
from vault.models import Approval, Role

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.django_db(transaction=True),
]


def test_an_administrator_asks_to_keep_health_and_an_officer_approves(visit):
    row = make_namespace("clinic", purpose="Notes of a clinic")
    anna = visit(java_script_enabled=False)
    anna.sign_in(Role.ADMINISTRATOR)
    anna.go("/console/namespaces/")
    anna.page.get_by_role("link", name="clinic", exact=True).click()
    anna.page.get_by_role("link", name="Change", exact=True).click()
    anna.page.get_by_label("Health").check()
    anna.page.get_by_role("button", name="See what would change").first.click()
    anna.sees("Sensitive categories: Health")
    anna.page.get_by_role("textbox", name="Reason").fill("The notes are about health.")
    anna.press("Ask for approval")
    anna.confirm()
    anna.page.wait_for_url("**/approvals/**")

    asked = Approval.objects.get()
    bob = visit(java_script_enabled=False)
    bob.sign_in(Role.PRIVACY_OFFICER)
    bob.go(f"/console/approvals/{asked.pk}/")
    bob.sees("The notes are about health.")
    bob.press("Approve")
    bob.confirm()
    bob.sees("Approved and carried out.")

    bob.go(f"/console/namespaces/{row.pk}/")
    bob.sees("What is kept here, is kept because the purpose covers it: Notes of a clinic")
    assert in_force("clinic").policy == {"screening": {"allowed_sensitive": ["health"]}}
