"""Setting a draft aside: sealed whole under its subject's key, for a person to decide."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from vault.crypto import SubjectKeys, associated_data
from vault.models import QuarantinedWrite, Subject
from vault.models.identifiers import new_id
from vault.retrieval.content import findings_from
from vault.types import Action, Kind, MemoryDraft, Source, SourceType, Trust, Verdict
from vault.writing.codes import detector_codes

TIMES = ("occurred_at", "expires_at", "created_at")


def set_aside(
    draft: MemoryDraft,
    verdict: Verdict,
    *,
    subject: Subject,
    namespace_id: int,
    agent_id: UUID | None,
    trust: Trust,
    now: datetime,
    keys: SubjectKeys,
    memory_id: UUID | None = None,
) -> QuarantinedWrite:
    """Keep a draft out of reach until somebody decides; it is not embedded and not indexed.

    `memory_id` names the memory that a change was meant for.
    """
    write = QuarantinedWrite(
        id=new_id(),
        subject=subject,
        namespace_id=namespace_id,
        agent_id=agent_id,
        source_type=draft.source.type.value,
        trust=trust.value,
        reasons=list(verdict.reasons),
        detectors=detector_codes(verdict.findings),
        memory_id=memory_id,
        created_at=now,
        due_at=now + settings.QUARANTINE_DUE,
        lapses_at=now + settings.QUARANTINE_LAPSE,
    )
    write.ciphertext = keys.seal(_pack(draft, verdict), context=write_context(write))
    write.save(force_insert=True)
    return write


def write_context(write: QuarantinedWrite) -> bytes:
    """The associated data of a quarantined draft: its place and the labels that decide what becomes of it."""
    return associated_data(
        what="quarantined write",
        write=write.pk,
        revision=write.revision,
        subject=write.subject_id,
        namespace=write.namespace_id,
        agent=write.agent_id,
        source=write.source_type,
        trust=write.trust,
        memory=write.memory_id,
    )


def notes_context(write: QuarantinedWrite) -> bytes:
    """The associated data of the notes that reviewers leave on a quarantined draft."""
    return associated_data(what="review notes", write=write.pk, subject=write.subject_id)


def open_draft(write: QuarantinedWrite, *, keys: SubjectKeys) -> tuple[MemoryDraft, Verdict]:
    """The draft as it was submitted and what screening said of it; raises IntegrityFault if altered."""
    fields: dict[str, Any] = json.loads(keys.open(bytes(write.ciphertext), context=write_context(write)))
    verdict = fields.pop("verdict")
    source = fields.pop("source")
    times = {name: datetime.fromisoformat(fields[name]) if fields[name] else None for name in TIMES}
    draft = MemoryDraft(
        **{
            **fields,
            **times,
            "kind": Kind(fields["kind"]),
            "trust": Trust(fields["trust"]) if fields["trust"] else None,
            "supersedes": tuple(UUID(value) for value in fields["supersedes"]),
            "session": UUID(fields["session"]) if fields["session"] else None,
            "source": Source(SourceType(source["type"]), source["ref"], source["agent"]),
        }
    )
    return draft, Verdict(
        action=Action(verdict["action"]),
        findings=findings_from(verdict["findings"]),
        reasons=tuple(verdict["reasons"]),
        policy_version=verdict["policy_version"],
    )


def _pack(draft: MemoryDraft, verdict: Verdict) -> bytes:
    fields = {**asdict(draft), "metadata": dict(draft.metadata), "verdict": asdict(verdict)}
    return json.dumps(fields, ensure_ascii=False, default=_plain).encode()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(type(value).__name__)
