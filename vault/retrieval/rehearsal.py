"""What a question would find, for checks of the vault's own: nothing is served, counted or recorded."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from vault.crypto import SubjectKeys
from vault.models import Namespace
from vault.retrieval.candidates import Filter
from vault.retrieval.fusion import Mode, rank
from vault.retrieval.gathering import Asked, gather
from vault.retrieval.kind_policy import rankings
from vault.retrieval.records import Content
from vault.retrieval.tokens import query_tokens
from vault.types import Kind

# As many as a search gives when it is not told how many.
FIRST = 5


def would_find(
    content: Content, *, subject_id: UUID, namespace: Namespace, keys: SubjectKeys, now: datetime
) -> tuple[UUID, ...]:
    """The FIRST memories that a search for this content's own words finds in its namespace, the best first.

    Needs the caller's transaction with the namespace's rows of the subject open.
    """
    asked = Asked(content.text, Mode.HYBRID, query_tokens(content.text), content.vector)
    allowed = Filter(
        subject_id=subject_id,
        namespaces=(namespace.pk,),
        sealed=(namespace.pk,) if namespace.sealed else (),
        now=now,
        as_of=datetime.max.replace(tzinfo=now.tzinfo),
    )
    gathered = gather(asked, allowed, keys=keys)
    by_kind = rankings(namespace.policy)
    ranked = rank(
        gathered.candidates, hints=gathered.hints, vector=gathered.vector, as_of=now,
        rankings={memory: by_kind[Kind(each.row.kind)] for memory, each in gathered.opened.items()},
    )  # fmt: skip
    return tuple(item.id for item in ranked[:FIRST])
