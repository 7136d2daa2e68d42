"""Finding what may be put together: small, settled memories of one subject about one matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from audit.actions import Action as Event
from audit.log import relax_commit
from vault.crypto import SubjectKeys
from vault.errors import InvalidTransition, NotFound, SubjectErased
from vault.keys import key_vault
from vault.lifecycle.holds import is_held
from vault.lifecycle.upkeep.clustering import Part, cluster
from vault.lifecycle.upkeep.extract import Extract, Statement, put_together
from vault.models import Conflict, ConflictStatus, Memory, Namespace, Subject, isolation
from vault.retrieval import trail
from vault.retrieval.fields import speaker_of
from vault.retrieval.opening import current_versions, open_content
from vault.retrieval.records import Content
from vault.retrieval.scope import Scope
from vault.types import Status, Trust
from vault.writing.trust import derived_trust
from vault.writing.withdrawal import TO_DO_AGAIN, ended_as

SMALL_CHARACTERS = 240
# The clusters of more would take seconds to find; the oldest are looked at first.
MAX_CONSIDERED = 500


@dataclass(frozen=True, slots=True)
class Parent:
    """One memory as it stood when it was proposed."""

    row: Memory
    content: Content


@dataclass(frozen=True, slots=True)
class Proposal:
    """Memories that may become one, the oldest first, and the text that would stand for them."""

    namespace: Namespace
    parents: tuple[Parent, ...]
    extract: Extract

    @property
    def trust(self) -> Trust:
        return derived_trust(Trust(parent.row.trust) for parent in self.parents)


def propose(
    *,
    subject_id: UUID,
    scope: Scope,
    settled_by: datetime,
    same_matter: float,
    namespaces: Sequence[int] | None = None,
) -> tuple[Proposal, ...]:
    """What may be put together of a subject's memories written by `settled_by`; nothing is changed.

    `same_matter` is the least mean cosine of what belongs together. Of the given namespaces (ids), then without
    what a person has taken apart before; or of all. An audited read. Raises NotFound, SubjectErased, and
    InvalidTransition for a subject that is restricted or under a hold.
    """
    with transaction.atomic(durable=True):
        relax_commit()
        isolation.open_whole_subject(subject_id)
        subject = workable(subject_id)
        keys = key_vault().subject(subject.pk)
        rows = eligible(settled_by).filter(subject=subject)
        if namespaces is not None:
            rows = rows.filter(namespace_id__in=namespaces).exclude(pk__in=_taken_apart(subject))
        found = list(rows.select_related("namespace").order_by("created_at", "pk")[:MAX_CONSIDERED])
        parents = small(found, keys=keys)
        proposals = tuple(
            proposal for some in _by_namespace(parents) for proposal in proposals_of(some, same_matter)
        )
        trail.note(
            Event.MEMORY_LISTED, scope=scope, kind="subject", subject_ref=keys.audit_reference,
            reason="consolidation", count=len(parents),
        )  # fmt: skip
    return proposals


def eligible(settled_by: datetime) -> QuerySet[Memory]:
    """Active memories that stand for nothing but themselves: no slot, no end, no pin, no open conflict.

    What is volatile, or was put together already, is left as it is.
    """
    open_conflicts = Conflict.objects.filter(status=ConflictStatus.OPEN)
    disputed = Q(pk__in=open_conflicts.values("standing_id")) | Q(
        pk__in=open_conflicts.values("challenger_id")
    )
    return Memory.objects.filter(
        status=Status.ACTIVE,
        pinned=False,
        volatile=False,
        consolidated=False,
        derived_from=[],
        attribute_hash__isnull=True,
        expires_at__isnull=True,
        created_at__lte=settled_by,
    ).exclude(disputed)


def _taken_apart(subject: Subject) -> set[UUID]:
    """The originals of consolidations that a person undid."""
    rows = Memory.objects.filter(subject=subject, consolidated=True, status=Status.FORGOTTEN)
    undone = rows.exclude(ended_as(TO_DO_AGAIN)).values_list("derived_from", flat=True)
    return {parent for parents in undone for parent in parents}


def workable(subject_id: UUID) -> Subject:
    """The subject, its rows open. Raises as `propose`."""
    subject = Subject.objects.filter(pk=subject_id).first()
    if subject is None:
        raise NotFound
    if subject.erased_at is not None:
        raise SubjectErased
    if subject.restricted_at is not None or is_held(subject.pk):
        raise InvalidTransition("The subject's memories may not be changed at present.")
    return subject


def small(rows: Sequence[Memory], *, keys: SubjectKeys) -> list[Parent]:
    """Those of the rows, opened, that are short and have a vector."""
    versions = current_versions(rows)
    opened = [Parent(row, open_content(row, versions[row.pk], keys=keys)) for row in rows]
    return [
        parent
        for parent in opened
        if parent.content.vector is not None and len(parent.content.text) <= SMALL_CHARACTERS
    ]


def _by_namespace(parents: Sequence[Parent]) -> list[list[Parent]]:
    groups: dict[int, list[Parent]] = defaultdict(list)
    for parent in parents:
        groups[parent.row.namespace_id].append(parent)
    return [groups[number] for number in sorted(groups)]


def proposals_of(parents: Sequence[Parent], same_matter: float) -> list[Proposal]:
    """What belongs together among memories of one namespace. Pure."""
    parts = [
        Part(parent.content.vector, len(parent.content.text), _apart(parent))
        for parent in parents
        if parent.content.vector is not None
    ]
    proposals = []
    for group in cluster(parts, same_matter=same_matter):
        chosen = tuple(parents[place] for place in group)
        extract = put_together([Statement(p.content.text, p.row.occurred_at) for p in chosen])
        proposals.append(Proposal(chosen[0].row.namespace, chosen, extract))
    return proposals


def _apart(parent: Parent) -> tuple[str, bool, str]:
    """What may not be mixed: kinds, speakers, and what a stranger said with what somebody stands for.

    Put together with one word from outside, all that a user stated would fall to the trust of that word.
    """
    untrusted = Trust(parent.row.trust) is Trust.UNTRUSTED
    return (parent.row.kind, untrusted, speaker_of(parent.content.metadata))
