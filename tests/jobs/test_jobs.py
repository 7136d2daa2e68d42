"""The rows of jobs: one owner at a time, and none is forgotten."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.models import AuditEntry
from vault.lifecycle import jobs
from vault.models import Job, JobKind, JobStatus
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db


@pytest.fixture
def nudged(monkeypatch) -> list[UUID]:
    """The jobs for which a worker was nudged; nothing goes to a broker."""
    found: list[UUID] = []
    monkeypatch.setattr(jobs, "nudge", found.append)
    return found


def make_job(**fields) -> Job:
    return Job.objects.create(**{"kind": JobKind.ERASURE, "target_id": new_id(), **fields})


def lapsed() -> object:
    return timezone.now() - timedelta(seconds=1)


def entries(action: str) -> int:
    return AuditEntry.objects.filter(action=action).count()


def test_a_worker_is_nudged_after_the_commit(nudged, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.enqueue(JobKind.ERASURE, new_id())
        assert nudged == []

    assert nudged == [job.pk]


def test_a_living_job_for_the_same_target_is_not_doubled(nudged):
    target = new_id()

    assert jobs.enqueue(JobKind.ERASURE, target).pk == jobs.enqueue(JobKind.ERASURE, target).pk


def test_the_database_allows_one_living_job_per_target():
    target = new_id()
    make_job(target_id=target)

    with pytest.raises(IntegrityError), transaction.atomic():
        make_job(target_id=target)


def test_a_claimed_job_has_a_lease_and_an_attempt():
    job = jobs.claim(make_job().pk)

    assert job is not None
    assert (job.status, job.attempts) == (JobStatus.RUNNING, 1)
    assert job.leased_until > timezone.now()


def test_a_running_job_is_not_claimed_twice():
    job = make_job()
    jobs.claim(job.pk)

    assert jobs.claim(job.pk) is None
    assert AuditEntry.objects.get(action="job.skipped").reason == "job_is_running"


def test_a_job_whose_lease_lapsed_is_claimed_again():
    job = make_job(status=JobStatus.RUNNING, attempts=1, leased_until=lapsed())

    claimed = jobs.claim(job.pk)

    assert claimed is not None
    assert claimed.attempts == 2


@pytest.mark.parametrize("status", [JobStatus.DONE, JobStatus.FAILED])
def test_a_finished_job_is_skipped(status):
    assert jobs.claim(make_job(status=status).pk) is None
    assert entries("job.skipped") == 1


def test_a_message_without_a_job_is_skipped():
    assert jobs.claim(new_id()) is None
    assert AuditEntry.objects.get(action="job.skipped").reason == "no_such_job"


def test_a_finished_job_is_done():
    job = jobs.claim(make_job().pk)

    jobs.finish(job)

    job.refresh_from_db()
    assert (job.status, job.leased_until) == (JobStatus.DONE, None)
    assert entries("job.finished") == 1


def test_a_worker_that_lost_its_job_does_not_finish_it():
    job = make_job()
    slow = jobs.claim(job.pk)
    Job.objects.filter(pk=job.pk).update(leased_until=lapsed())
    jobs.claim(job.pk)

    jobs.finish(slow)

    job.refresh_from_db()
    assert job.status == JobStatus.RUNNING
    assert not jobs.renew(slow)


def test_a_lease_can_be_renewed():
    job = jobs.claim(make_job().pk)
    Job.objects.filter(pk=job.pk).update(leased_until=lapsed())

    assert jobs.renew(job)

    job.refresh_from_db()
    assert job.leased_until > timezone.now()


def test_a_fault_queues_the_job_for_later():
    job = jobs.claim(make_job().pk)

    jobs.give_back(job, error_code="keystore_unavailable")

    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.QUEUED, "keystore_unavailable")
    assert job.leased_until > timezone.now()
    assert AuditEntry.objects.get(action="job.failed").reason == "keystore_unavailable"


def test_the_last_fault_fails_the_job():
    job = jobs.claim(make_job(attempts=jobs.MAX_ATTEMPTS - 1).pk)

    jobs.give_back(job, error_code="fault")

    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert job.finished_at is not None


def test_later_attempts_wait_longer_up_to_a_limit():
    waits = [jobs.backoff(attempt) for attempt in range(1, 40)]

    assert waits == sorted(waits)
    assert waits[0] == jobs.BACKOFF
    assert waits[-1] == jobs.LONGEST_BACKOFF


def test_the_sweeper_hands_out_a_job_whose_worker_died(nudged, django_capture_on_commit_callbacks):
    job = make_job(status=JobStatus.RUNNING, attempts=1, leased_until=lapsed())

    with django_capture_on_commit_callbacks(execute=True):
        assert jobs.sweep() == 1

    job.refresh_from_db()
    assert job.status == JobStatus.QUEUED
    assert nudged == [job.pk]


def test_the_sweeper_leaves_a_living_worker_alone():
    make_job(status=JobStatus.RUNNING, leased_until=timezone.now() + jobs.LEASE)

    assert jobs.sweep() == 0


def test_the_sweeper_does_not_nudge_again_before_the_message_had_its_time():
    make_job(leased_until=lapsed())
    jobs.sweep()

    assert jobs.sweep() == 0


def test_the_sweeper_gives_up_a_job_that_kills_its_workers(nudged):
    job = make_job(status=JobStatus.RUNNING, attempts=jobs.MAX_ATTEMPTS, leased_until=lapsed())

    jobs.sweep()

    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "worker_lost")
    assert nudged == []


def test_a_broker_that_is_down_does_not_fail_the_caller(monkeypatch):
    def refuse(*_, **__):
        raise OSError

    monkeypatch.setattr(jobs.app, "send_task", refuse)

    jobs.nudge(new_id())
