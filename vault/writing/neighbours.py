"""The memories that a draft may concern: the same statement, the same slot, the named, and the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from vault.crypto import SubjectKeys
from vault.errors import InvalidField
from vault.models import Memory, Subject
from vault.retrieval import candidates
from vault.retrieval.opening import current_versions, open_content
from vault.retrieval.records import Content
from vault.types import Kind, MemoryDraft, Status, Trust
from vault.writing.fingerprint import same_statement_form
from vault.writing.reconcile import Neighbour

NEAREST_OPENED = 20


def find_neighbours(
    draft: MemoryDraft,
    vector: NDArray[np.float32] | None,
    *,
    subject: Subject,
    namespace_id: int,
    sealed: bool,
    now: datetime,
    keys: SubjectKeys,
    leaving: UUID | None = None,
) -> tuple[Neighbour, ...]:
    """Open what may be concerned, without `leaving`. Raises InvalidField when `supersedes` names what is not there."""
    fingerprint = keys.fingerprint(same_statement_form(draft.text))
    slot = keys.slot_hash(draft.attribute) if draft.attribute else None
    concerned = Q(fingerprint=fingerprint) | Q(pk__in=draft.supersedes)
    if slot is not None:
        concerned |= Q(attribute_hash=slot)
    near = _nearest(vector, subject=subject, namespace_id=namespace_id, sealed=sealed, now=now, keys=keys)
    active = Memory.objects.filter(subject=subject, namespace_id=namespace_id, status=Status.ACTIVE)
    # What is past its time, and was not met by a job yet, stands in nobody's way.
    active = active.exclude(expires_at__lte=now)
    rows = list(active.filter(concerned | Q(pk__in=near)).order_by("created_at", "pk"))
    rows = [row for row in rows if row.pk != leaving]
    named = set(draft.supersedes)
    if not named <= {row.pk for row in rows}:
        raise InvalidField(
            "Only active memories of the same subject can be superseded.", pointer="/supersedes"
        )
    return tuple(
        Neighbour(
            memory_id=row.pk,
            text=content.text,
            trust=Trust(row.trust),
            similarity=_cosine(vector, content.vector),
            same_statement=bytes(row.fingerprint) == fingerprint,
            same_slot=slot is not None
            and row.attribute_hash is not None
            and bytes(row.attribute_hash) == slot,
            named=row.pk in named,
            other_slot=slot is not None
            and row.attribute_hash is not None
            and bytes(row.attribute_hash) != slot,
            kind=Kind(row.kind),
            occurred_at=row.occurred_at,
            served=row.last_used_at is not None,
        )
        for row, content in _opened(rows, keys=keys)
    )


def _nearest(
    vector: NDArray[np.float32] | None,
    *,
    subject: Subject,
    namespace_id: int,
    sealed: bool,
    now: datetime,
    keys: SubjectKeys,
) -> Sequence[UUID]:
    if vector is None:
        return ()
    allowed = candidates.Filter(
        subject_id=subject.pk,
        namespaces=(namespace_id,),
        sealed=(namespace_id,) if sealed else (),
        now=now,
        as_of=datetime.max.replace(tzinfo=now.tzinfo),
    )
    return candidates.nearest(allowed, keys.rotate(vector), documents=0)[:NEAREST_OPENED]


def _opened(rows: Sequence[Memory], *, keys: SubjectKeys) -> list[tuple[Memory, Content]]:
    versions = current_versions(rows)
    return [(row, open_content(row, versions[row.pk], keys=keys)) for row in rows]


def _cosine(one: NDArray[np.float32] | None, other: NDArray[np.float32] | None) -> float:
    return 0.0 if one is None or other is None else float(one @ other)
