"""What a change of policy does: from the next call of every process on, and to nothing that was before."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from tests.api.callers import Caller, token_for
from tests.console.people import at_the_console, confirm
from tests.lifecycle.namespaces.policies import LOOSER, REASON, change, in_force
from vault.lifecycle.desk import system_scope
from vault.models import Approval, Memory, MemoryIndex, QuarantinedWrite, Role, isolation
from vault.types import QuarantineStatus

pytestmark = pytest.mark.django_db(transaction=True)

ILLNESS = "He was diagnosed with diabetes last spring."
ANOTHER = "She was diagnosed with epilepsy in June."


def write(agent: Caller, text: str) -> dict[str, Any]:
    body = {"subject": "S1", "text": text, "source": {"type": "user"}}
    return agent.post("/memories", body).json()


def elsewhere(call: Any) -> Any:
    """Do something on another connection, as another process would."""

    def run() -> Any:
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def waiting() -> list[str]:
    with transaction.atomic():
        isolation.open_everything()
        return list(QuarantinedWrite.objects.values_list("status", flat=True))


def allow_health_at_the_console() -> None:
    """An administrator asks and a privacy officer approves."""
    row = in_force()
    given = {"expected_version": row.policy_version, "purpose": "A clinic's front desk", "reason": REASON}
    address = f"/console/namespaces/{row.pk}/policy/apply/"
    confirm(at_the_console(Role.ADMINISTRATOR)).post(address, {**given, "document": json.dumps(LOOSER)})
    approval = Approval.objects.get()
    confirm(at_the_console(Role.PRIVACY_OFFICER)).post(f"/console/approvals/{approval.pk}/approve/")


def test_what_a_purpose_covers_is_active_and_labelled_and_what_waited_still_waits():
    agent = Caller(token_for())
    assert write(agent, ILLNESS)["outcome"] == "quarantined"

    allow_health_at_the_console()
    answer = write(agent, ANOTHER)

    assert answer["outcome"] == "created"
    assert {"health"} <= {finding["type"] for finding in answer["memory"]["findings"]}
    assert waiting() == [QuarantineStatus.PENDING]


def test_a_change_on_another_connection_holds_for_the_next_write():
    agent = Caller(token_for())
    write(agent, "The depot opens at six.")

    elsewhere(lambda: change(LOOSER, scope=system_scope("operator")))

    assert write(agent, ILLNESS)["outcome"] == "created"


def test_a_stricter_policy_holds_for_the_next_write_too():
    agent = Caller(token_for())
    change(LOOSER, scope=system_scope("operator"))
    assert write(agent, ILLNESS)["outcome"] == "created"

    elsewhere(lambda: change({}))

    assert write(agent, ANOTHER)["outcome"] == "quarantined"
    with transaction.atomic():
        isolation.open_everything()
        assert Memory.objects.filter(status="active").count() == 1


def test_an_agent_finds_by_meaning_in_a_namespace_that_was_sealed_under_it():
    agent = Caller(token_for())
    write(agent, "The depot opens at six.")

    answer = confirm(at_the_console(Role.ADMINISTRATOR)).post(
        f"/console/namespaces/{in_force().pk}/seal/", {"reason": "No vectors here."}
    )
    write(agent, "Prefers replies in Hindi.")

    found = agent.post("/memories/search", {"subject": "S1", "query": "When does the depot open?"}).json()
    assert answer.status_code == 302
    assert "depot" in found["results"][0]["memory"]["text"]
    with transaction.atomic():
        isolation.open_everything()
        assert not MemoryIndex.objects.filter(vector__isnull=False).exists()
