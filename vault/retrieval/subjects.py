"""Finding a subject by the caller's own id, without the id standing anywhere in clear."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from vault.errors import NoSuchSubject, SubjectErased
from vault.keys import key_vault
from vault.models import Memory, QuarantinedWrite, Session, Subject, SubjectToken, isolation
from vault.retrieval.content import reference_context
from vault.retrieval.scope import Scope

NOBODY = UUID(int=0)
# What makes a subject known where it stands.
HOLDING = (Memory, Session, QuarantinedWrite)


def find_subject(external_id: str) -> Subject | None:
    """The subject of this id, erased ones included; exact and case-sensitive. Opens the directory only."""
    with transaction.atomic():
        found = _look_up(external_id)
        isolation.close()
    return found


def require_subject(external_id: str, *, scope: Scope) -> Subject:
    """The subject, if the credential may know of it.

    Raises NoSuchSubject when it is absent, not the one that a subject token is bound to, or known to other
    namespaces only than the credential's; SubjectErased when it was erased and one of these had something of it.
    """
    with transaction.atomic():
        subject = _in_reach(_look_up(external_id), scope)
        if subject is None:
            raise NoSuchSubject
        if subject.erased_at is not None:
            raise SubjectErased
        isolation.close()
    return subject


def _in_reach(subject: Subject | None, scope: Scope) -> Subject | None:
    if scope.everything or scope.subject_id is not None:
        return subject if subject is not None and scope.allows_subject(subject.pk) else None
    reach = [place.id for place in scope.namespaces]
    # The same is asked for an id that nobody has, so that the time of an answer tells nothing either.
    asked = NOBODY if subject is None else subject.pk
    isolation.open_subject(asked, namespaces=reach)
    known = is_known_in(asked, reach, agent_id=scope.agent_id)
    if subject is None or not (known or set(reach) & set(subject.erased_in)):
        return None
    return subject


def _look_up(external_id: str) -> Subject | None:
    isolation.open_directory()
    return Subject.objects.filter(reference_hash=key_vault().reference_hash(external_id)).first()


def is_known_in(subject_id: UUID, namespaces: Sequence[int], *, agent_id: UUID | None) -> bool:
    """Whether anything of the subject stands in one of these namespaces (ids), as far as the transaction may read.

    To the agent that issued a token for a subject it is known as long as the token is kept.
    """
    mine = Q(subject_id=subject_id, namespace_id__in=namespaces)
    stores = [model.objects.filter(mine).values("subject_id") for model in HOLDING]
    issued = SubjectToken.objects.filter(subject_id=subject_id, agent_id=agent_id or NOBODY).values(
        "subject_id"
    )
    return issued.union(*stores, all=True).exists()


def namespaces_of(subject_id: UUID) -> set[int]:
    """The namespaces (ids) in which something of a subject stands, as far as the transaction may read."""
    rows = (model.objects.filter(subject_id=subject_id) for model in HOLDING)
    return {place for found in rows for place in found.values_list("namespace_id", flat=True).distinct()}


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
