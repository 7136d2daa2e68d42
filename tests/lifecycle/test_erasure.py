from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_quarantined_write, make_scope, make_subject, staff_scope
from tests.open_rows import everything_open
from vault.errors import (
    InvalidTransition,
    KeyDestroyed,
    NotFound,
    SameApprover,
    ScopeMissing,
    SubjectErased,
)
from vault.keys import key_vault
from vault.lifecycle.data_map import STORES
from vault.lifecycle.erasure import (
    approve_erasure,
    certificate_of,
    evidence_of,
    get_request,
    list_requests,
    preview_erasure,
    preview_request,
    refuse_erasure,
    request_erasure,
    verify_request,
)
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.verify_certificate import verify_certificate
from vault.models import ErasureRequest, Job, Memory, Subject, isolation
from vault.retrieval.scope import Right
from vault.retrieval.subjects import find_subject

pytestmark = pytest.mark.django_db


def approved(subject: str = "S1", **fields):
    """An erasure that one asked for and another approved."""
    request = request_erasure(subject=subject, reason_code="withdrawn_consent", scope=staff_scope(), **fields)
    verify_request(request_id=request.pk, scope=staff_scope())
    return approve_erasure(request_id=request.pk, scope=staff_scope())


def erased(subject: str = "S1"):
    request = approved(subject)
    execute_erasure(request.pk)
    return get_request(request_id=request.pk, scope=staff_scope())


def counts_of(subject: Subject) -> dict[str, int]:
    with transaction.atomic():
        isolation.open_whole_subject(subject.pk)
        return {store.name: store.count(subject.pk) for store in STORES}


def actions(target) -> list[str]:
    entries = AuditEntry.objects.filter(target_id=str(target)).order_by("pk")
    return list(entries.values_list("action", flat=True))


def test_an_erasure_leaves_nothing_in_any_store():
    subject = make_subject("S1")
    make_memory(subject=subject)
    make_quarantined_write(subject=subject)

    erased("S1")

    assert set(counts_of(subject).values()) == {0}


def test_an_erased_subject_is_known_to_be_erased_and_nothing_else():
    make_memory(subject="S1")

    erased("S1")

    row = find_subject("S1")
    assert row is not None
    assert row.erased_at is not None
    assert bytes(row.sealed_reference) == b""


def test_the_key_is_destroyed():
    subject = make_memory(subject="S1").row.subject

    erased("S1")

    with pytest.raises(KeyDestroyed):
        key_vault().subject(subject.pk)


def test_another_subject_is_untouched():
    make_memory(subject="S1")
    other = make_memory("Prefers the aisle seat.", subject="S2").row
    before = counts_of(other.subject)

    erased("S1")

    assert counts_of(other.subject) == before


def test_a_subject_whose_id_begins_alike_is_untouched():
    make_memory(subject="acct-7")
    longer = make_memory(subject="acct-70").row

    erased("acct-7")

    assert counts_of(longer.subject)["memories"] == 1


def test_the_certificate_verifies_with_the_vaults_own_key():
    make_memory(subject="S1")
    request = erased("S1")

    report = verify_certificate(
        certificate_of(request_id=request.pk, scope=staff_scope()),
        public_keys=key_vault().signer().public_keys(),
    )

    assert report["request"] == str(request.pk)


def test_the_certificate_counts_what_went_and_what_is_left():
    make_memory("Prefers tea", subject="S1")
    request = erased("S1")

    stores = {store["name"]: store for store in request.certificate["stores"]}

    assert stores["memories"] == {"name": "memories", "erased": 1, "left": 0}
    assert stores["versions"]["erased"] == 1
    assert stores["keyword_postings"]["erased"] > 0
    assert stores["data_key"] == {"name": "data_key", "erased": 1, "left": 0}


def test_the_certificate_says_when_it_became_unreadable_and_irrecoverable():
    make_memory(subject="S1")

    certificate = erased("S1").certificate

    assert certificate["unreadable_at"] <= certificate["irrecoverable_at"]


def test_the_certificate_names_neither_the_subject_nor_its_row():
    subject = make_memory("Ilse swims on Tuesdays", subject="ilse-4417").row.subject

    text = str(erased("ilse-4417").certificate)

    assert "ilse" not in text.lower()
    assert str(subject.pk) not in text


