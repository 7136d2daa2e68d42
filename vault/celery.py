"""The Celery application: what runs behind the web, and when.

    celery -A vault.celery worker --without-gossip --without-mingle --without-heartbeat
    celery -A vault.celery beat

Arguments of tasks are ids. There is no result backend and no remote control; what became of a job stands in
its row.
"""

from __future__ import annotations

import os

from celery import Celery
from django.conf import settings

from vault.broker import CONNECT_TIMEOUT_SECONDS, connection_url, transport_options

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "vault.settings")
# The web process runs Django's checks; here they would load every view into a process that serves none.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

SWEEP_SECONDS = 10.0
SEAL_SECONDS = 5.0
EXPIRE_SECONDS = 60.0
LAPSE_SECONDS = 300.0
RENEW_SECONDS = 60.0
DESTROY_SECONDS = 3600.0
CONSOLIDATE_SECONDS = 6 * 3600.0
EMBED_SECONDS = 600.0
PRIVACY_SECONDS = 15.0
FOLLOW_SECONDS = 30.0
REMIND_SECONDS = 3600.0
SESSION_SECONDS = 300.0
SUMMARY_SECONDS = 15.0
TIDY_SECONDS = 600.0
RESEAL_SECONDS = 3600.0


def every(seconds: float, task: str) -> dict[str, object]:
    """A tick of the schedule. One that no worker took before the next is dropped, so they never pile up."""
    return {"task": f"vault.tasks.{task}", "schedule": seconds, "options": {"expires": seconds}}


app = Celery("vault", set_as_current=True)
app.conf.update(
    broker_url=connection_url(settings.BROKER_URL),
    broker_transport_options=transport_options(settings.BROKER_URL, settings.HOME.broker),
    broker_connection_timeout=CONNECT_TIMEOUT_SECONDS,
    broker_connection_retry_on_startup=True,
    include=["vault.tasks"],
    task_default_queue="vault",
    task_serializer="json",
    accept_content=["json"],
    result_backend=None,
    task_ignore_result=True,
    # A task is taken off the broker when it is done; a prefetched one would wait behind a long job.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    # A nudge that cannot be sent is lost: its job is found by the sweeper, and the caller must not wait.
    task_publish_retry=False,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    timezone="UTC",
    enable_utc=True,
    beat_scheduler="vault.beat:Scheduler",
    beat_schedule_filename=str(settings.HOME.path / "beat" / "schedule"),
    beat_schedule={
        "sweep jobs": every(SWEEP_SECONDS, "sweep_jobs"),
        "seal the audit log": every(SEAL_SECONDS, "seal_audit_log"),
        "expire memories": every(EXPIRE_SECONDS, "expire_due_memories"),
        "renew lives": every(RENEW_SECONDS, "renew_used_memories"),
        "destroy what expired": every(DESTROY_SECONDS, "destroy_expired_memories"),
        "embed what has no vector": every(EMBED_SECONDS, "embed_missing_vectors"),
        "queue consolidation": every(CONSOLIDATE_SECONDS, "queue_consolidation"),
        "lapse quarantined writes": every(LAPSE_SECONDS, "lapse_quarantined_writes"),
        "answer privacy inquiries": every(PRIVACY_SECONDS, "answer_privacy_inquiries"),
        "follow subjects' requests": every(FOLLOW_SECONDS, "follow_subject_requests"),
        "remind of subjects' requests": every(REMIND_SECONDS, "remind_of_subject_requests"),
        "end sessions": every(SESSION_SECONDS, "end_due_sessions"),
        "write summaries": every(SUMMARY_SECONDS, "write_summaries"),
        "tidy": every(TIDY_SECONDS, "tidy"),
        "seal late entries": every(RESEAL_SECONDS, "seal_late_entries"),
    },
)
