"""Restoring a backup: data of any date, keystore of now.

Into an empty vault everything comes back, the audit log too; into one that is in use, what belongs to subjects,
and two people have to agree. The backup is unpacked and looked through beside the vault first; then one
transaction takes it over, so that a restore that is killed has changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction

from audit.actions import Action as Event
from audit.checkpoint import publish_checkpoint, seal_all
from audit.models import Checkpoint
from vault.database import acting_as_owner
from vault.errors import ApprovalRequired, NotFound, VaultError
from vault.keys import key_vault
from vault.lifecycle import approvals
from vault.lifecycle.approvals import Act
from vault.lifecycle.desk import refusals_noted
from vault.models import Approval, ApprovalKind, ApprovalStatus, Subject, isolation
from vault.models.identifiers import new_id
from vault.operations import staging
from vault.operations.backup_file import Manifest, digest_of, read_dump, read_manifest, require_whole
from vault.operations.heads import Examined, Head, examine, renew_heads
from vault.operations.tables import Tables, existing_tables, tables_of
from vault.operations.transfer import alone_with, take_over
from vault.operations.witness import EntriesLost, LostEntries, lost_entries, set_witness_aside
from vault.retrieval import trail
from vault.retrieval.scope import Scope

KIND = "restore"


class VaultBusy(VaultError):
    code = "vault_busy"
    detail = "The vault did not come to rest in time; nothing was changed. Stop it, or try again."


class DoesNotFit(VaultError):
    code = "backup_does_not_fit"
    detail = "The backup refers to what is not there today (a namespace or an agent); nothing was changed."


@dataclass(frozen=True, slots=True)
class Plan:
    """What a restore does, exactly: looked up, not guessed."""

    sha256: str
    manifest: Manifest
    whole: bool
    tables: Tables
    # Subjects of the backup, by what the keys of now say; and those that came after it.
    subjects: Mapping[str, int]
    created_since: int
    lost: LostEntries | None

    def as_json(self) -> dict[str, Any]:
        lost = asdict(self.lost) if self.lost else None
        return {
            "sha256": self.sha256,
            "made_at": self.manifest.made_at,
            "into": "empty vault" if self.whole else "vault in use",
            "approval_needed": not self.whole,
            "tables": asdict(self.tables),
            "subjects": {**self.subjects, "created_since": self.created_since},
            "lost_entries": lost,
        }


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A backup that lies unpacked beside the vault."""

    database: str
    plan: Plan
    examined: Examined


def ask_restore(*, file: Path, reason_code: str, scope: Scope) -> Approval:
    """Ask for the approval of restoring exactly this file, once it was read and found whole."""
    require_whole(file)
    with transaction.atomic(durable=True):
        return approvals.ask(act=_act(digest_of(file)), reason_code=reason_code, scope=scope)


def preview_restore(*, file: Path) -> Plan:
    """Do all that comes before the first change, and tell. Raises as `restore_backup`."""
    with _unpacked(file) as unpacked:
        return unpacked.plan


def restore_backup(
    *, file: Path, approval_id: UUID | None = None, accept_lost_entries: bool = False, scope: Scope
) -> Plan:
    """Restore a backup, with an entry. Raises ApprovalRequired for a vault in use without an approval of this file.

    Raises IntegrityFault for a file that is not whole, TooNew, EntriesLost, VaultBusy, RestoreRunning: then
    nothing was changed.
    """
    digest = digest_of(file)
    with refusals_noted(Event.RESTORE_DONE, scope=scope, kind=KIND):
        if not _is_empty():
            _require_approved(approval_id, digest)
        with _unpacked(file) as unpacked:
            if unpacked.plan.lost is not None and not accept_lost_entries:
                raise EntriesLost
            if unpacked.plan.sha256 != digest:
                raise ApprovalRequired
            heads = _carry_out(unpacked, scope)
    for head in heads:
        key_vault().witness_manifest(head.subject, head.sequence, head.mac)
    seal_all(sweep=True)
    publish_checkpoint()
    return unpacked.plan


def _act(digest: str) -> Act:
    return Act(ApprovalKind.RESTORE, particulars={"sha256": digest})


def _is_empty() -> bool:
    """Whether there is no subject yet: nobody's data can be replaced, so nobody has to agree."""
    with transaction.atomic(durable=True):
        isolation.open_directory()
        return not Subject.objects.exists()


def _require_approved(approval_id: UUID | None, digest: str) -> None:
    """Before the long part; the approval is used up in the transaction that restores."""
    if approval_id is None:
        raise ApprovalRequired
    approval = Approval.objects.filter(pk=approval_id, kind=ApprovalKind.RESTORE).first()
    if approval is None:
        raise NotFound
    if approval.status != ApprovalStatus.APPROVED or bytes(approval.request_hash) != _act(digest).digest():
        raise ApprovalRequired


@contextmanager
def _unpacked(file: Path) -> Iterator[Unpacked]:
    manifest = read_manifest(file)
    staging.require_known(manifest)
    whole = _is_empty()
    tables = tables_of(existing_tables(), whole=whole)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        today = dict(Subject.objects.values_list("pk", "erased_at"))
    with staging.unpacked(read_dump(file)) as database:
        with acting_as_owner(database):
            examined = examine(erased_now={pk: at for pk, at in today.items() if at is not None})
            notes = set(Checkpoint.objects.values_list("note", flat=True))
            if whole:
                # An approval that was open that day may have been used, or refused, since.
                Approval.objects.filter(status__in=approvals.OPEN).update(status=ApprovalStatus.EXPIRED)
        known = {*examined.living, *examined.faulty, *examined.keyless, *examined.erased}
        plan = Plan(
            digest_of(file), manifest, whole, tables, examined.counts(), len(set(today) - known),
            lost_entries(notes) if whole else None,
        )  # fmt: skip
        yield Unpacked(database, plan, examined)


def _carry_out(unpacked: Unpacked, scope: Scope) -> list[Head]:
    try:
        with (
            acting_as_owner(),
            staging.reading(unpacked.database) as source,
            transaction.atomic(durable=True),
        ):
            return _take_over(unpacked, source, scope)
    except OperationalError as error:
        raise VaultBusy from error
    except IntegrityError as error:
        raise DoesNotFit from error


def _take_over(unpacked: Unpacked, source: Any, scope: Scope) -> list[Head]:
    plan = unpacked.plan
    isolation.open_everything()
    with alone_with(plan.tables):
        if plan.whole == Subject.objects.exists():
            # A first subject came while the backup was unpacked.
            raise VaultBusy
        before = Checkpoint.objects.order_by("-size").first()
        target = new_id() if plan.whole else approvals.spend(act=_act(plan.sha256), scope=scope).pk
        rows = take_over(source, plan.tables, whole=plan.whole)
        heads = list(renew_heads(unpacked.examined))
    counts: dict[str, Any] = {**plan.subjects, "created_since": plan.created_since}
    trail.note(
        Event.RESTORE_DONE, scope=scope, kind=KIND, target=target, file_hash=plan.sha256, rows=rows,
        renewed=len(heads), whole=int(plan.whole),
        backup_size=plan.manifest.audit_size, backup_root=plan.manifest.audit_root,
        log_size=before.size if before else 0, log_root=bytes(before.root).hex() if before else "",
        lost_size=plan.lost.size if plan.lost else 0, lost_root=plan.lost.root if plan.lost else "",
        **counts,
    )  # fmt: skip
    if plan.lost is not None:
        # Just before the commit: should that fail, the file that stands aside still tells of every head.
        set_witness_aside()
    return heads