def test_executing_twice_erases_once():
    make_memory(subject="S1")
    request = erased("S1")

    execute_erasure(request.pk)

    assert actions(request.pk).count("erasure.executed") == 1
    assert actions(request.pk).count("certificate.issued") == 1
    assert get_request(request_id=request.pk, scope=staff_scope()).certificate == request.certificate


def test_every_step_is_an_entry():
    make_memory(subject="S1")

    request = erased("S1")

    assert actions(request.pk) == [
        "erasure.requested",
        "erasure.verified",
        "erasure.approved",
        "erasure.executed",
        "keys.destroyed",
        "keys.rotated",
        "erasure.completed",
        "certificate.issued",
    ]


@pytest.mark.parametrize("step", ["_destroy_key", "_end_epoch", "_look_again", "_certify"])
def test_an_erasure_that_stopped_before_a_step_converges(step, monkeypatch):
    subject = make_memory(subject="S1").row.subject
    request = approved("S1")

    def stop(*_):
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(f"vault.lifecycle.erasure_run.{step}", stop)
        with pytest.raises(InterruptedError):
            execute_erasure(request.pk)
    execute_erasure(request.pk)

    done = get_request(request_id=request.pk, scope=staff_scope())
    assert done.status == "done"
    assert set(counts_of(subject).values()) == {0}
    verify_certificate(done.certificate, public_keys=key_vault().signer().public_keys())


def test_an_erasure_that_stopped_after_the_key_was_gone_but_before_its_entry_converges(monkeypatch):
    make_memory(subject="S1")
    request = approved("S1")
    key_vault_of = type(key_vault())
    destroy = key_vault_of.destroy_subject

    def destroy_and_stop(self, subject_id):
        destroy(self, subject_id)
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(key_vault_of, "destroy_subject", destroy_and_stop)
        with pytest.raises(InterruptedError):
            execute_erasure(request.pk)
    execute_erasure(request.pk)

    assert get_request(request_id=request.pk, scope=staff_scope()).status == "done"


def test_what_is_not_approved_is_not_executed():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="withdrawn_consent", scope=staff_scope())

    with pytest.raises(InvalidTransition):
        execute_erasure(request.pk)


def test_the_one_who_asks_cannot_approve():
    make_memory(subject="S1")
    asker = staff_scope()
    request = request_erasure(subject="S1", reason_code="withdrawn_consent", scope=asker)
    verify_request(request_id=request.pk, scope=asker)

    with pytest.raises(SameApprover):
        approve_erasure(request_id=request.pk, scope=asker)

    refused = AuditEntry.objects.get(action="approval.refused")
    assert (refused.outcome, refused.reason) == ("refused", "four_eyes")


def test_the_database_refuses_one_person_as_both():
    subject = make_subject("S1")

    row = ErasureRequest(
        subject_id=subject.pk,
        reason_code="x",
        due_at=timezone.now(),
        status="approved",
        requested_by="staff:1",
        decided_by="staff:1",
    )

    with pytest.raises(IntegrityError), everything_open():
        row.save()


def test_an_unverified_request_cannot_be_approved():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="withdrawn_consent", scope=staff_scope())

    with pytest.raises(InvalidTransition):
        approve_erasure(request_id=request.pk, scope=staff_scope())


def test_an_agent_cannot_approve():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="withdrawn_consent", scope=staff_scope())

    with pytest.raises(ScopeMissing):
        approve_erasure(request_id=request.pk, scope=make_scope())


def test_a_second_request_is_the_first_one():
    make_memory(subject="S1")
    agent = make_scope()
    first = request_erasure(subject="S1", reason_code="withdrawn_consent", scope=agent)

    for scope in (agent, staff_scope()):
        assert request_erasure(subject="S1", reason_code="other", scope=scope).pk == first.pk
    assert AuditEntry.objects.filter(action="erasure.requested", outcome="skipped").count() == 2


def test_an_agent_is_not_given_the_request_of_another():
    make_memory(subject="S1")
    request_erasure(subject="S1", reason_code="withdrawn_consent", scope=staff_scope())

    with pytest.raises(InvalidTransition):
        request_erasure(subject="S1", reason_code="other", scope=make_scope())


