from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.subject_rights.people import (
    ask,
    change_row,
    mailed_token,
    proved,
    row_of,
    rows,
    subject_with_contact,
)
from vault.errors import InvalidTransition, NotFound, ScopeMissing
from vault.lifecycle.erasure import approve_erasure, refuse_erasure
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.holds import place_hold
from vault.lifecycle.subject_rights import decisions, links, proofs
from vault.lifecycle.subject_rights.due import extended_due_of
from vault.lifecycle.subject_rights.following import follow, follow_open
from vault.lifecycle.subject_rights.proofs import public_scope
from vault.models import ErasureRequest, ProofMethod, RequestKind, RequestStatus, isolation
from vault.models.identifiers import new_id
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db


def actions(request_id) -> list[str]:
    entries = AuditEntry.objects.filter(target_id=str(request_id)).order_by("pk")
    return [entry.action for entry in entries]


def passed_on(receipt, scope=None) -> ErasureRequest:
    decisions.carry_on(request_id=receipt.request_id, scope=scope or staff_scope())
    filed = row_of(receipt).erasure_id
    with transaction.atomic():
        isolation.open_everything()
        return ErasureRequest.objects.get(pk=filed)


def test_an_erasure_that_is_passed_on_waits_verified_for_a_second_person():
    receipt = proved()
    officer = staff_scope()

    erasure = passed_on(receipt, officer)

    assert (erasure.status, erasure.requested_by) == ("verified", officer.author)
    assert row_of(receipt).status == "verified"


def test_who_passes_an_erasure_on_cannot_approve_it():
    officer = staff_scope()
    erasure = passed_on(proved(), officer)

    with pytest.raises(Exception, match="four_eyes"):
        approve_erasure(request_id=erasure.pk, scope=officer)


def test_a_request_is_as_far_as_its_erasure():
    make_memory(subject="S1")
    receipt = proved()
    erasure = passed_on(receipt)
    second = staff_scope()

    approve_erasure(request_id=erasure.pk, scope=second)
    follow(receipt.request_id)
    assert (row_of(receipt).status, row_of(receipt).decided_by) == ("approved", second.author)

    execute_erasure(erasure.pk)
    follow(receipt.request_id)
    assert row_of(receipt).status == "done"


def test_a_request_catches_up_over_several_states_at_once():
    receipt = proved()
    erasure = passed_on(receipt)
    approve_erasure(request_id=erasure.pk, scope=staff_scope())
    execute_erasure(erasure.pk)

    assert follow_open(limit=10) == 1

    row = row_of(receipt)
    assert (row.status, row.done_at is not None) == ("done", True)


def test_the_words_of_a_subject_go_with_its_erasure_and_the_request_stays():
    receipt = proved(text="I want to be forgotten.")
    erasure = passed_on(receipt)
    approve_erasure(request_id=erasure.pk, scope=staff_scope())
    assert row_of(receipt).sealed_text

    execute_erasure(erasure.pk)

    assert bytes(row_of(receipt).sealed_text) == b""


def test_a_refused_erasure_refuses_the_request_on_the_same_ground():
    receipt = proved()
    erasure = passed_on(receipt)

    refuse_erasure(request_id=erasure.pk, ground_code="legal_obligation", scope=staff_scope())
    follow(receipt.request_id)

    assert (row_of(receipt).status, row_of(receipt).ground_code) == ("refused", "legal_obligation")


def test_a_legal_hold_lets_the_request_wait():
    receipt = proved()
    passed_on(receipt)
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())

    follow(receipt.request_id)

    assert row_of(receipt).status == "on_hold"


def test_a_request_that_was_passed_on_is_not_passed_on_again():
    receipt = proved()
    passed_on(receipt)

    with pytest.raises(InvalidTransition):
        passed_on(receipt)


def test_a_request_that_was_passed_on_is_refused_where_it_is_carried_out():
    receipt = proved()
    passed_on(receipt)

    with pytest.raises(InvalidTransition):
        decisions.refuse(request_id=receipt.request_id, ground_code="legal_claims", scope=staff_scope())


def test_an_unproved_request_cannot_be_carried_on():
    subject_with_contact()
    ask()

    with pytest.raises(InvalidTransition):
        decisions.carry_on(request_id=rows()[0].pk, scope=staff_scope())


def test_a_restriction_is_in_force_at_once():
    receipt = proved(RequestKind.RESTRICTION)

    decisions.carry_on(request_id=receipt.request_id, scope=staff_scope())

    assert row_of(receipt).status == "done"
    assert find_subject("S1").restricted_at is not None


def test_a_correction_ends_when_staff_say_so():
    receipt = proved(RequestKind.CORRECTION, text="I moved away.")
    decisions.carry_on(request_id=receipt.request_id, scope=staff_scope())
    assert row_of(receipt).status == "approved"

    decisions.finish(request_id=receipt.request_id, scope=staff_scope())

    assert row_of(receipt).status == "done"


def test_only_a_correction_is_finished_by_hand():
    receipt = proved()

    with pytest.raises(InvalidTransition):
        decisions.finish(request_id=receipt.request_id, scope=staff_scope())


