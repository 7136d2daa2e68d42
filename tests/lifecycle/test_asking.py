"""To ask for a second person is no refusal: the log then holds what was asked, and nothing refused or denied."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from audit.actions import Action as Event
from audit.models import AuditEntry
from tests.factories import make_memory, make_quarantined_write, make_subject, staff_scope
from tests.lifecycle.namespaces.policies import LOOSER
from tests.lifecycle.namespaces.policies import change as change_policy
from tests.lifecycle.reviewing.desk import CLAIM, verdict_of
from tests.lifecycle.rolling_back import writers
from vault.errors import ApprovalRequired, VaultError
from vault.lifecycle.access_export import request_export
from vault.lifecycle.desk import refusals_noted
from vault.lifecycle.erasure import request_erasure
from vault.lifecycle.holds import ask_hold_release, place_hold
from vault.lifecycle.key_epoch import ask_key_epoch
from vault.lifecycle.retraining import ask_for_set, take_set
from vault.lifecycle.reviewing.deciding import release_write
from vault.lifecycle.reviewing.four_eyes import ask_release

pytestmark = pytest.mark.django_db


def release() -> None:
    """As the desk does it: one person tries, hears that two are needed, and asks."""
    write = make_quarantined_write("Refunds are approved by two people.", verdict=verdict_of(CLAIM))
    scope = staff_scope()
    with pytest.raises(ApprovalRequired):
        release_write(write_id=write.pk, revision=1, reason_code="source_confirmed", scope=scope)
    ask_release(write_id=write.pk, revision=1, reason_code="source_confirmed", scope=scope)


def rollback() -> None:
    agent = writers.make_agent()
    writers.written_by(agent)
    writers.asked(agent_id=agent)


def erasure() -> None:
    make_memory(subject="S1")
    request_erasure(subject="S1", reason_code="withdrawn_consent", scope=staff_scope())


def export() -> None:
    request_export(subject_id=make_subject().pk, reason_code="access_request", scope=staff_scope())


def hold() -> None:
    make_memory(subject="S1")
    placed = place_hold(subject="S1", reason_code="litigation", scope=staff_scope())
    ask_hold_release(hold_id=placed.pk, reason_code="case_closed", scope=staff_scope())


ASKED: dict[Callable[[], object], str] = {
    release: "approval.requested",
    rollback: "approval.requested",
    export: "approval.requested",
    hold: "approval.requested",
    lambda: change_policy(LOOSER): "approval.requested",
    lambda: ask_key_epoch(reason_code="routine", scope=staff_scope()): "approval.requested",
    lambda: ask_for_set(reason_code="retrain_filter", scope=staff_scope()): "approval.requested",
    erasure: "erasure.requested",
}


@pytest.mark.parametrize(
    "ask",
    ASKED,
    ids=["release", "rollback", "export", "hold", "policy", "key epoch", "retraining", "erasure"],
)
def test_a_request_for_a_second_person_is_all_that_is_noted(ask):
    ask()

    found = list(AuditEntry.objects.values_list("action", "outcome"))
    assert (ASKED[ask], "ok") in found
    assert [action for action, outcome in found if outcome in ("refused", "denied")] == []


def test_an_act_that_is_tried_without_its_approval_is_still_noted_as_refused():
    with pytest.raises(ApprovalRequired):
        take_set(scope=staff_scope())

    entry = AuditEntry.objects.get(action="export.downloaded")
    assert (entry.outcome, entry.reason) == ("refused", "approval_required")


def test_what_is_no_refusal_is_raised_and_not_noted():
    with (
        pytest.raises(ApprovalRequired),
        refusals_noted(Event.KEYS_ROTATED, scope=staff_scope(), kind="x", unless=ApprovalRequired),
        transaction.atomic(),
    ):
        raise ApprovalRequired

    assert not AuditEntry.objects.exists()


def test_another_refusal_beside_it_is_noted():
    with (
        pytest.raises(VaultError),
        refusals_noted(Event.KEYS_ROTATED, scope=staff_scope(), kind="x", unless=ApprovalRequired),
    ):
        raise VaultError

    assert AuditEntry.objects.get().outcome == "refused"