def test_an_agent_without_the_right_cannot_ask():
    make_memory(subject="S1")

    with pytest.raises(ScopeMissing):
        request_erasure(subject="S1", reason_code="x", scope=make_scope(Right.MEMORY_READ))


def test_an_unknown_subject_is_not_found_and_the_attempt_recorded():
    with pytest.raises(NotFound):
        request_erasure(subject="nobody", reason_code="x", scope=staff_scope())

    assert AuditEntry.objects.get(action="access.denied").reason == "not_found"


def test_an_erased_subject_cannot_be_erased_again():
    make_memory(subject="S1")
    erased("S1")

    with pytest.raises(SubjectErased):
        request_erasure(subject="S1", reason_code="x", scope=staff_scope())


def test_an_agent_follows_its_own_request():
    make_memory(subject="S1")
    agent = make_scope()

    request = request_erasure(subject="S1", reason_code="x", scope=agent)

    assert get_request(request_id=request.pk, scope=agent).status == "received"


def test_an_agent_does_not_see_anothers_request():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="x", scope=make_scope())

    with pytest.raises(NotFound):
        get_request(request_id=request.pk, scope=make_scope())


def test_there_is_no_certificate_before_the_erasure():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="x", scope=staff_scope())

    with pytest.raises(InvalidTransition):
        certificate_of(request_id=request.pk, scope=staff_scope())


def test_a_refused_request_names_its_ground_and_erases_nothing():
    subject = make_memory(subject="S1").row.subject
    request = request_erasure(subject="S1", reason_code="x", scope=staff_scope())

    refused = refuse_erasure(request_id=request.pk, ground_code="legal_claims", scope=staff_scope())

    assert (refused.status, refused.ground_code) == ("refused", "legal_claims")
    assert counts_of(subject)["memories"] == 1


def test_after_a_refusal_a_new_request_can_be_made():
    make_memory(subject="S1")
    first = request_erasure(subject="S1", reason_code="x", scope=staff_scope())
    refuse_erasure(request_id=first.pk, ground_code="identity_not_proved", scope=staff_scope())

    assert request_erasure(subject="S1", reason_code="x", scope=staff_scope()).pk != first.pk


def test_an_approval_queues_one_job():
    make_memory(subject="S1")

    request = approved("S1")

    assert list(Job.objects.values_list("kind", "target_id")) == [("erasure", request.pk)]


def test_evidence_is_sealed_and_goes_with_the_subject():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="x", evidence="letter of 3 May", scope=staff_scope())
    assert b"letter" not in bytes(request.sealed_evidence)
    assert evidence_of(request_id=request.pk, scope=staff_scope()) == "letter of 3 May"
    verify_request(request_id=request.pk, scope=staff_scope())
    approve_erasure(request_id=request.pk, scope=staff_scope())

    execute_erasure(request.pk)

    assert evidence_of(request_id=request.pk, scope=staff_scope()) == ""


def test_a_preview_counts_and_changes_nothing():
    subject = make_memory(subject="S1").row.subject

    preview = preview_erasure(subject="S1", scope=staff_scope())

    assert preview["memories"] == 1
    assert counts_of(subject) == preview


def test_whoever_approves_is_shown_what_a_preview_counts():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="x", scope=staff_scope())

    counts = preview_request(request=request, scope=staff_scope())

    assert counts == preview_erasure(subject="S1", scope=staff_scope())


def test_an_agent_is_shown_no_counts_of_a_request():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="x", scope=staff_scope())

    with pytest.raises(ScopeMissing):
        preview_request(request=request, scope=make_scope())


def test_staff_see_the_open_requests():
    make_memory(subject="S1")
    request = request_erasure(subject="S1", reason_code="x", scope=staff_scope())

    assert [row.pk for row in list_requests(scope=staff_scope())] == [request.pk]


def test_memories_that_point_at_each_other_go_together():
    new = make_memory("Moved to Riga", subject="S1")
    subject = new.row.subject
    old = make_memory("Lives in Tallinn", subject=subject, status="superseded", superseded_by=new.row)
    assert old.row.superseded_by_id == new.row.pk

    erased("S1")

    with transaction.atomic():
        isolation.open_everything()
        assert not Memory.objects.filter(subject=subject).exists()
