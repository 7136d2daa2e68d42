"""Moving what is kept on one subject to another by sealing it anew; nothing is ever readable under both keys.

Every function needs the caller's transaction, both subjects locked, and all rows open to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from vault.crypto import SubjectKeys
from vault.models import (
    Conflict,
    Memory,
    MemoryFeedback,
    MemoryVersion,
    QuarantinedWrite,
    Session,
    SessionSummary,
    Subject,
    SummaryLevel,
    Turn,
)
from vault.retrieval.content import pack, unpack, version_context
from vault.retrieval.records import Content
from vault.retrieval.session_set import check_session
from vault.retrieval.turns import open_state, open_summary, open_turn, seal_state, seal_summary, seal_turn
from vault.sessions.binding import EVERY_ROW, bind, binding_subject_summary, unbind, whole_set
from vault.sessions.not_stored import NOT_STORED
from vault.sessions.summaries import summarise_subject
from vault.types import Status
from vault.writing.fingerprint import same_statement_form
from vault.writing.indexing import index_memory, unindex_memory
from vault.writing.set_aside import notes_context, write_context
from vault.writing.store import has_twin, join_manifest, leave_manifest, write_version

TWIN = "linked_duplicate"
BACK = "unlinked"


@dataclass(frozen=True, slots=True)
class Owner:
    """One side of a move: a locked subject and its keys."""

    subject: Subject
    keys: SubjectKeys


@dataclass(frozen=True, slots=True)
class Move:
    """From whom to whom, in whose name, when."""

    origin: Owner
    target: Owner
    author: str
    now: datetime


def move_memories(memories: Sequence[Memory], move: Move) -> list[UUID]:
    """Seal every version of these memories under the target's key. What the target says already, gives way to it."""
    return [_move_memory(memory, move) for memory in memories]


def move_quarantined(writes: Sequence[QuarantinedWrite], move: Move) -> list[UUID]:
    """Seal anew what waits for a person, or was decided by one, and what reviewers noted on it."""
    for write in writes:
        draft = _plain(write.ciphertext, write_context(write), move.origin.keys)
        notes = _plain(write.sealed_notes, notes_context(write), move.origin.keys)
        write.subject = move.target.subject
        write.ciphertext = move.target.keys.seal(draft, context=write_context(write)) if draft else b""
        write.sealed_notes = move.target.keys.seal(notes, context=notes_context(write)) if notes else b""
        write.save(update_fields=["subject", "ciphertext", "sealed_notes"])
    return [write.pk for write in writes]


def _plain(sealed: bytes | memoryview[int], context: bytes, keys: SubjectKeys) -> bytes:
    return keys.open(bytes(sealed), context=context) if sealed else b""


def move_sessions(sessions: Sequence[Session], move: Move) -> list[UUID]:
    """Seal sessions, turns and summaries anew, and reckon both subjects' summaries from what they have then."""
    for session in sessions:
        _move_session(session, move)
    for namespace_id in {session.namespace_id for session in sessions}:
        for owner in (move.origin, move.target):
            place = Session(subject=owner.subject, namespace_id=namespace_id)
            with binding_subject_summary(owner.subject, namespace_id, keys=owner.keys, now=move.now):
                summarise_subject(place, keys=owner.keys, now=move.now)
    return [session.pk for session in sessions]


def _move_memory(memory: Memory, move: Move) -> UUID:
    versions = list(MemoryVersion.objects.filter(memory=memory).order_by("number"))
    contents = {v.number: _opened(v, move.origin.keys) for v in versions if v.ciphertext}
    current = contents.get(memory.version)
    before = next(v for v in versions if v.number == memory.version)
    leave_manifest(
        move.origin.subject,
        entry=(memory.pk, before.number, bytes(before.digest)),
        keys=move.origin.keys,
        now=move.now,
    )
    unindex_memory(memory)
    memory.subject = move.target.subject
    if current is not None:
        memory.fingerprint = move.target.keys.fingerprint(same_statement_form(current.text))
        memory.attribute_hash = move.target.keys.slot_hash(current.attribute) if current.attribute else None
    for version in versions:
        _reseal(version, contents.get(version.number), move)
    last = versions[-1]
    join_manifest(
        move.target.subject,
        entry=(memory.pk, last.number, bytes(last.digest)),
        keys=move.target.keys,
        now=move.now,
    )
    _settle(memory, current, before.reason_code, move)
    Conflict.objects.filter(standing=memory).update(subject=move.target.subject)
    Conflict.objects.filter(challenger=memory).update(subject=move.target.subject)
    MemoryFeedback.objects.filter(memory=memory).update(subject=move.target.subject)
    return memory.pk


