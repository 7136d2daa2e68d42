"""Notes that reviewers leave each other on a write: sealed under its subject's key, and gone with the draft's time."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.actions import Action as Event
from vault.crypto import SubjectKeys
from vault.errors import InvalidField, InvalidTransition, SecretDetected
from vault.keys import key_vault
from vault.lifecycle.desk import refusals_noted, require_staff
from vault.lifecycle.reviewing.undecided import KIND, find_write, lock_undecided, note_write
from vault.models import QuarantinedWrite, isolation
from vault.retrieval.scope import Scope
from vault.screening import screen_fields
from vault.types import Category, SourceType, Trust
from vault.writing.set_aside import notes_context

MAX_CHARACTERS = 1000
MAX_NOTES = 20
POINTER = "/note"


@dataclass(frozen=True, slots=True)
class Note:
    """What one reviewer wrote, and when."""

    author: str
    at: datetime
    text: str


def add_note(*, write_id: UUID, text: str, scope: Scope) -> None:
    """Leave a note on a pending write. A credential is as little kept in it as in a memory.

    Raises NotFound, AlreadyDecided, SubjectErased, SecretDetected, InvalidField for an empty or too long text, and
    InvalidTransition when the check for credentials did not run or the write has all the notes it may have.
    """
    require_staff(scope)
    with refusals_noted(Event.QUARANTINE_NOTED, scope=scope, kind=KIND, target=write_id):
        if not text.strip() or len(text) > MAX_CHARACTERS:
            raise InvalidField(pointer=POINTER)
        _refuse_secrets(text)
        with transaction.atomic(durable=True):
            isolation.open_everything()
            write, _ = lock_undecided(write_id, find_write(write_id).revision)
            keys = key_vault().subject(write.subject_id)
            notes = notes_of(write, keys=keys)
            if len(notes) >= MAX_NOTES:
                raise InvalidTransition("This write has as many notes as it may have.")
            write.sealed_notes = _seal((*notes, Note(scope.author, timezone.now(), text)), write, keys)
            write.save(update_fields=["sealed_notes"])
            note_write(Event.QUARANTINE_NOTED, write, scope)


def notes_of(write: QuarantinedWrite, *, keys: SubjectKeys) -> tuple[Note, ...]:
    """The notes on a write, the first one first. Raises IntegrityFault when they were altered."""
    if not write.sealed_notes:
        return ()
    kept = json.loads(keys.open(bytes(write.sealed_notes), context=notes_context(write)))
    return tuple(Note(each["author"], datetime.fromisoformat(each["at"]), each["text"]) for each in kept)


def _seal(notes: tuple[Note, ...], write: QuarantinedWrite, keys: SubjectKeys) -> bytes:
    plain = json.dumps([{**asdict(note), "at": note.at.isoformat()} for note in notes], ensure_ascii=False)
    return keys.seal(plain.encode(), context=notes_context(write))


def _refuse_secrets(text: str) -> None:
    verdict = screen_fields(
        {POINTER: text},
        trust=Trust.VERIFIED,
        source_type=SourceType.STAFF,
        budget_seconds=settings.SCREENING_BUDGET_SECONDS,
    )
    if any(finding.category is Category.SECRET for finding in verdict.findings):
        raise SecretDetected
    if any(finding.category is Category.FAILURE for finding in verdict.findings):
        raise InvalidTransition("The check for credentials did not run; try again.")
