"""Celery's tasks: each hands an id or nothing to one service, and may be delivered twice."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.utils import timezone

from audit.checkpoint import SEAL_BATCH, publish_checkpoint, seal_all, seal_batch
from vault import broker
from vault.celery import app
from vault.lifecycle import access_export, approvals, holds, jobs, retention
from vault.lifecycle.subject_rights import following, inquiries, links, proofs, reminders
from vault.lifecycle.upkeep import destruction, feedback, lives, reembedding, schedule
from vault.lifecycle.work import run_job as run_one
from vault.sessions import expiry, rewriting

EXPIRE_BATCH = 200
LAPSE_BATCH = 200
SESSION_BATCH = 100
# Each may take all of the time that the model has.
SUMMARY_BATCH = 10
PRIVACY_BATCH = 200
FORGET_BATCH = 1000
CONSOLIDATE_BATCH = 100
EMBED_BATCH = 100
EXPORT_BATCH = 100


@app.task(name="vault.tasks.run_job")
def run_job(job_id: str) -> None:
    run_one(job_id=UUID(job_id))


@app.task(name="vault.tasks.sweep_jobs")
def sweep_jobs() -> None:
    holds.requeue_approved()
    jobs.sweep()


@app.task(name="vault.tasks.expire_due_memories")
def expire_due_memories() -> None:
    """Expire one batch, and ask for the next turn while there is more."""
    if retention.expire_due(now=timezone.now(), limit=EXPIRE_BATCH) == EXPIRE_BATCH:
        expire_due_memories.delay()


@app.task(name="vault.tasks.renew_used_memories")
def renew_used_memories() -> None:
    if lives.renew_used(now=timezone.now(), limit=EXPIRE_BATCH) == EXPIRE_BATCH:
        renew_used_memories.delay()


@app.task(name="vault.tasks.destroy_expired_memories")
def destroy_expired_memories() -> None:
    if destruction.destroy_due(now=timezone.now(), limit=EXPIRE_BATCH) == EXPIRE_BATCH:
        destroy_expired_memories.delay()


@app.task(name="vault.tasks.embed_missing_vectors")
def embed_missing_vectors() -> None:
    reembedding.embed_missing(now=timezone.now(), limit=EMBED_BATCH)


@app.task(name="vault.tasks.queue_consolidation")
def queue_consolidation() -> None:
    schedule.queue_consolidation(now=timezone.now(), limit=CONSOLIDATE_BATCH)


@app.task(name="vault.tasks.lapse_quarantined_writes")
def lapse_quarantined_writes() -> None:
    if retention.lapse_due(now=timezone.now(), limit=LAPSE_BATCH) == LAPSE_BATCH:
        lapse_quarantined_writes.delay()


@app.task(name="vault.tasks.end_due_sessions")
def end_due_sessions() -> None:
    """End idle and old sessions and delete the turns of those long over; ask for the next turn while there is more."""
    now = timezone.now()
    ended = expiry.expire_due_sessions(now=now, limit=SESSION_BATCH)
    purged = expiry.purge_due_sessions(now=now, limit=SESSION_BATCH)
    if SESSION_BATCH in (ended, purged):
        end_due_sessions.delay()


@app.task(name="vault.tasks.write_summaries")
def write_summaries() -> None:
    """Ask the language model, if there is one, for summaries that the rules wrote."""
    if rewriting.write_summaries(now=timezone.now(), limit=SUMMARY_BATCH) == SUMMARY_BATCH:
        write_summaries.delay()


@app.task(name="vault.tasks.seal_audit_log")
def seal_audit_log() -> None:
    """Seal one batch and sign the head that it makes."""
    sealed = seal_batch(limit=SEAL_BATCH)
    if sealed:
        publish_checkpoint()
    if sealed == SEAL_BATCH:
        seal_audit_log.delay()


@app.task(name="vault.tasks.seal_late_entries")
def seal_late_entries() -> None:
    """Look through the whole log for entries that were long in committing."""
    if seal_all(sweep=True):
        publish_checkpoint()


@app.task(name="vault.tasks.answer_privacy_inquiries")
def answer_privacy_inquiries() -> None:
    """Find out whose address came in on the public page, and send the links of proof."""
    inquiries.answer_inquiries(limit=PRIVACY_BATCH)
    links.send_due_links(limit=PRIVACY_BATCH)


@app.task(name="vault.tasks.follow_subject_requests")
def follow_subject_requests() -> None:
    following.follow_open(limit=PRIVACY_BATCH)


@app.task(name="vault.tasks.remind_of_subject_requests")
def remind_of_subject_requests() -> None:
    """Record what comes due, close what nobody proved, forget proofs whose time is up."""
    now = timezone.now()
    reminders.remind(now=now, limit=PRIVACY_BATCH)
    reminders.close_unproved(now=now, limit=PRIVACY_BATCH)
    proofs.drop_old_proofs(now=now, limit=FORGET_BATCH)


@app.task(name="vault.tasks.tidy")
def tidy() -> None:
    """Drop or close what has run out: answers for replay, tokens, call rates, feedback, approvals, read messages."""
    now = timezone.now()
    dropped = retention.drop_expired_answers(now=now, limit=FORGET_BATCH)
    retention.drop_expired_tokens(now=now, limit=FORGET_BATCH)
    retention.drop_spent_assertions(now=now, limit=FORGET_BATCH)
    retention.drop_idle_rates(now=now, limit=FORGET_BATCH)
    feedback.drop_old_feedback(now=now, limit=FORGET_BATCH)
    approvals.expire_due(now=now, limit=FORGET_BATCH)
    access_export.expire_exports(now=now, limit=EXPORT_BATCH)
    access_export.close_undone(now=now, limit=EXPORT_BATCH)
    if settings.BROKER_URL.startswith(broker.FILESYSTEM):
        broker.tidy(settings.HOME.broker)
    if dropped == FORGET_BATCH:
        tidy.delay()
