"""The labels and contents of what is put together: the lowest trust, every sensitivity, what all have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vault.lifecycle.upkeep.proposing import Parent, Proposal
from vault.models import Memory, Subject
from vault.models.identifiers import new_id
from vault.retrieval.records import Content
from vault.types import Finding, Kind, MemoryDraft, Source, SourceType, Status

TEXT = "/text"


def merged_draft(proposal: Proposal) -> MemoryDraft:
    """The whole as a draft, to be screened like every other; it names no subject, for nobody writes it anew."""
    return MemoryDraft(
        subject="",
        namespace=proposal.namespace.name,
        text=proposal.extract.text,
        source=Source(SourceType.SYSTEM),
        kind=Kind(proposal.parents[0].row.kind),
        trust=proposal.trust,
        metadata=_common([parent.content.metadata for parent in proposal.parents]),
    )


def merged_row(proposal: Proposal, rows: Sequence[Memory], *, subject: Subject, now: datetime) -> Memory:
    """The row of the whole; counts are sums, the age is that of the youngest part."""
    sessions = {row.session_id for row in rows}
    return Memory(
        id=new_id(),
        subject=subject,
        namespace=proposal.namespace,
        kind=proposal.parents[0].row.kind,
        source_type=SourceType.SYSTEM.value,
        agent_id=None,
        trust=proposal.trust.value,
        status=Status.ACTIVE.value,
        importance=max((row.importance for row in rows), default=0.0),
        volatile=False,
        occurred_at=proposal.extract.occurred_at,
        expires_at=None,
        created_at=max((row.created_at for row in rows), default=now),
        session_id=sessions.pop() if len(sessions) == 1 else None,
        derived_from=[row.pk for row in rows],
        consolidated=True,
        seen_count=sum(row.seen_count for row in rows),
        use_count=sum(row.use_count for row in rows),
        last_used_at=max((row.last_used_at for row in rows if row.last_used_at), default=None),
        useful_count=sum(row.useful_count for row in rows),
        useless_count=sum(row.useless_count for row in rows),
    )


def merged_content(
    proposal: Proposal,
    draft: MemoryDraft,
    *,
    findings: Sequence[Finding],
    vector: NDArray[np.float32],
) -> Content:
    """What is sealed of the whole: what screening found in it, and whatever was found in any part of it."""
    known = {(finding.category, finding.type) for finding in findings}
    inherited = [
        _moved(finding, parent, place)
        for parent, place in zip(proposal.parents, proposal.extract.places, strict=True)
        for finding in parent.content.findings
        if (finding.category, finding.type) not in known
    ]
    return Content(
        draft.text, metadata=draft.metadata, findings=(*findings, *dict.fromkeys(inherited)), vector=vector
    )


def _moved(finding: Finding, parent: Parent, place: tuple[int, int]) -> Finding:
    """A part's finding in the whole: a span in the text moves along, and stays within the part's own place.

    Where the part does not stand as it is, nobody knows the place any more.
    """
    start, end = place
    if finding.pointer != TEXT or end - start != len(parent.content.text.strip()):
        return replace(finding, pointer=TEXT, start=start, end=end)
    return replace(finding, start=min(end, start + finding.start), end=min(end, start + finding.end))


def _common(metadata: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The keys that all parts have with the same value, the speaker among them."""
    first, *others = metadata
    return {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}
