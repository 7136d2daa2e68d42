"""Jobs as rows: handed out by a lease, taken up again by a sweeper when a worker or a message was lost.

The broker's message is a nudge with the job's id. Lost, the sweeper sends another; delivered twice, the
second finds the row taken and leaves an entry that it was skipped.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from audit.actions import Action, Outcome
from audit.log import Actor, Target, record
from vault.celery import app
from vault.models import Job, JobKind, JobStatus

RUN_TASK = "vault.tasks.run_job"
LEASE = timedelta(seconds=60)
# How long a nudge may be on its way before the sweeper sends another.
NUDGE_GRACE = timedelta(seconds=30)
MAX_ATTEMPTS = 10
BACKOFF = timedelta(seconds=5)
LONGEST_BACKOFF = timedelta(minutes=10)
SWEEP_BATCH = 200

JOBS = Actor("system", "jobs")

logger = structlog.get_logger(__name__)


def enqueue(kind: JobKind, target_id: UUID) -> Job:
    """Write down a job in the caller's transaction; a worker is nudged once that commits.

    A job of this kind that still lives for the target is returned instead. Raises RuntimeError outside a
    transaction: a nudge must never run ahead of its row.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("enqueue() needs the caller's transaction")
    found = Job.objects.filter(
        kind=kind, target_id=target_id, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]
    )
    job = found.first()
    if job is None:
        job = Job.objects.create(kind=kind, target_id=target_id, leased_until=timezone.now() + NUDGE_GRACE)
        _nudge_on_commit(job.pk)
    return job


def claim(job_id: UUID) -> Job | None:
    """Take a job for LEASE; None, with an entry that says so, when it is done or another worker's."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None or not _is_free(job, now):
            reason = "no_such_job" if job is None else f"job_is_{job.status}"
            _note(Action.JOB_SKIPPED, job_id, outcome=Outcome.SKIPPED, reason=reason)
            return None
        job.status = JobStatus.RUNNING
        job.attempts += 1
        job.leased_until = now + LEASE
        job.save(update_fields=["status", "attempts", "leased_until"])
        _note(Action.JOB_STARTED, job.pk, kind=job.kind, attempt=job.attempts)
    return job


def renew(job: Job) -> bool:
    """Keep the job for another LEASE; False when it was handed to somebody else meanwhile."""
    return bool(_own(job).update(leased_until=timezone.now() + LEASE))


def finish(job: Job) -> None:
    """Mark the job done, unless another worker has taken it over."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        if _own(job).update(status=JobStatus.DONE, finished_at=now, leased_until=None, error_code=""):
            _note(Action.JOB_FINISHED, job.pk, kind=job.kind, attempt=job.attempts)


def give_back(job: Job, *, error_code: str) -> None:
    """Queue the job again after a fault, later each time; after MAX_ATTEMPTS it has failed for good."""
    now = timezone.now()
    last = job.attempts >= MAX_ATTEMPTS
    with transaction.atomic(durable=True):
        changed = _own(job).update(
            status=JobStatus.FAILED if last else JobStatus.QUEUED,
            leased_until=None if last else now + backoff(job.attempts),
            finished_at=now if last else None,
            error_code=error_code,
        )
        if changed:
            _note(
                Action.JOB_FAILED, job.pk, outcome=Outcome.FAILED, reason=error_code, kind=job.kind,
                attempt=job.attempts,
            )  # fmt: skip


def backoff(attempts: int) -> timedelta:
    """How long to wait after this many attempts."""
    doublings = min(max(0, attempts - 1), MAX_ATTEMPTS)
    return min(timedelta(seconds=BACKOFF.total_seconds() * 2**doublings), LONGEST_BACKOFF)


def sweep(*, limit: int = SWEEP_BATCH) -> int:
    """Nudge a worker for every job whose lease lapsed or whose nudge was lost; returns how many."""
    now = timezone.now()
    with transaction.atomic(durable=True):
        due = Q(leased_until__lte=now) | Q(leased_until__isnull=True)
        rows = Job.objects.select_for_update(skip_locked=True).filter(
            due, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]
        )
        jobs = list(rows.order_by("leased_until")[:limit])
        for job in jobs:
            _hand_out(job, now)
    return len(jobs)


def _hand_out(job: Job, now: datetime) -> None:
    if job.status == JobStatus.RUNNING and job.attempts >= MAX_ATTEMPTS:
        # It has taken its worker down with it each time.
        job.status, job.finished_at, job.leased_until, job.error_code = (
            JobStatus.FAILED,
            now,
            None,
            "worker_lost",
        )
        _note(Action.JOB_FAILED, job.pk, outcome=Outcome.FAILED, reason="worker_lost", kind=job.kind)
    else:
        job.status, job.leased_until = JobStatus.QUEUED, now + NUDGE_GRACE
        _nudge_on_commit(job.pk)
    job.save(update_fields=["status", "finished_at", "leased_until", "error_code"])


def _is_free(job: Job, now: datetime) -> bool:
    if job.status == JobStatus.QUEUED:
        return True
    return job.status == JobStatus.RUNNING and (job.leased_until is None or job.leased_until <= now)


def _own(job: Job) -> QuerySet[Job]:
    """The job's row while it is this attempt's: the number of attempts tells one worker's from another's."""
    return Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING, attempts=job.attempts)


def _nudge_on_commit(job_id: UUID) -> None:
    transaction.on_commit(lambda: nudge(job_id))


def nudge(job_id: UUID) -> None:
    """Tell a worker that a job waits. The row stands already, so a broker that is down is no fault here."""
    try:
        app.send_task(RUN_TASK, args=[str(job_id)])
    except (OperationalError, OSError) as error:
        logger.warning("the broker did not take a nudge", job=str(job_id), error=type(error).__name__)


def _note(
    action: Action, job_id: UUID, *, outcome: Outcome = Outcome.OK, reason: str = "", **facts: Any
) -> None:
    record(action, actor=JOBS, target=Target("job", str(job_id)), outcome=outcome, reason=reason, **facts)
