"""Whether what is put together is still found: every original is asked for in its own words, before and after.

Together texts are longer and mean less each. Where the whole is not among the first that one of its parts was
among, the parts are left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.log import relax_commit
from vault.crypto import SubjectKeys
from vault.errors import SubjectErased
from vault.keys import key_vault
from vault.lifecycle.upkeep.proposing import Parent, Proposal
from vault.models import Namespace, Subject, isolation
from vault.retrieval.rehearsal import would_find
from vault.writing.ground import Ground


def found_before(proposal: Proposal, *, subject_id: UUID) -> tuple[Parent, ...]:
    """The originals that their own words find as things stand. In a transaction of its own, without the lock."""
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_whole_subject(subject_id)
        subject = Subject.objects.filter(pk=subject_id, erased_at__isnull=True).first()
        if subject is None:
            raise SubjectErased
        keys = key_vault().subject(subject.pk)
        return tuple(
            parent
            for parent in proposal.parents
            if _finds(parent, parent.row.pk, subject_id=subject_id, namespace=proposal.namespace, keys=keys)
        )


def is_found_as_well(parents: Sequence[Parent], whole: UUID, *, namespace: Namespace, ground: Ground) -> bool:
    """Whether the whole is found by the own words of each of these, now that it stands in their place."""
    return all(
        _finds(parent, whole, subject_id=ground.subject.pk, namespace=namespace, keys=ground.keys)
        for parent in parents
    )


def _finds(
    parent: Parent, wanted: UUID, *, subject_id: UUID, namespace: Namespace, keys: SubjectKeys
) -> bool:
    found = would_find(
        parent.content, subject_id=subject_id, namespace=namespace, keys=keys, now=timezone.now()
    )
    return wanted in found