def test_a_refusal_names_who_and_on_which_ground():
    receipt = proved(RequestKind.RESTRICTION)
    officer = staff_scope()

    decisions.refuse(request_id=receipt.request_id, ground_code="manifestly_unfounded", scope=officer)

    row = row_of(receipt)
    assert (row.status, row.ground_code, row.decided_by) == (
        "refused", "manifestly_unfounded", officer.author,
    )  # fmt: skip


def test_a_decided_request_is_not_decided_again():
    receipt = proved(RequestKind.RESTRICTION)
    decisions.carry_on(request_id=receipt.request_id, scope=staff_scope())

    with pytest.raises(InvalidTransition):
        decisions.refuse(request_id=receipt.request_id, ground_code="legal_claims", scope=staff_scope())

    assert actions(receipt.request_id)[-1] == "subject_request.denied"


def test_two_more_months_are_given_once():
    receipt = proved()
    row = decisions.extend(request_id=receipt.request_id, reason_code="complexity", scope=staff_scope())
    assert row.due_at == extended_due_of(row.received_at)

    with pytest.raises(InvalidTransition):
        decisions.extend(request_id=receipt.request_id, reason_code="complexity", scope=staff_scope())


def test_a_second_request_for_the_same_thing_shares_the_fate_of_the_first():
    first = proved(RequestKind.RESTRICTION)
    second = proved(RequestKind.RESTRICTION)
    assert row_of(second).duplicate_of_id == first.request_id

    decisions.carry_on(request_id=first.request_id, scope=staff_scope())

    assert (row_of(first).status, row_of(second).status) == ("done", "done")


def test_a_duplicate_is_not_decided_by_itself():
    proved(RequestKind.RESTRICTION)
    second = proved(RequestKind.RESTRICTION)

    with pytest.raises(InvalidTransition):
        decisions.carry_on(request_id=second.request_id, scope=staff_scope())


def test_a_request_for_another_thing_stands_by_itself():
    proved(RequestKind.RESTRICTION)

    assert row_of(proved(RequestKind.ERASURE)).duplicate_of_id is None


def test_requests_about_an_erased_subject_are_closed():
    other = proved(RequestKind.RESTRICTION)
    erasure = passed_on(proved())
    approve_erasure(request_id=erasure.pk, scope=staff_scope())
    execute_erasure(erasure.pk)

    follow_open(limit=10)

    assert (row_of(other).status, row_of(other).ground_code) == ("refused", "erased_meanwhile")


def test_a_link_handed_out_by_staff_proves_the_request():
    subject_with_contact()
    ask()

    link = links.hand_out_link(request_id=rows()[0].pk, scope=staff_scope())
    receipt = proofs.prove(token=link.rstrip("/").rpartition("/")[2], scope=public_scope())

    assert row_of(receipt).proved_by == ProofMethod.HANDED_OUT


def test_a_link_handed_out_ends_the_one_in_the_mail():
    subject_with_contact()
    ask()
    links.hand_out_link(request_id=rows()[0].pk, scope=staff_scope())

    with pytest.raises(NotFound):
        proofs.find_proof(token=mailed_token())


def test_staff_verify_somebody_they_have_identified():
    subject_with_contact()
    ask()

    receipt = decisions.verify_in_person(request_id=rows()[0].pk, scope=staff_scope())

    assert (row_of(receipt).status, row_of(receipt).proved_by) == ("verified", "staff")


@pytest.mark.parametrize(
    "act",
    [
        lambda pk, scope: decisions.carry_on(request_id=pk, scope=scope),
        lambda pk, scope: decisions.extend(request_id=pk, reason_code="x", scope=scope),
        lambda pk, scope: decisions.refuse(request_id=pk, ground_code="x", scope=scope),
        lambda pk, scope: decisions.finish(request_id=pk, scope=scope),
        lambda pk, scope: decisions.verify_in_person(request_id=pk, scope=scope),
        lambda pk, scope: links.hand_out_link(request_id=pk, scope=scope),
    ],
)
def test_an_agent_decides_nothing_and_an_unknown_request_is_not_found(act):
    with pytest.raises(NotFound):
        act(new_id(), staff_scope())
    with pytest.raises(ScopeMissing):
        act(proved().request_id, make_scope())


@pytest.mark.parametrize(
    "broken",
    [
        {"status": "done"},
        {"status": "approved"},
        {"status": "refused", "decided_by": "staff:1"},
        {"status": "elsewhere"},
        {"extension_code": "complexity"},
        {"kind": "other"},
    ],
)
def test_the_database_holds_the_lifecycle_too(broken):
    receipt = proved()

    with pytest.raises(IntegrityError):
        change_row(receipt.request_id, **broken)


def test_the_database_lets_nobody_be_verified_without_a_proof():
    subject_with_contact()
    ask()
    unproved = rows()[0]

    with pytest.raises(IntegrityError):
        change_row(unproved.pk, status=RequestStatus.VERIFIED)
