from __future__ import annotations

import pytest

from audit.log import Actor
from audit.models import AuditEntry
from tests.console.people import confirm
from vault.lifecycle.tokens import create_agent, issue_agent_token
from vault.models import Grant, StaffUser
from vault.retrieval.scope import Right
from vault.types import Trust

pytestmark = pytest.mark.django_db
OPERATOR = Actor("system", "tests")


@pytest.fixture
def token() -> str:
    return issue_agent_token(
        agent=create_agent(name="support-bot", actor=OPERATOR),
        namespace="default",
        scopes=[Right.MEMORY_READ],
        max_trust=Trust.STATED,
        actor=OPERATOR,
    )


def suspended() -> bool:
    return Grant.objects.get().suspended_at is not None


def test_agents_are_listed_with_their_grants_and_without_their_tokens(administrator, token):
    page = administrator.get("/console/agents/").content.decode()

    assert "support-bot" in page
    assert "memory:read" in page
    assert "1 live token" in page
    assert token not in page


def test_a_grant_is_suspended_and_resumed(administrator, token):
    administrator.post(f"/console/agents/grants/{Grant.objects.get().pk}/suspend/")
    assert suspended()

    confirm(administrator).post(f"/console/agents/grants/{Grant.objects.get().pk}/resume/")

    assert not suspended()


def test_suspending_twice_is_refused(administrator, token):
    path = f"/console/agents/grants/{Grant.objects.get().pk}/suspend/"

    assert [administrator.post(path).status_code for _ in range(2)] == [302, 409]


def test_a_suspension_is_an_entry(administrator, token):
    administrator.post(f"/console/agents/grants/{Grant.objects.get().pk}/suspend/")

    entry = AuditEntry.objects.get(action="grant.changed", reason="suspended")
    assert entry.actor_id == str(administrator.staff.pk)


def test_an_auditor_sees_grants_without_the_button(auditor, token):
    assert b"Suspend" not in auditor.get("/console/agents/").content


def test_an_invitation_asks_for_the_password_again(administrator):
    response = administrator.post(
        "/console/staff/invite/", {"email": "ilse@vault.example", "role": "reviewer"}
    )

    assert response["Location"].startswith("/accounts/reauthenticate/")


def test_the_link_of_an_invitation_is_shown_once(administrator):
    page = confirm(administrator).post(
        "/console/staff/invite/", {"email": "ilse@vault.example", "role": "reviewer"}
    )

    assert b"/accounts/welcome/" in page.content
    assert b"/accounts/welcome/" not in administrator.get("/console/staff/").content


def test_an_address_that_is_taken_is_said_beside_the_field(administrator):
    response = confirm(administrator).post(
        "/console/staff/invite/", {"email": administrator.staff.email, "role": "reviewer"}
    )

    assert response.status_code == 400
    assert b"Somebody of the staff has this address" in response.content


def test_a_member_is_suspended(administrator, reviewer):
    confirm(administrator).post(f"/console/staff/{reviewer.staff.pk}/suspend/")

    assert not StaffUser.objects.get(pk=reviewer.staff.pk).is_active


def test_a_member_s_access_is_renewed_by_a_new_link(administrator, reviewer):
    page = confirm(administrator).post(f"/console/staff/{reviewer.staff.pk}/renew/")

    assert reviewer.staff.email in page.content.decode()
    assert reviewer.get("/console/queue/").status_code == 302
