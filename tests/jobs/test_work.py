"""One attempt at a job, with work of the test's own in the place of the real."""

from __future__ import annotations

import threading

import pytest

from vault.errors import KeyDestroyed
from vault.lifecycle import jobs, work
from vault.lifecycle.work import run_job
from vault.models import Job, JobKind, JobStatus
from vault.models.identifiers import new_id

pytestmark = pytest.mark.django_db(transaction=True)


def make_job() -> Job:
    return Job.objects.create(kind=JobKind.ERASURE, target_id=new_id())


def test_work_is_done_on_the_jobs_target():
    job, done = make_job(), []

    run_job(job_id=job.pk, work={JobKind.ERASURE: done.append})

    job.refresh_from_db()
    assert done == [job.target_id]
    assert job.status == JobStatus.DONE


def test_a_job_that_is_done_is_not_worked_on():
    job, done = make_job(), []
    Job.objects.filter(pk=job.pk).update(status=JobStatus.DONE)

    run_job(job_id=job.pk, work={JobKind.ERASURE: done.append})

    assert done == []


def test_a_refusal_is_kept_as_its_code():
    def refuse(_):
        raise KeyDestroyed

    job = make_job()

    run_job(job_id=job.pk, work={JobKind.ERASURE: refuse})

    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.QUEUED, "key_destroyed")


def test_any_other_fault_is_kept_without_its_message(caplog):
    def fail(_):
        raise ValueError("ZEBRA-CANARY-771")

    job = make_job()

    run_job(job_id=job.pk, work={JobKind.ERASURE: fail})

    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.QUEUED, "fault")
    assert "ZEBRA" not in caplog.text


def test_the_lease_is_renewed_while_the_work_lasts(monkeypatch):
    monkeypatch.setattr(work, "RENEW_SECONDS", 0.02)
    renewed = threading.Event()
    renew = jobs.renew

    def seen(job):
        renewed.set()
        return renew(job)

    monkeypatch.setattr(jobs, "renew", seen)
    job = make_job()

    run_job(job_id=job.pk, work={JobKind.ERASURE: lambda _: renewed.wait(10)})

    assert renewed.is_set()
    job.refresh_from_db()
    assert job.status == JobStatus.DONE