def _settle(memory: Memory, current: Content | None, reason: str, move: Move) -> None:
    """Save the moved row; a statement that its new owner makes already steps back, and one that had, comes back."""
    is_twin = memory.status == Status.ACTIVE and has_twin(memory, bytes(memory.fingerprint))
    comes_back = reason == TWIN and memory.status == Status.SUPERSEDED
    if current is None or not (is_twin or comes_back):
        memory.save()
        if current is not None:
            index_memory(memory, current, keys=move.target.keys, sealed=memory.namespace.sealed)
        return
    status = memory.status
    memory.status = Status.SUPERSEDED.value
    memory.save()
    if comes_back and has_twin(memory, bytes(memory.fingerprint)):
        return
    memory.status = Status.SUPERSEDED.value if is_twin else Status.ACTIVE.value
    write_version(
        memory, current, subject=move.target.subject, author=move.author,
        reason_code=TWIN if status == Status.ACTIVE else BACK, now=move.now, sealed=memory.namespace.sealed,
        keys=move.target.keys,
    )  # fmt: skip


def _opened(version: MemoryVersion, keys: SubjectKeys) -> Content:
    return unpack(keys.open(bytes(version.ciphertext), context=_place(version)))


def _place(version: MemoryVersion) -> bytes:
    return version_context(
        version, memory=version.memory_id, version=version.number, subject=version.subject_id,
        namespace=version.namespace_id,
    )  # fmt: skip


def _reseal(version: MemoryVersion, content: Content | None, move: Move) -> None:
    version.subject = move.target.subject
    if content is not None:
        version.ciphertext = move.target.keys.seal(pack(content), context=_place(version))
        version.digest = hashlib.sha256(version.ciphertext).digest()
    version.save(update_fields=["subject", "ciphertext", "digest"])


def _move_session(session: Session, move: Move) -> None:
    # What vanished or was put back must not be sealed as if it were whole.
    check_session(session.pk, keys=move.origin.keys, limit=EVERY_ROW)
    session.subject = move.origin.subject
    unbind(session, keys=move.origin.keys, now=move.now)
    state = open_state(session, keys=move.origin.keys)
    turns = [open_turn(row, keys=move.origin.keys) for row in Turn.objects.filter(session=session)]
    rows = SessionSummary.objects.filter(session=session).exclude(level=SummaryLevel.SUBJECT)
    summaries = [(row, open_summary(row, keys=move.origin.keys)) for row in rows]
    session.subject = move.target.subject
    if session.state:
        # What was found for the one is looked for anew for the other; what became of drafts stays so.
        kept = {key: value for key, value in state.metadata.items() if key == NOT_STORED}
        seal_state(session, Content("", metadata=kept, vector=state.vector), keys=move.target.keys)
    session.save()
    for turn in turns:
        turn.row.subject = move.target.subject
        said = turn.content.text or turn.conclusion
        turn.row.fingerprint = move.target.keys.fingerprint(same_statement_form(said))
        seal_turn(turn.row, turn.content, keys=move.target.keys)
        turn.row.save(update_fields=["subject", "fingerprint", "ciphertext"])
    for row, content in summaries:
        row.subject = move.target.subject
        seal_summary(row, content, keys=move.target.keys)
        row.save(update_fields=["subject", "ciphertext"])
    if turns or summaries:
        bind(session, whole_set(session, keys=move.target.keys), keys=move.target.keys, now=move.now)
