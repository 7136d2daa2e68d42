"""Jobs on real workers, and what a kill -9 leaves behind. The suite runs on every broker alike."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connections, transaction
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, staff_scope
from tests.jobs.conftest import Broker, wait_until
from vault.errors import SubjectErased
from vault.keys import key_vault
from vault.lifecycle import jobs
from vault.lifecycle.erasure import approve_erasure, get_request, request_erasure, verify_request
from vault.lifecycle.verify_certificate import verify_certificate
from vault.models import ErasureRequest, Job, JobStatus
from vault.retrieval.subjects import find_subject, require_subject

pytestmark = pytest.mark.django_db(transaction=True)

# The lock that the sealer of the audit log takes: holding it stops an erasure between its last rows and its
# certificate.
SEALER_LOCK = 0x6175646974


def approved(subject: str = "S1") -> ErasureRequest:
    make_memory("Prefers replies in Hindi", subject=subject)
    request = request_erasure(subject=subject, reason_code="withdrawn_consent", scope=staff_scope())
    verify_request(request_id=request.pk, scope=staff_scope())
    return approve_erasure(request_id=request.pk, scope=staff_scope())


def job_of(request: ErasureRequest) -> Job:
    return Job.objects.get(target_id=request.pk)


def is_done(request: ErasureRequest) -> bool:
    return job_of(request).status == JobStatus.DONE


def count_of(action: str) -> int:
    return AuditEntry.objects.filter(action=action).count()


def let_the_lease_lapse(request: ErasureRequest) -> None:
    Job.objects.filter(target_id=request.pk).update(leased_until=timezone.now() - timedelta(seconds=1))


@contextmanager
def held_lock(statement: str, parameter: object) -> Iterator[None]:
    """A lock that a worker runs into, held by another connection."""
    with transaction.atomic(using="owner"):
        with connections["owner"].cursor() as cursor:
            cursor.execute(statement, [parameter])
        yield


def test_a_worker_executes_an_approved_erasure(broker: Broker):
    broker.start_worker()

    request = approved()

    wait_until(lambda: is_done(request))
    certificate = get_request(request_id=request.pk, scope=staff_scope()).certificate
    verify_certificate(certificate, public_keys=key_vault().signer().public_keys())
    with pytest.raises(SubjectErased):
        require_subject("S1", scope=staff_scope())


def test_a_worker_killed_before_the_rows_went_loses_nothing(broker: Broker):
    worker = broker.start_worker()
    subject = make_memory("Takes the early train", subject="S1").row.subject_id
    with held_lock("SELECT 1 FROM vault_subject WHERE id = %s FOR NO KEY UPDATE", subject):
        with transaction.atomic():
            request = waiting_request(subject)
        wait_until(lambda: job_of(request).status == JobStatus.RUNNING)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    let_the_lease_lapse(request)
    broker.start_worker()

    jobs.sweep()

    wait_until(lambda: is_done(request))
    assert count_of("erasure.executed") == 1
    assert job_of(request).attempts == 2


def waiting_request(subject) -> ErasureRequest:
    """An approved request and its job, made without the subject's lock, which the test holds."""
    from vault.models import JobKind, isolation  # noqa: PLC0415

    isolation.open_everything()
    request = ErasureRequest.objects.create(
        subject_id=subject, reason_code="x", due_at=timezone.now(), status="approved",
        requested_by="staff:1", decided_by="staff:2", decided_at=timezone.now(),
    )  # fmt: skip
    jobs.enqueue(JobKind.ERASURE, request.pk)
    return request


def test_a_worker_killed_between_rows_and_certificate_loses_nothing(broker: Broker):
    worker = broker.start_worker()
    with held_lock("SELECT pg_advisory_xact_lock(%s)", SEALER_LOCK):
        request = approved()
        wait_until(lambda: count_of("erasure.completed") == 1)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    subject = find_subject("S1")
    assert subject is not None
    assert subject.erased_at is not None
    assert job_of(request).status == JobStatus.RUNNING
    let_the_lease_lapse(request)
    broker.start_worker()

    jobs.sweep()

    wait_until(lambda: is_done(request))
    assert count_of("erasure.executed") == count_of("keys.destroyed") == count_of("certificate.issued") == 1


def test_a_job_delivered_twice_has_its_effect_once(broker: Broker):
    request = approved()
    jobs.nudge(job_of(request).pk)
    broker.start_worker()

    wait_until(lambda: count_of("job.skipped") == 1)

    assert is_done(request)
    assert count_of("erasure.executed") == count_of("certificate.issued") == 1


def test_a_job_delivered_while_it_runs_is_skipped(broker: Broker):
    broker.start_worker()
    broker.start_worker()
    with held_lock("SELECT pg_advisory_xact_lock(%s)", SEALER_LOCK):
        request = approved()
        wait_until(lambda: job_of(request).status == JobStatus.RUNNING)

        jobs.nudge(job_of(request).pk)

        wait_until(lambda: count_of("job.skipped") == 1)
        assert AuditEntry.objects.get(action="job.skipped").reason == "job_is_running"
    wait_until(lambda: is_done(request))
    assert count_of("erasure.executed") == 1


def test_a_lost_message_is_made_good_by_the_sweeper(broker: Broker, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "nudge", lambda job_id: None)
        request = approved()
    broker.start_worker()
    let_the_lease_lapse(request)

    assert jobs.sweep() == 1

    wait_until(lambda: is_done(request))


def test_the_workers_log_holds_no_text_and_no_subject(broker: Broker):
    broker.start_worker()
    request = approved("ZEBRA-CANARY-771")

    wait_until(lambda: is_done(request))

    log = broker.log.read_text(encoding="utf-8")
    assert "ZEBRA" not in log
    assert "Hindi" not in log
