"""Storing: a memory is a row of labels and a chain of sealed versions; these are the only ways to add one.

Every function here needs the subject's lock and the caller's transaction.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from django.db import transaction

from vault.crypto import Entry, ManifestState, SubjectKeys
from vault.errors import IntegrityFault
from vault.keys import key_vault
from vault.models import Memory, MemoryVersion, Subject
from vault.models.identifiers import new_id
from vault.retrieval.content import pack, version_context
from vault.retrieval.records import Content
from vault.types import Status
from vault.writing.fingerprint import same_statement_form
from vault.writing.indexing import index_memory

LABELS = (
    "kind",
    "source_type",
    "agent_id",
    "trust",
    "status",
    "importance",
    "volatile",
    "occurred_at",
    "expires_at",
    "created_at",
)


def store_memory(
    memory: Memory,
    content: Content,
    *,
    subject: Subject,
    author: str,
    reason_code: str,
    now: datetime,
    sealed: bool,
    keys: SubjectKeys,
) -> Memory:
    """Add a new memory with its first version. `memory` carries the labels; its keyed digests are set here."""
    memory.version = 0
    return write_version(
        memory,
        content,
        subject=subject,
        author=author,
        reason_code=reason_code,
        now=now,
        sealed=sealed,
        keys=keys,
    )


def write_version(
    memory: Memory,
    content: Content,
    *,
    subject: Subject,
    author: str,
    reason_code: str,
    now: datetime,
    sealed: bool,
    keys: SubjectKeys,
) -> Memory:
    """Write the next version of a memory whose labels were changed on the row; brings the indexes in step.

    Raises IntegrityFault for an active memory that says nothing: that content was destroyed.
    """
    if memory.status == Status.ACTIVE and not content.text:
        raise IntegrityFault
    previous = None
    if memory.version:
        row = MemoryVersion.objects.only("digest").get(memory=memory, number=memory.version)
        previous = (memory.pk, memory.version, bytes(row.digest))
    memory.version += 1
    memory.updated_at = now
    _set_digests(memory, content, keys=keys)
    context = version_context(
        memory,
        memory=memory.pk,
        version=memory.version,
        subject=memory.subject_id,
        namespace=memory.namespace_id,
    )
    ciphertext = keys.seal(pack(content), context=context)
    digest = hashlib.sha256(ciphertext).digest()
    memory.save(force_insert=previous is None)
    MemoryVersion.objects.create(
        id=new_id(),
        memory=memory,
        subject_id=memory.subject_id,
        namespace_id=memory.namespace_id,
        number=memory.version,
        ciphertext=ciphertext,
        digest=digest,
        author=author,
        reason_code=reason_code,
        written_at=now,
        **{label: getattr(memory, label) for label in LABELS},
    )
    index_memory(memory, content, keys=keys, sealed=sealed)
    advance_manifest(
        subject, previous=previous, entry=(memory.pk, memory.version, digest), keys=keys, now=now
    )
    return memory


def has_twin(memory: Memory, fingerprint: bytes) -> bool:
    """Whether another active memory of the same subject and namespace makes the statement of this digest."""
    twins = Memory.objects.filter(
        subject_id=memory.subject_id,
        namespace_id=memory.namespace_id,
        status=Status.ACTIVE,
        fingerprint=fingerprint,
    )
    return twins.exclude(pk=memory.pk).exists()


def advance_manifest(
    subject: Subject, *, previous: Entry | None, entry: Entry, keys: SubjectKeys, now: datetime
) -> None:
    """Put a version in the place of the one before in the subject's manifest, and witness the new head."""
    state = manifest_state(subject, keys=keys)
    manifest = keys.manifest
    state = manifest.replace(state, previous, entry) if previous else manifest.add(state, entry)
    _keep_manifest(subject, state, keys=keys, now=now)


def _keep_manifest(subject: Subject, state: ManifestState, *, keys: SubjectKeys, now: datetime) -> None:
    subject.manifest_value = state.value
    subject.manifest_count = state.count
    subject.manifest_sequence = state.sequence
    subject.manifest_mac = keys.manifest.seal(state)
    subject.last_activity_at = now
    subject.save(
        update_fields=[
            "manifest_value",
            "manifest_count",
            "manifest_sequence",
            "manifest_mac",
            "last_activity_at",
        ]
    )
    sequence, mac, subject_id = state.sequence, bytes(subject.manifest_mac), subject.pk
    # After the commit: a witness ahead of the database would cry wolf after a roll-back.
    transaction.on_commit(lambda: key_vault().witness_manifest(subject_id, sequence, mac), robust=True)


def leave_manifest(subject: Subject, *, entry: Entry, keys: SubjectKeys, now: datetime) -> None:
    """Take a memory out of a subject's manifest, for one that goes to another subject."""
    state = keys.manifest.remove(manifest_state(subject, keys=keys), entry)
    _keep_manifest(subject, state, keys=keys, now=now)


def join_manifest(subject: Subject, *, entry: Entry, keys: SubjectKeys, now: datetime) -> None:
    """Take a memory that came from another subject into a subject's manifest."""
    advance_manifest(subject, previous=None, entry=entry, keys=keys, now=now)


def manifest_state(subject: Subject, *, keys: SubjectKeys) -> ManifestState:
    """The subject's manifest as it stands; raises IntegrityFault when it was altered."""
    if not subject.manifest_sequence and not subject.manifest_value:
        if key_vault().witnessed_manifest(subject.pk) is not None:
            # Blanked columns would otherwise start the set afresh.
            raise IntegrityFault
        return keys.manifest.of(())
    state = ManifestState(bytes(subject.manifest_value), subject.manifest_count, subject.manifest_sequence)
    keys.manifest.check(state, bytes(subject.manifest_mac))
    return state


def _set_digests(memory: Memory, content: Content, *, keys: SubjectKeys) -> None:
    memory.fingerprint = keys.fingerprint(same_statement_form(content.text))
    memory.attribute_hash = keys.slot_hash(content.attribute) if content.attribute else None
