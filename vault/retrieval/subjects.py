"""Finding a subject by the caller's own id, without the id standing anywhere in clear."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vault.errors import NoSuchSubject, SubjectErased
from vault.keys import key_vault
from vault.models import Memory, QuarantinedWrite, Session, Subject, isolation
from vault.retrieval.content import reference_context
from vault.retrieval.scope import Scope


def find_subject(external_id: str) -> Subject | None:
    """The subject of this id, erased ones included; exact and case-sensitive. Opens the directory only."""
    with transaction.atomic():
        found = _look_up(external_id)
        isolation.close()
    return found


def require_subject(external_id: str, *, scope: Scope) -> Subject:
    """The subject, if the credential may know of it.

    Raises NoSuchSubject when it is absent, not the one that a subject token is bound to, or known to other
    namespaces only than the credential's; SubjectErased when it was erased.
    """
    with transaction.atomic():
        subject = _look_up(external_id)
        if subject is None or not scope.allows_subject(subject.pk):
            raise NoSuchSubject
        if subject.erased_at is not None:
            raise SubjectErased
        if not scope.everything and scope.subject_id is None:
            reach = [place.id for place in scope.namespaces]
            isolation.open_subject(subject.pk, namespaces=reach)
            if not is_known_in(subject.pk, reach):
                raise NoSuchSubject
        isolation.close()
    return subject


def _look_up(external_id: str) -> Subject | None:
    isolation.open_directory()
    return Subject.objects.filter(reference_hash=key_vault().reference_hash(external_id)).first()


def is_known_in(subject_id: UUID, namespaces: Sequence[int]) -> bool:
    """Whether anything of the subject stands in one of these namespaces (ids), as far as the transaction may read."""
    mine = Q(subject_id=subject_id, namespace_id__in=namespaces)
    return any(model.objects.filter(mine).exists() for model in (Memory, Session, QuarantinedWrite))


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
