"""Reading one write: masked at first, revealed for a purpose, and its bare state for whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.errors import InvalidTransition, NotFound
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.reviewing.masking import masked_view
from vault.lifecycle.reviewing.notes import Note, notes_of
from vault.lifecycle.reviewing.undecided import KIND, find_write, note_write
from vault.models import QuarantinedWrite, isolation
from vault.retrieval.scope import Right, Scope
from vault.retrieval.subjects import reference_of
from vault.types import MemoryDraft, Verdict
from vault.writing.set_aside import open_draft


@dataclass(frozen=True, slots=True)
class OpenedWrite:
    """A quarantined write as a reviewer reads it. `subject` is the caller's own id, empty while it is masked."""

    row: QuarantinedWrite
    draft: MemoryDraft
    verdict: Verdict
    notes: tuple[Note, ...] = ()
    subject: str = ""


def look_at_write(*, write_id: UUID, scope: Scope) -> OpenedWrite:
    """A draft with personal, sensitive and secret findings masked; the look is an entry.

    Raises NotFound, and InvalidTransition when the draft was deleted with its decision or its time.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_OPENED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        opened = _open(write_id)
        note_write(Event.QUARANTINE_OPENED, opened.row, scope, reason="masked")
    draft, findings = masked_view(opened.draft, opened.verdict.findings)
    return replace(opened, draft=draft, verdict=replace(opened.verdict, findings=findings), subject="")


def reveal_write(*, write_id: UUID, scope: Scope, purpose: str) -> OpenedWrite:
    """The draft as it was submitted, to a reviewer who says why, by a code; the reveal is an entry.

    Raises as `look_at_write`.
    """
    require_staff(scope)
    with (
        refusals_noted(Event.QUARANTINE_REVEALED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        opened = _open(write_id)
        note_write(Event.QUARANTINE_REVEALED, opened.row, scope, reason=purpose)
    return opened


def write_row(*, write_id: UUID, scope: Scope) -> QuarantinedWrite:
    """One write's state, labels and decision, without its text. Raises NotFound."""
    require_staff(scope)
    with transaction.atomic(durable=True):
        isolation.open_everything()
        rows = QuarantinedWrite.objects.select_related("namespace").defer("ciphertext", "sealed_notes")
        row = rows.filter(pk=write_id).first()
    if row is None:
        raise NotFound
    return row


def quarantine_state(*, write_id: UUID, scope: Scope) -> QuarantinedWrite:
    """The state of the caller's own write, without its text. Raises NotFound for anybody else's."""
    with (
        refusals_noted(Event.QUARANTINE_OPENED, scope=scope, kind=KIND, target=write_id),
        transaction.atomic(durable=True),
    ):
        relax_commit()
        namespaces = {namespace.id for namespace in scope.require(Right.MEMORY_WRITE)}
        isolation.open_everything()
        write = find_write(write_id)
        own = write.agent_id is not None and write.agent_id == scope.agent_id
        if not own or write.namespace_id not in namespaces or not scope.allows_subject(write.subject_id):
            raise NotFound
        note_write(Event.QUARANTINE_OPENED, write, scope)
    return write


def _open(write_id: UUID) -> OpenedWrite:
    isolation.open_everything()
    write = find_write(write_id)
    if not write.ciphertext:
        raise InvalidTransition("The draft is no longer kept.")
    keys = key_vault().subject(write.subject_id)
    draft, verdict = open_draft(write, keys=keys)
    return OpenedWrite(write, draft, verdict, notes_of(write, keys=keys), reference_of(write.subject))
