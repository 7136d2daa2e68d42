from __future__ import annotations

import pytest

from audit.models import AuditEntry
from tests.factories import ago, make_memory, make_scope, staff_scope
from vault.errors import InvalidTransition, NotFound, ScopeMissing, StaleVersion
from vault.lifecycle.desk import system_scope
from vault.lifecycle.promotion import promote_trust
from vault.lifecycle.versions import list_versions
from vault.types import Trust

pytestmark = pytest.mark.django_db


def promote(memory, to: Trust = Trust.VERIFIED, *, at: int = 1, scope=None):
    return promote_trust(
        memory_id=memory.row.pk, trust=to, expected_version=at, reason="source_confirmed",
        scope=scope or staff_scope(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"), [(Trust.INFERRED, Trust.VERIFIED), (Trust.VERIFIED, Trust.UNTRUSTED)]
)
def test_trust_is_raised_or_lowered_by_a_version(before, after):
    memory = make_memory(trust=before.value)

    promoted = promote(memory, after)

    assert (promoted.row.trust, promoted.row.version) == (after.value, 2)
    assert promoted.content.text == memory.content.text


def test_the_history_shows_who_and_why():
    memory = make_memory(trust="inferred")
    scope = staff_scope()
    promote(memory, scope=scope)

    last = list_versions(memory_id=memory.row.pk, scope=scope)[-1]

    assert last.labels == {"trust": ("inferred", "verified")}
    assert (last.opened.row.author, last.opened.row.reason_code) == (scope.author, "source_confirmed")


def test_it_is_an_entry_with_both_levels():
    memory = make_memory(trust="inferred")
    promote(memory)

    entry = AuditEntry.objects.get(action="memory.promoted")
    assert (entry.reason, entry.facts["from_trust"], entry.facts["to_trust"]) == (
        "source_confirmed",
        "inferred",
        "verified",
    )


def test_the_trust_that_it_has_is_no_promotion():
    with pytest.raises(InvalidTransition):
        promote(make_memory(trust="stated"), Trust.STATED)


@pytest.mark.parametrize("status", ["expired", "forgotten", "superseded", "archived"])
def test_what_is_not_served_is_not_promoted(status):
    with pytest.raises(InvalidTransition):
        promote(make_memory(status=status))


def test_what_has_run_out_is_not_promoted_though_no_job_has_met_it():
    with pytest.raises(InvalidTransition):
        promote(make_memory(expires_at=ago(minutes=1)))


def test_a_page_that_is_out_of_date_is_refused_and_the_refusal_an_entry():
    with pytest.raises(StaleVersion):
        promote(make_memory(), at=2)

    assert AuditEntry.objects.get(action="memory.promoted").outcome == "refused"


@pytest.mark.parametrize("scope", [make_scope, lambda: system_scope("consolidation")])
def test_nobody_but_staff_promotes(scope):
    with pytest.raises(ScopeMissing):
        promote(make_memory(), scope=scope())


def test_what_is_not_there_is_not_promoted():
    memory = make_memory()
    memory.row.pk = memory.row.subject_id

    with pytest.raises(NotFound):
        promote(memory)
