"""How the vault is run, at a glance: keys, backups, jobs, and what waits for a second person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils import timezone

from audit.actions import Action as Event
from audit.actions import Outcome
from audit.models import AuditEntry
from vault.crypto import EpochState
from vault.keys import key_vault
from vault.lifecycle.approvals import list_approvals
from vault.lifecycle.desk import require_staff
from vault.lifecycle.key_epoch import KeyState, key_state
from vault.models import Approval, ApprovalKind, Job, JobStatus
from vault.retrieval.scope import Scope

MAX_EPOCHS = 10
BACKUP_DUE = timedelta(days=2)
KINDS = (ApprovalKind.KEY_EPOCH, ApprovalKind.RESTORE)
UNDONE = (JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.FAILED)


@dataclass(frozen=True, slots=True)
class JobCount:
    kind: str
    queued: int
    running: int
    failed: int


@dataclass(frozen=True, slots=True)
class Overview:
    """`last_backup` and `last_restore` are entries of the audit log; `backup_is_due` when the last one is old."""

    keys: KeyState
    epochs: tuple[EpochState, ...]
    living_keys: int
    last_backup: AuditEntry | None
    backup_is_due: bool
    last_restore: AuditEntry | None
    jobs: tuple[JobCount, ...]
    waiting: tuple[Approval, ...]


def operations_overview(*, scope: Scope) -> Overview:
    """What there is to know about the running of the vault, for staff; changes nothing."""
    require_staff(scope)
    backup = _last(Event.BACKUP_MADE)
    return Overview(
        keys=key_state(),
        epochs=tuple(key_vault().epochs()[:MAX_EPOCHS]),
        living_keys=key_vault().count_keys(),
        last_backup=backup,
        backup_is_due=is_due(backup.at if backup else None, now=timezone.now()),
        last_restore=_last(Event.RESTORE_DONE),
        jobs=_jobs(),
        waiting=tuple(list_approvals(kinds=KINDS, scope=scope)),
    )


def find_backup(*, sha256: str, scope: Scope) -> AuditEntry | None:
    """The entry of the backup whose file has this SHA-256, if this vault's log tells of it."""
    require_staff(scope)
    made = AuditEntry.objects.filter(action=Event.BACKUP_MADE, outcome=Outcome.OK, facts__file_hash=sha256)
    return made.order_by("-at").first()


def is_due(last: datetime | None, *, now: datetime) -> bool:
    """Whether it is time for another backup."""
    return last is None or now - last > BACKUP_DUE


def _last(event: Event) -> AuditEntry | None:
    return AuditEntry.objects.filter(action=event, outcome=Outcome.OK).order_by("-at").first()


def _jobs() -> tuple[JobCount, ...]:
    rows = Job.objects.filter(status__in=UNDONE).values_list("kind", "status").annotate(Count("pk"))
    counts: dict[str, dict[str, int]] = {}
    for kind, status, number in rows:
        counts.setdefault(kind, {})[status] = number
    return tuple(
        JobCount(kind, *(found.get(status, 0) for status in UNDONE)) for kind, found in sorted(counts.items())
    )
