"""Finding a subject by the caller's own id, without the id standing anywhere in clear."""

from __future__ import annotations

from django.db import transaction

from vault.errors import NoSuchSubject, SubjectErased
from vault.keys import key_vault
from vault.models import Subject, isolation
from vault.retrieval.content import reference_context
from vault.retrieval.scope import Scope


def find_subject(external_id: str) -> Subject | None:
    """The subject of this id, erased ones included; exact and case-sensitive. Opens the directory only."""
    with transaction.atomic():
        isolation.open_directory()
        found = Subject.objects.filter(reference_hash=key_vault().reference_hash(external_id)).first()
        isolation.close()
    return found


def require_subject(external_id: str, *, scope: Scope) -> Subject:
    """The subject, if the credential may know of it.

    Raises NoSuchSubject when it is absent or not the one that a subject token is bound to, SubjectErased when it
    was erased.
    """
    subject = find_subject(external_id)
    if subject is None or not scope.allows_subject(subject.pk):
        raise NoSuchSubject
    if subject.erased_at is not None:
        raise SubjectErased
    return subject


def audit_reference_of(external_id: str) -> str:
    """The log's name for the subject of this id; empty when it is not known, or was erased."""
    found = find_subject(external_id)
    if found is None or found.erased_at is not None:
        return ""
    return key_vault().subject(found.pk).audit_reference


def reference_of(subject: Subject) -> str:
    """The caller's own id for a subject; raises KeyDestroyed after an erasure."""
    keys = key_vault().subject(subject.pk)
    return keys.open(bytes(subject.sealed_reference), context=reference_context(subject.pk)).decode()
