"""Doing a job: one attempt under a lease that is renewed for as long as the work lasts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

import structlog
from django.db import DatabaseError, connections

from vault.errors import VaultError
from vault.lifecycle import jobs
from vault.lifecycle.access_export import execute_export
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.rolling_back.run import execute_rollback
from vault.lifecycle.upkeep.schedule import run_consolidation
from vault.models import Job, JobKind

RENEW_SECONDS = jobs.LEASE.total_seconds() / 4
UNKNOWN_FAULT = "fault"

Work = Callable[[UUID], None]
WORK: Mapping[str, Work] = {
    JobKind.CONSOLIDATION: run_consolidation,
    JobKind.ERASURE: execute_erasure,
    JobKind.EXPORT: execute_export,
    JobKind.ROLLBACK: execute_rollback,
}

logger = structlog.get_logger(__name__)


def run_job(*, job_id: UUID, work: Mapping[str, Work] = WORK) -> None:
    """Run a job once, if it is free. A fault queues it again; what it did so far is not done twice."""
    job = jobs.claim(job_id)
    if job is None:
        return
    try:
        with kept_alive(job):
            work[job.kind](job.target_id)
    except Exception as error:  # noqa: BLE001 - whatever broke, the job must not be left to its lease
        # The type only: a message may quote what it broke on.
        code = error.code if isinstance(error, VaultError) else UNKNOWN_FAULT
        logger.warning("job failed", job=str(job.pk), kind=job.kind, error=type(error).__name__, code=code)
        jobs.give_back(job, error_code=code)
    else:
        jobs.finish(job)


@contextmanager
def kept_alive(job: Job) -> Iterator[None]:
    """Renew the lease from a thread of its own, over its own connection, until the block ends."""
    over = threading.Event()
    thread = threading.Thread(target=_renew_until, args=(job, over), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _renew_until(job: Job, over: threading.Event) -> None:
    try:
        while not over.wait(RENEW_SECONDS):
            try:
                if not jobs.renew(job):
                    return
            except DatabaseError as error:
                # The lease has time left for another try; the work itself will meet the same fault.
                logger.warning("lease not renewed", job=str(job.pk), error=type(error).__name__)
    finally:
        connections.close_all()
