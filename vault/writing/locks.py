"""The lock that makes one subject's writes take turns."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from vault.crypto import KeyVault
from vault.errors import NotFound, SubjectErased
from vault.models import Subject, isolation
from vault.models.identifiers import new_id
from vault.retrieval.content import reference_context


def lock_subject(subject_id: UUID) -> Subject:
    """Lock one subject's row until the transaction ends; rows must be open to it (see isolation).

    Raises SubjectErased after an erasure, so that a write that waited for one cannot bring anything back.
    """
    subject = Subject.objects.select_for_update().filter(pk=subject_id).first()
    if subject is None:
        raise NotFound
    if subject.erased_at is not None:
        raise SubjectErased
    return subject


def lock_or_create_subject(external_id: str, *, keys: KeyVault) -> Subject:
    """The subject of a caller's id, made with its own key if it is new, and locked.

    Leaves the directory open and nothing else. Raises SubjectErased after an erasure.
    """
    isolation.open_directory()
    reference_hash = keys.reference_hash(external_id)
    found = Subject.objects.filter(reference_hash=reference_hash).first()
    if found is None:
        _create(external_id, reference_hash, keys=keys)
        found = Subject.objects.get(reference_hash=reference_hash)
    return lock_subject(found.pk)


def _create(external_id: str, reference_hash: bytes, *, keys: KeyVault) -> None:
    subject_id = new_id()
    # The key first: a key without a subject is harmless, a subject without a key could not be read.
    keys.create_subject(subject_id)
    sealed = keys.subject(subject_id).seal(external_id.encode(), context=reference_context(subject_id))
    row = Subject(
        pk=subject_id, reference_hash=reference_hash, sealed_reference=sealed, last_activity_at=timezone.now()
    )
    # Another writer may have been first; then this row is not written and the key stays unused.
    Subject.objects.bulk_create([row], ignore_conflicts=True)
